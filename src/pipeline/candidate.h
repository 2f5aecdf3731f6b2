/* SPDX-License-Identifier: Apache-2.0 */
/* A pipeline that is written out as a schedule, and which of two is handed out (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_CANDIDATE_H
#define SWP_PIPELINE_CANDIDATE_H

#include "base/context.h"
#include "pipeline/loop_waits.h"
#include "pipeline/shares.h"
#include "swp/loop_compile.h"

/* A pipeline, and the loop in which each op has the role that it has there. */
typedef struct swp_loop_and_pipeline {
    const swp_loop *loop; /* lives as long as the schedule */
    swp_pipeline *pipeline;
    swp_loop_waits waits;
    /* The same with all its waits, of which some are dropped; NULL: it is written anew. */
    const struct swp_candidate *all_waits;
} swp_loop_and_pipeline;

/* Loads take up to this of the latency that a target file measured of one load alone, in percent. */
enum { SWP_PIPELINE_LATE = 200 };

/* What is known of a schedule beside what it says. */
typedef struct swp_written {
    /* Its passes where loads are late; there are none where no target file says what loads take. */
    swp_counted_cycles late;
    swp_kernel_sync kernel; /* without warp roles */
} swp_written;

/* Writes a pipeline as a schedule with its synchronisation, of which the cycles are the price. */
typedef swp_status (*swp_pipeline_write)(swp_context *ctx, const swp_loop_options *options,
                                         const swp_loop_and_pipeline *given, swp_schedule *out,
                                         swp_written *written);

/* A schedule of the loop, and what is to be said of it if it is the one that is handed out. */
typedef struct swp_candidate {
    const swp_loop_and_pipeline *of;
    swp_schedule *schedule;
    swp_written written;
    swp_diags diags;
    swp_status status;
    bool stopped;       /* a limit kept some of its waits */
    swp_loop_part part; /* of the limits, in which it was written… */
    uint64_t began;     /* …and the steps of the nominal clock until then */
} swp_candidate;

/* Whether two pipelines are written as the same schedule. */
bool swp_pipeline_is_same(const swp_loop_and_pipeline *a, const swp_loop_and_pipeline *b);

/* Whether a candidate is a schedule, and not the reason why there is none. */
bool swp_pipeline_is_schedule(const swp_candidate *candidate);

/* A context in which a candidate says what it has to say, in this part of the time. */
swp_status swp_pipeline_enter(swp_context *ctx, swp_candidate *candidate, swp_loop_part part,
                              swp_context *own);

/* Writes `candidate->of`. Its status is that of the candidate, too; only lack of memory is the caller's. */
swp_status swp_pipeline_write_candidate(swp_context *ctx, const swp_loop_options *options,
                                        swp_pipeline_write write, swp_loop_part part,
                                        swp_candidate *candidate);

/* Cycles of an iteration with its waits; infinite where there is no steady state. */
double swp_pipeline_cycles_of(const swp_candidate *candidate);

/* The same where loads are late; 0: nothing says what they take. */
double swp_pipeline_late_cycles_of(const swp_candidate *candidate);

/*
 * Whether one schedule is better than another by its interval and the loop's objectives, where these are stated; of as
 * good ones by its cycles with waits, then by these with late loads, then by what it takes. Cycles are those of an
 * iteration of any of the work groups that share a multiprocessor.
 */
bool swp_pipeline_is_better(const swp_candidate *candidate, const swp_candidate *than);

/* The iterations of a pass that is long for its slots; else 0. */
int swp_pipeline_long_pass_of(const swp_candidate *candidate);

/* One cycle in 400 is far less than what the model is wrong by (docs/simulation.md), and is not worth a slot. */
#define SWP_PIPELINE_HARDLY_MORE 1.0025

/*
 * Of schedules that take hardly more cycles than the fewest, those that take hardly more than the fewest with late loads;
 * of these the one that takes the least. NULL: there is none.
 */
const swp_candidate *swp_pipeline_leanest(const swp_candidate *items, size_t count);

#endif
