/* SPDX-License-Identifier: Apache-2.0 */
/* Places for diagnostics of library functions, which know numbers but not where they were written. */
#ifndef SWP_DESCRIBE_PLACE_DIAGS_H
#define SWP_DESCRIBE_PLACE_DIAGS_H

#include "describe/description.h"

/* Diagnostics from `first` on that have no place get the one of the setting that they name. */
void swp_place_diags_at_settings(swp_context *ctx, const swp_description *description,
                                 size_t first);

/* The same for those about a tile shape, and the setting that most likely caused them. */
void swp_place_diags_at_geometry(swp_context *ctx, const swp_description *description,
                                 size_t first);

/* The same for those about ops, edges and blocks, and the key that states them. */
void swp_place_diags_at_body(swp_context *ctx, const swp_own_body *body, size_t first);

#endif
