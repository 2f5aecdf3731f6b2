/* SPDX-License-Identifier: Apache-2.0 */
/* What a user states of a launch: whether the kernels of a file can have it, and what arguments get from it. */
#ifndef SWP_AUDIT_PTX_LAUNCH_H
#define SWP_AUDIT_PTX_LAUNCH_H

#include "audit/ptx/run.h"
#include "base/text.h"

bool swp_ptx_is_stated(const swp_audit_launch *launch);
/* The same, but for what no branch can depend on. */
bool swp_ptx_states_flow(const swp_audit_launch *launch);

/* Which work groups there are. */
bool swp_ptx_states_grid(const swp_audit_launch *launch);

/* Whether a kernel is one that is to be judged. */
bool swp_ptx_is_asked_for(const swp_ptx_kernel *kernel, const swp_audit_launch *launch);

/* The only instruction of a kernel that writes a register; NULL: there is none, or there are more. */
const swp_ptx_insn *swp_ptx_writer_of(const swp_ptx_module *module, const swp_ptx_kernel *kernel,
                                      int reg);

/* Where in a parameter an address is. */
typedef struct swp_ptx_param_place {
    int param;
    int64_t byte;
} swp_ptx_param_place;

enum {
    SWP_PTX_COMPUTED = -1, /* instead of a parameter: it is not known in which one, if in any… */
    SWP_PTX_LOADED = -2    /* …or it is what a parameter holds, somewhere else */
};

/* Where an address is that an operand names, by the moves that made it. */
swp_ptx_param_place swp_ptx_place_of(const swp_ptx_module *module, const swp_ptx_kernel *kernel,
                                     const swp_ptx_operand *operand);

/* "parameter 3", and from which byte on, where that is not its first. */
void swp_ptx_name_param(swp_text *text, int param, int64_t byte);

/* The address of a place as runs have addresses: a number that no other address is. */
uint64_t swp_ptx_address_of_param(int param, int64_t byte);

/* E0819 where a box that is stated can be none of a kernel that is judged. */
swp_status swp_ptx_check_boxes(swp_context *ctx, const char *file, const swp_audit_launch *launch,
                               const swp_ptx_module *module);

/* E0819 where no kernel of the module can have it; gives kernels the threads that it states. */
swp_status swp_ptx_apply_launch(swp_context *ctx, const char *file, const swp_audit_launch *launch,
                                swp_ptx_module *module);

/*
 * A copy in which parameters that are named have their numbers; E0819 for a name that no kernel has. What the launch calls them
 * counts more than what the file does.
 */
swp_status swp_ptx_copy_launch(swp_context *ctx, const swp_audit_launch *from,
                               const swp_ptx_module *module, const char *file,
                               swp_audit_launch *to);

/* What the author calls a parameter: as the launch says, or the file where that is no compiler's name; NULL: not known. */
swp_status swp_ptx_author_of_param(swp_context *ctx, const swp_audit_launch *launch,
                                   const swp_ptx_kernel *kernel, int param, const char **name);

/* Gives an argument that is read for the first time what is stated of it. */
void swp_ptx_state_argument(const swp_audit_launch *launch, const swp_ptx_kernel *kernel,
                            swp_ptx_argument *argument);

#endif
