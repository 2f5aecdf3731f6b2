/* SPDX-License-Identifier: Apache-2.0 */
/* How work groups share a compute unit or SM: its shared memory, registers and waves (docs/loops.md, "Work groups of a multiprocessor"). */
#ifndef SWP_TARGET_RESIDENCY_H
#define SWP_TARGET_RESIDENCY_H

#include "swp/target.h"

/* Registers are handed out so many at a time. */
enum { SWP_TARGET_REGISTER_GRANULE = 8 };

/* Bytes of shared memory that each of so many work groups has. */
int64_t swp_target_shared_share(const swp_target *target, int work_groups);

/* Waves of a work group: warps of all roles, where registers are moved between whole warp groups, or the machine's. */
int swp_target_waves(const swp_machine *machine, const swp_loop *loop);

/* Whether a multiprocessor takes so many work groups, whatever memory they have. */
bool swp_target_takes_groups(const swp_target *target, int waves, int work_groups);

/* What the roles of a loop that state their registers ask for, in warp groups, and what a thread has at its launch. */
typedef struct swp_role_demand {
    int lanes; /* of the launch; 0: no role has any */
    int groups;
    int64_t asked; /* registers a thread, in sum over the warp groups */
    int each;
} swp_role_demand;

/* The same where so many work groups share the registers. */
swp_role_demand swp_target_role_registers(const swp_target *target, const swp_loop *loop,
                                          int work_groups);

#endif
