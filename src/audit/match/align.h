/* SPDX-License-Identifier: Apache-2.0 */
/* The order that two lists share. */
#ifndef SWP_AUDIT_MATCH_ALIGN_H
#define SWP_AUDIT_MATCH_ALIGN_H

#include "base/diag.h"

/* What it is worth that an element of one list is one of the other; 0: it cannot be. */
typedef int swp_worth(const void *user, size_t row, size_t column);

/*
 * Pairs elements in the order of both lists, for the most worth; of each element the index of its
 * partner is filled in, or -1. E0815, of the place that is given, if there are too many.
 */
swp_status swp_match_align(swp_context *ctx, swp_place place, size_t rows, size_t columns,
                           swp_worth *worth, const void *user, int **row_partners,
                           int **column_partners);

#endif
