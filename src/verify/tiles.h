/* SPDX-License-Identifier: Apache-2.0 */
/* The tiles of a GEMM's steps, which kinds, k offsets and their order say. */
#ifndef SWP_VERIFY_TILES_H
#define SWP_VERIFY_TILES_H

#include "verify/model.h"

swp_status swp_verify_model_number_tiles(swp_context *ctx, swp_model *model);

#endif
