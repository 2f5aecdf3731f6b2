/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file loop_compile.h  From a loop to a schedule (docs/loops.md, "Phases").
 */
#ifndef SWP_LOOP_COMPILE_H
#define SWP_LOOP_COMPILE_H

#include "swp/compile.h"
#include "swp/loop.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a schedule of a loop is made for. */
typedef struct swp_loop_options {
    /** Its name, or NULL; one that swp_target_find() knows limits the loop (swp_loop_limit()). */
    const char *target;
    swp_machine machine; /**< swp_machine_default() to start from */
    swp_sync_goal sync_goal;
    bool sync_pace;
    const swp_target *limits; /**< limits the loop in place of the named target; NULL: that */
} swp_loop_options;

/**
 * Pipelines a loop, writes its phases out for any number of iterations, and derives waits and
 * barriers (sync.h). Its entries have a dataflow (swp_loop_dataflow). A loop with several roles, or one whose
 * role says its warps, instances or registers, is a schedule with warp roles (docs/roles-reference.md). The ops of `body` are
 * labelled if the loop is a GEMM (docs/loops-proof.md, "GEMMs").
 * @param options  NULL: the default machine
 * @param out      a schedule that swp_schedule_free() frees; NULL on failure
 */
SWP_API swp_status swp_compile_loop(swp_context *ctx, const swp_loop *loop,
                                    const swp_loop_options *options, swp_schedule **out);

/**
 * Lets the next swp_compile_loop() of this context keep its search as a text (swp_context_kept_search()), or take one that
 * was kept. What is derived from it is derived and proven again, so that only the search is spared. A text of
 * another loop, of other options or of another build of the library must not be given: its bounds would be taken for
 * those of this loop. One that cannot be read is not taken.
 * @param text  what was kept, which is copied; NULL: nothing was
 */
SWP_API swp_status swp_context_keep_search(swp_context *ctx, const char *text, size_t length);

/**
 * The search that was made since, which lives as long as the context.
 * @return false where none was made: the text that was given was taken, or there is nothing to keep
 */
SWP_API bool swp_context_kept_search(const swp_context *ctx, const char **text, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
