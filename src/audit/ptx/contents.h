/* SPDX-License-Identifier: Apache-2.0 */
/* What bytes of shared memory hold in a run. */
#ifndef SWP_AUDIT_PTX_CONTENTS_H
#define SWP_AUDIT_PTX_CONTENTS_H

#include "audit/ptx/execute.h"

/* Of an ordinary access; false: it is of other memory, or not known where, which is then asked for. */
bool swp_ptx_shared_address(const swp_ptx_step *step, swp_ptx_value *address, int64_t *offset);
void swp_ptx_forget_bytes(swp_ptx_run *run, int64_t low, int64_t high);
/* After the access: what a store leaves there, what a load finds. */
swp_status swp_ptx_store_numbers(const swp_ptx_step *step);
void swp_ptx_load_numbers(const swp_ptx_step *step);
swp_status swp_ptx_copy_bytes(swp_context *ctx, const swp_ptx_run *from, swp_ptx_run *to);
/* Whether all that is known in the one state is so in the other; forgets what is not. */
bool swp_ptx_bytes_stay(const swp_ptx_run *a, const swp_ptx_run *b);
void swp_ptx_keep_bytes(swp_ptx_run *run, const swp_ptx_run *like);

#endif
