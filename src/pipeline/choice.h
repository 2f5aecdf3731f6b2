/* SPDX-License-Identifier: Apache-2.0 */
/* What is looked for among the pipelines of a loop, and kept: between the files that try pipelines in turn. */
#ifndef SWP_PIPELINE_CHOICE_H
#define SWP_PIPELINE_CHOICE_H

#include "pipeline/choose.h"
#include "pipeline/issue_models.h"

typedef struct swp_choice {
    swp_context *ctx;
    const swp_pipeline_choice *asked;
    const swp_loop_and_pipeline *given; /* as it was found, with the roles of the best one */
    swp_candidate best;
    swp_candidate rival; /* the best one before another pipeline was gone on from; none at first */
    struct {
        swp_candidate *items;
        size_t count;
        size_t capacity;
    } tried;
    swp_issue_models models;
    double fewest;    /* cycles of an iteration of all that were written; 0: none was */
    int64_t interval; /* the least of all pipelines */
    bool whole;       /* no limit cut it short */
} swp_choice;

/* Whether the best one is a schedule, the limits leave time for another, and that could take fewer cycles. */
bool swp_pipeline_may_be_less(swp_choice *choice);

/* The same where loads are late, as in swp_pipeline_write. */
bool swp_pipeline_may_be_less_late(swp_choice *choice);

/* Whether the limits leave time for more than what has to be done. */
bool swp_pipeline_has_time(swp_choice *choice);

/* The better one of a pipeline, written out, and the best so far. What cannot be completed is none. */
swp_status swp_pipeline_try(swp_choice *choice, const swp_loop *loop, swp_pipeline *pipeline,
                            swp_loop_part part);

/* Tries a pipeline of the loop that is given. */
swp_status swp_pipeline_try_given(swp_choice *choice, swp_pipeline *pipeline, swp_loop_part part);

/*
 * Takes back what has been tried since, unless it takes fewer cycles: less room alone is not worth an interval that is not
 * the least. `tried` is how many were tried before.
 */
void swp_pipeline_keep_for_cycles(swp_choice *choice, const swp_candidate *before, size_t tried);

/* What an iteration of the best one takes beyond the interval, in parts of the interval. */
double swp_pipeline_cost_of_best(const swp_choice *choice);

/* What waits have to cost for other roles and intervals to be tried. */
#define SWP_PIPELINE_WORTH 0.005

/* Tells what was said in a context of its own, if that ended with an error: what was tried and did not do is not told. */
swp_status swp_pipeline_tell(swp_choice *choice, const swp_candidate *said, swp_status status);

/* Does what swp_pipeline_tighten() does, and notes the least interval. */
swp_status swp_pipeline_tighten_for(swp_choice *choice, const swp_pipeline *given, bool in_order,
                                    swp_pipeline *out, bool *found);

/* Searches without warp roles, from the pipeline that is given. */
swp_status swp_pipeline_choose_alone(swp_choice *choice);

/*
 * Does the same at an interval of as many cycles as the best one takes with its waits: orders that wait less may have no times
 * at the least interval.
 */
swp_status swp_pipeline_choose_stretched(swp_choice *choice);

/* Searches with warp roles, from the pipeline that is given; it keeps to its interval where objectives are stated. */
swp_status swp_pipeline_choose_roles(swp_choice *choice);

/* Tries other shifts and slots of it. What waits cost with roles nobody knows before it is simulated. */
swp_status swp_pipeline_go_on_from_given(swp_choice *choice);

/*
 * Where nothing else can be completed, takes a longer interval, or issues one iteration after the other, each value in as
 * few slots as it may have.
 */
swp_status swp_pipeline_fall_back(swp_choice *choice, swp_status status);

/* Where the time for all work has ended: a moment to complete what there is. */
void swp_pipeline_leave_moment(swp_choice *choice);

/* Tries slots that save waits of warp roles, and fewer slots where they save none. */
swp_status swp_pipeline_choose_slots(swp_choice *choice);

/* Gives all values as many slots as one of them has, or so many more, as far as they may and there is room. */
void swp_pipeline_level_slots(const swp_choice *choice, int more, int *slots);

/* Gives all values so many slots, as far as they may and there is room. */
void swp_pipeline_raise_slots_to(const swp_choice *choice, int level, int *slots);

/* A longer interval that is tried is no longer than this part of the given one more. */
enum { SWP_PIPELINE_LONGER = 4 };

/* Where cycles come first and there is room, makes slots alike whose numbers make a long pass. */
swp_status swp_pipeline_shorten_pass(swp_choice *choice);

#endif
