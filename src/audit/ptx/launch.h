/* SPDX-License-Identifier: Apache-2.0 */
/* What a user states of a launch: whether the kernels of a file can have it, and what arguments get from it. */
#ifndef SWP_AUDIT_PTX_LAUNCH_H
#define SWP_AUDIT_PTX_LAUNCH_H

#include "audit/ptx/run.h"

bool swp_ptx_is_stated(const swp_audit_launch *launch);

/* Whether a kernel is one that is to be judged. */
bool swp_ptx_is_asked_for(const swp_ptx_kernel *kernel, const swp_audit_launch *launch);

/* E0819 where no kernel of the module can have it; gives kernels the threads that it states. */
swp_status swp_ptx_apply_launch(swp_context *ctx, const char *file, const swp_audit_launch *launch,
                                swp_ptx_module *module);

swp_status swp_ptx_copy_launch(swp_context *ctx, const swp_audit_launch *from,
                               swp_audit_launch *to);

/* Gives an argument that is read for the first time what is stated of it. */
void swp_ptx_state_argument(const swp_audit_launch *launch, swp_ptx_argument *argument);

#endif
