/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a loop computes, iteration by iteration with every version kept. Contents are numbers that tell
 * apart what made them: the op, its iteration and wave, and the contents that it read.
 */
#ifndef SWP_RUN_SEQUENTIAL_H
#define SWP_RUN_SEQUENTIAL_H

#include "base/context.h"
#include "run/dataflow.h"

/* What a wave has of a version before the loop, or of an input. */
uint64_t swp_run_initial(uint64_t seed, int value, int version, int wave);

/* The result of an op, before what it reads is mixed in, one content after the other. */
uint64_t swp_run_begin_result(uint64_t seed, int op, int iteration, int wave);

/* What it makes of a value. */
uint64_t swp_run_made(uint64_t result, int value);

/*
 * The sequential meaning of the program's loop for its N: results by wave, or instance, iteration and op. By
 * wave `left_out` says of each iteration's ops which did not run.
 */
swp_status swp_run_sequence_of(swp_context *ctx, const swp_run_program *program, uint64_t seed,
                               const bool *const *left_out, const uint64_t **results);

/* The same of output tiles: by instance, row and op, where a row is an iteration of all tiles, or a tile. */
swp_status swp_run_tile_sequence_of(swp_context *ctx, const swp_run_program *program, uint64_t seed,
                                    const bool *const *left_out, const uint64_t **results);

#endif
