/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file certificate.h  Why no schedule is better than an answer (page 3; certificates.md has the format).
 */
#ifndef SWP_CERTIFICATE_H
#define SWP_CERTIFICATE_H

#include "swp/problem.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Writes the certificate of an optimal or infeasible answer: a bound that can be checked by hand, or formulas with
 * their refutations, which are searched again for it. For other answers only the header, which claims nothing.
 * The same bytes for the same problem and answer. Absent in core-only builds.
 * @param answer  of swp_solve_problem() to this problem
 * @param stream  for text; whether it could be written (ferror()) is for the caller to ask
 * @return SWP_STOPPED, with a diagnostic, if the context's `interrupted` or memory ended a search (limits of time and
 *         work are for the answer, not for its certificate)
 */
SWP_API swp_status swp_certificate_write(swp_context *ctx, const swp_problem *problem,
                                         const swp_answer *answer, FILE *stream);

#ifdef __cplusplus
}
#endif
#endif
