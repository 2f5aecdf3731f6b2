/* SPDX-License-Identifier: Apache-2.0 */
/* From a description's settings to every value in use. */
#ifndef SWP_DESCRIBE_RESOLVE_H
#define SWP_DESCRIBE_RESOLVE_H

#include "describe/description.h"

/*
 * The kernel's own defaults, then what the geometry derives, then the explicit settings. Refuses
 * what means nothing at the depth that comes out, and warns of what has no effect. `layout` is how
 * the waves stand in the geometry's block, 0 x 0 where the description has no geometry.
 */
swp_status swp_describe_resolve(swp_context *ctx, const swp_description *description,
                                swp_settings *settings, swp_wave_layout *layout);

#endif
