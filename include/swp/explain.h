/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file explain.h  Why each wait and barrier of a schedule stands where it does, and why the ops of
 * its order do.
 */
#ifndef SWP_EXPLAIN_H
#define SWP_EXPLAIN_H

#include "swp/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An entry of a kernel that another one meets at an mbarrier, or whose group it waits for. */
typedef struct swp_partner {
    int stream;
    int entry;
    int passes_later; /**< how many passes after that one; below 0: before */
} swp_partner;

typedef struct swp_partner_list {
    swp_partner *items;
    size_t count;
    size_t capacity;
} swp_partner_list;

/**
 * A wait or barrier, and what would go wrong without it. With warp roles it is an operation on an
 * object, or a fence.
 */
typedef struct swp_explanation {
    int stream; /**< whose entry it is */
    swp_entry_ref at;
    int form; /**< of an entry of an epilogue: of which (swp_schedule_form()); else 0 */
    swp_hazard_list needs; /**< hazards that appear without it; none: no dependence needs it */
    /**
     * With warp roles: the waits for an arrival's phase, the arrivals that complete the phase of a
     * wait, what a wait retires.
     */
    swp_partner_list partners;
    bool left_out; /**< it is not known: too much would have to be proven (W0704) */
    /**
     * For a wait with a count: how many accesses it may leave in flight without a new hazard; -1:
     * it has no count, or this is not known.
     */
    int may_leave;
} swp_explanation;

typedef struct swp_explanation_list {
    swp_explanation *items;
    size_t count;
    size_t capacity;
    size_t hazards;  /**< that are there anyway; they count for no wait or barrier */
    size_t left_out; /**< of the items */
} swp_explanation_list;

/**
 * Takes away each wait and barrier of every form in turn, and asks the proof what then goes wrong
 * that did not before. Two that cover the same dependence are each found unneeded, since the other
 * is still there. In a large schedule, whose proofs would take too long, some are left out with
 * W0704: the last ones of the kernel.
 * @return SWP_INVALID for a schedule that swp_verify() refuses.
 */
SWP_API swp_status swp_explain(swp_context *ctx, const swp_schedule *schedule,
                               swp_explanation_list *out);

/* What the start of an op waits for, in the resource model (docs/scheduling.md). */
#define SWP_ORDER_CONSTRAINTS(X)                                                                   \
    X(SWP_BOUND_BY_NOTHING, 0, "nothing", "it starts at cycle 0")                                  \
    X(SWP_BOUND_BY_EDGE, 1, "edge", "the op that it depends on has to finish")                     \
    X(SWP_BOUND_BY_UNIT, 2, "unit", "its unit is busy with another op")

typedef enum swp_order_constraint {
    SWP_ORDER_CONSTRAINTS(SWP_NUMBERED) SWP_ORDER_CONSTRAINT_COUNT
} swp_order_constraint;

SWP_API const char *swp_order_constraint_name(swp_order_constraint constraint);

/** What keeps an op of the order from standing earlier, and from starting earlier. */
typedef struct swp_order_reason {
    int op;            /**< index into the body */
    int after;         /**< position of the last op before it that an edge makes it follow; -1 */
    swp_dep_kind kind; /**< of that edge */
    int late;          /**< position of an op after it that it should follow; -1: none */
    int64_t start;     /**< cycle, in the resource model; of a loop: of the interval */
    swp_order_constraint constraint; /**< what that waits for */
    int binding_op; /**< position of the op that it waits for, or whose unit it waits for; -1: none */
    int edge;       /**< of a loop, held by an edge: of its pipeline's problem; else -1 */
    int unit;       /**< of a loop, held by a unit: of the loop; else -1 */
} swp_order_reason;

/** By position. */
typedef struct swp_order_reason_list {
    swp_order_reason *items;
    size_t count;
    size_t capacity;
    const char *unexplained; /**< why there is none, for edges or an order that make no sense */
} swp_order_reason_list;

/**
 * Runs the ops in their order through the resource model (swp_evaluate_schedule()). Of a loop: its ops by
 * cycle of the interval, each with a dependence or a unit that lets it be issued no cycle sooner. There
 * are no reasons where the schedule has no body or no order, as one read from JSON may, nor for a loop without its times.
 */
SWP_API swp_status swp_explain_order(swp_context *ctx, const swp_schedule *schedule,
                                     swp_order_reason_list *out);

/** Writes both for people: the explanations phase by phase, then the order. The context owns the text. */
SWP_API swp_status swp_explanation_text(swp_context *ctx, const swp_schedule *schedule,
                                        const swp_explanation_list *explanations,
                                        const swp_order_reason_list *order, char **text,
                                        size_t *length);

/** Writes the stable format of `swp explain --format json` (absent in core-only builds). */
SWP_API swp_status swp_explanation_json(swp_context *ctx, const swp_schedule *schedule,
                                        const swp_explanation_list *explanations,
                                        const swp_order_reason_list *order, char **text,
                                        size_t *length);

#ifdef __cplusplus
}
#endif
#endif
