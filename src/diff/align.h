/* SPDX-License-Identifier: Apache-2.0 */
/* Aligns two lists of entries: which are the same, and what became of the others. */
#ifndef SWP_DIFF_ALIGN_H
#define SWP_DIFF_ALIGN_H

#include "diff/words.h"

/*
 * Lists the rows of the alignment of least weight. Data ops weigh more than waits, barriers and
 * hints, and changing an op weighs less than removing and adding it. A data op that both have is
 * never changed into another one; where it does not fit, it has moved.
 */
swp_status swp_diff_align(swp_context *ctx, const swp_diff_words *words, swp_diff_phase *out);

#endif
