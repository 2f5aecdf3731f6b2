/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file certificate.h  Why no schedule is better than an answer (docs/certificates.md).
 */
#ifndef SWP_CERTIFICATE_H
#define SWP_CERTIFICATE_H

#include "swp/loop.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Writes the certificate of an answer: a bound that can be checked by hand, or formulas with their refutations,
 * which are searched again for it. Where a limit ended the search for the answer, its bound is proven as far as
 * the same limits allow.
 * The same bytes for the same problem and answer. Absent in core-only builds.
 * @param answer  of swp_solve_problem() to this problem
 * @param stream  for text; whether it could be written (ferror()) is for the caller to ask
 * @return SWP_STOPPED, with a diagnostic, if the context's `interrupted` or memory ended a search (limits of time and
 *         work are for the answer, not for the certificate of what is proven of it)
 */
SWP_API swp_status swp_certificate_write(swp_context *ctx, const swp_problem *problem,
                                         const swp_answer *answer, FILE *stream);

/**
 * Writes the certificate of all that is proven of a pipeline: its refutations, each with what proves it. Those
 * that others contain are left out. Absent in core-only builds.
 * @param pipeline  of swp_pipeline_loop() or of a compiled schedule
 * @return as swp_certificate_write()
 */
SWP_API swp_status swp_loop_certificate_write(swp_context *ctx, const swp_pipeline *pipeline,
                                              FILE *stream);

#ifdef __cplusplus
}
#endif
#endif
