/* SPDX-License-Identifier: Apache-2.0 */
/* The writes of a schedule by their place, so that whoever asks for some need not look at all entries. */
#ifndef SWP_VERIFY_WRITE_INDEX_H
#define SWP_VERIFY_WRITE_INDEX_H

#include "verify/model.h"

/* Fills in the model's; it has all its steps by then. */
swp_status swp_verify_write_index_build(swp_context *ctx, swp_model *model);

#endif
