/* SPDX-License-Identifier: Apache-2.0 */
/* The steady state of output tiles (docs/simulation.md, "Output tiles"). */
#ifndef SWP_SIMULATE_TILES_H
#define SWP_SIMULATE_TILES_H

#include "simulate/program.h"

/* How many cycles tiles of so many passes take, over and over. */
swp_status swp_simulate_output_tiles(swp_context *ctx, const swp_sim_program *program, int passes,
                                     swp_simulation *out);

#endif
