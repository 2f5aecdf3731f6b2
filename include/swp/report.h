/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file report.h  What the judges of a schedule found, as text or JSON.
 *
 * Each text, with its length, is owned by the context. The JSON ones are absent in core-only builds
 * and refuse names that are not UTF-8 with SWP_INVALID.
 */
#ifndef SWP_REPORT_H
#define SWP_REPORT_H

#include "swp/audit.h"
#include "swp/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a paragraph for each hazard, with the two entries as rows of the schedule; then a closing line. */
SWP_API swp_status swp_verdict_text(swp_context *ctx, const swp_schedule *schedule,
                                    const swp_verdict *verdict, char **text, size_t *length);

/** Writes the stable format of `swp verify --format json`. */
SWP_API swp_status swp_verdict_json(swp_context *ctx, const swp_schedule *schedule,
                                    const swp_verdict *verdict, char **text, size_t *length);

/**
 * Reports hazards that are not accepted as one diagnostic: W0702, or E0703 for SWP_ERROR. It
 * reports nothing if there are none.
 * @param input  the argument of `swp verify` that gives this schedule, for the hint
 * @return SWP_OK, or SWP_OUT_OF_MEMORY
 */
SWP_API swp_status swp_verdict_report(swp_context *ctx, const swp_verdict *verdict,
                                      swp_severity severity, const char *input);

/** Says what becomes of a schedule that is not proven safe, or that has no meaning for the proof. */
typedef enum swp_proof_demand {
    SWP_PROOF_REQUIRED, /**< it is refused */
    SWP_PROOF_WANTED,   /**< it is taken with a warning */
    SWP_PROOF_WAIVED    /**< it is taken; a warning only where nothing could be judged */
} swp_proof_demand;

/**
 * Proves a schedule that is about to be used, and reports by what is demanded.
 * @param input    what `swp verify` is to be called with, for the hint
 * @param verdict  what the proof found
 * @param judged   false where it gives the schedule no meaning, or came to no end (W0703, unless required)
 * @return SWP_OK if the schedule may be used, SWP_INFEASIBLE with errors if it is refused; SWP_STOPPED if a
 * limit ended the proof: where it is only wanted the schedule may be used all the same, with W0703. Where it is
 * waived, that is SWP_OK with W0703, unless an interruption ended it
 */
SWP_API swp_status swp_verdict_demand(swp_context *ctx, const swp_schedule *schedule,
                                      const swp_acceptance *accepted, size_t accepted_count,
                                      const char *input, swp_proof_demand demand,
                                      swp_verdict *verdict, bool *judged);

/** Writes cycles, units and stalls, for people. */
SWP_API swp_status swp_simulation_text(swp_context *ctx, const swp_schedule *schedule,
                                       const swp_simulation *simulation, char **text,
                                       size_t *length);

/** Writes the stable format of `swp simulate --format json`. */
SWP_API swp_status swp_simulation_json(swp_context *ctx, const swp_schedule *schedule,
                                       const swp_simulation *simulation, char **text,
                                       size_t *length);

/** What swp_summary_text() says of a schedule beyond what the schedule itself has. */
typedef struct swp_summary {
    const swp_verdict *verdict; /**< NULL: nothing was judged, because… */
    bool proof_stopped; /**< …a limit ended the proof; false: the schedule has no meaning */
    const swp_simulation *simulation; /**< NULL: its cycles could not be counted */
} swp_summary;

/**
 * Writes about ten lines: interval or makespan, what limits it, bytes and slots, cycles, and
 * whether it is safe.
 */
SWP_API swp_status swp_summary_text(swp_context *ctx, const swp_schedule *schedule,
                                    const swp_summary *summary, char **text, size_t *length);

/**
 * Writes what swp_emit_text() writes, and the last of those lines: whether it is safe. The
 * simulation is left out.
 */
SWP_API swp_status swp_summary_whole_text(swp_context *ctx, const swp_schedule *schedule,
                                          const swp_summary *summary, char **text, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
