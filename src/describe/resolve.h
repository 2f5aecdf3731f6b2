/* SPDX-License-Identifier: Apache-2.0 */
/* From a description's settings to every value in use. */
#ifndef SWP_DESCRIBE_RESOLVE_H
#define SWP_DESCRIBE_RESOLVE_H

#include "describe/description.h"

/*
 * The kernel's own defaults, then what the geometry derives, then the explicit settings. Refuses
 * what means nothing at the depth that comes out, and warns of what has no effect.
 */
swp_status swp_description_resolve(swp_context *ctx, const swp_description *description,
                                   swp_settings *settings);

/* Whether the description has a tile shape, its own or its kernel's default. */
bool swp_description_has_geometry(const swp_description *description);

/* How the waves of the machine stand in that shape's block. */
swp_wave_layout swp_description_layout(const swp_description *description,
                                       const swp_machine *machine);

#endif
