/* SPDX-License-Identifier: Apache-2.0 */
/* Places for diagnostics of library functions, which know numbers but not where they were written. */
#ifndef SWP_DESCRIBE_PLACE_DIAGS_H
#define SWP_DESCRIBE_PLACE_DIAGS_H

#include "describe/description.h"

/*
 * Diagnostics from `first` on that have no place get the one of their subject in the description: of
 * their own one, else of the first subject of their code that the description states.
 */
void swp_describe_place_diags(swp_context *ctx, const swp_description *description, size_t first);

#endif
