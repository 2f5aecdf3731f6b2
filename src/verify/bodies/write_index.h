/* SPDX-License-Identifier: Apache-2.0 */
/* The writes of a schedule by their place, so that whoever asks for some need not look at all entries. */
#ifndef SWP_BODIES_WRITE_INDEX_H
#define SWP_BODIES_WRITE_INDEX_H

#include "verify/bodies/model.h"

/* Fills in the model's; it has all its steps by then. */
swp_status swp_bodies_write_index_build(swp_context *ctx, swp_model *model);

#endif
