/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models what a step takes in an order of issue (docs/loops-proof.md, "Room for waits"): counters
 * retire in order, and a wait holds up all that is issued later.
 */
#ifndef SWP_PIPELINE_ISSUE_MODEL_H
#define SWP_PIPELINE_ISSUE_MODEL_H

#include "ir/loop_dataflow.h"
#include "ir/sync_objects.h"
#include "pipeline/price_memo.h"
#include "solve/max_cycle_ratio.h"

typedef struct swp_awaited_list {
    int *items;
    size_t count;
    size_t capacity;
} swp_awaited_list;

typedef struct swp_issue_model {
    swp_context *ctx;
    const swp_loop *loop;
    const swp_machine *machine;
    swp_loop_problem problem;
    swp_sync_object *objects; /* of each op */
    int *before; /* of each op in each unit and object: the op before (pipeline/issue_lanes.h) */
    bool mixes_objects; /* some wait is for more than one, and where it stands is not known */
    bool *waits;        /* scratch, one an edge */
    swp_timing_constraint_list constraints;
    size_t first_mixed;       /* from here on constraints come from waits for other objects */
    swp_awaited_list awaited; /* of each of these: the op that its wait is for */
    swp_ratio_solver solver;
    swp_price_memo memo;
    int *critical; /* ops of the chain that decided the price last */
    int critical_count;
} swp_issue_model;

swp_status swp_pipeline_issue_model_new(swp_context *ctx, const swp_machine *machine,
                                        const swp_loop *loop, const int *slots,
                                        swp_issue_model *out);

/*
 * Prices a step with its waits: `*within` says whether it takes at most `most`, and `*cycles` is
 * then what it takes.
 */
swp_status swp_pipeline_issue_price(swp_issue_model *model, const swp_issue_order *order,
                                    swp_ratio most, bool *within, swp_ratio *cycles);

/* Finds times of this order without waits; `*exist` is false if there are none at the interval. */
swp_status swp_pipeline_issue_times(swp_issue_model *model, const swp_issue_order *order,
                                    int64_t interval, int64_t *times, bool *exist);

/*
 * Finds the least interval at which this order has times without waits, and such times. If not
 * `in_order`, an op may issue before one that stands before it, as long as they share no unit.
 */
swp_status swp_pipeline_issue_tightest(swp_issue_model *model, const swp_issue_order *order,
                                       bool in_order, int64_t *interval, int64_t *times);

#endif
