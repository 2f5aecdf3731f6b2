/* SPDX-License-Identifier: Apache-2.0 */
/* What reaches beyond a work group of a cluster. */
#ifndef SWP_AUDIT_PTX_CLUSTER_H
#define SWP_AUDIT_PTX_CLUSTER_H

#include "audit/ptx/execute.h"

/* Whether the file says which cluster the kernel runs in; else it is in doubt. */
bool swp_ptx_is_clustered(const swp_ptx_step *step);

/* Whether a place is in the shared memory of the work group of a warp, or in none; … */
bool swp_ptx_is_own(const swp_ptx_run *run, int warp, int64_t place);
/* …else an access to it is in doubt. */
bool swp_ptx_check_own(const swp_ptx_step *step, int64_t place);

/* Whether an instruction may access another work group's shared memory by its state space; else it is reported. */
bool swp_ptx_names_cluster(const swp_ptx_step *step);

/* mapa */
void swp_ptx_map_address(const swp_ptx_step *step, const swp_ptx_operand *to);

/* The barrier of a number in the work group of the step; NULL: it is not followed. */
swp_ptx_barrier *swp_ptx_barrier_of(const swp_ptx_step *step, int number);
void swp_ptx_open_barrier(swp_ptx_run *run, swp_ptx_barrier *barrier);

void swp_ptx_execute_cluster_barrier(const swp_ptx_step *step, bool *waits);
/* NULL: no thread has used it. */
const swp_ptx_barrier *swp_ptx_barrier_of_cluster(const swp_ptx_run *run);
/* Opens it where all have come but those that have ended; false: it does not. */
bool swp_ptx_open_cluster(swp_ptx_run *run);
/* Lanes end: in doubt, where they are between an arrival and a wait there. */
void swp_ptx_check_leaving(const swp_ptx_step *step, uint32_t lanes);

/* Whether who is as far as this clock comes behind the initialisation of an mbarrier. */
bool swp_ptx_knows_init(const swp_ptx_clock *clock, const swp_ptx_mbarrier *mbarrier);

/* --- completion of phases by copies (landing.c) --- */

/* Whether all have arrived at it, and it lacks only copies. */
bool swp_ptx_may_land(const swp_ptx_mbarrier *mbarrier);
bool swp_ptx_lands_known_only(const swp_ptx_run *run, bool known);
const swp_ptx_mbarrier *swp_ptx_first_to_land(const swp_ptx_run *run);

/* --- arrivals at mbarriers of another work group (remote_arrivals.c) --- */

/* What lanes do to one mbarrier. */
typedef swp_status (*swp_ptx_arrival)(const swp_ptx_step *step, bool *waits);
/* By one instruction threads of a warp may arrive at mbarriers of several work groups: as if one of these came after the other. */
swp_status swp_ptx_arrive_each(const swp_ptx_step *step, swp_ptx_arrival arrive, bool *waits);

/* An arrival of a chain, which may be one at an mbarrier of another work group, and a wait. */
swp_status swp_ptx_note_signal(const swp_ptx_step *step, int mbarrier, int chain);
/* An access of lanes, which may be one of another work group's shared memory: that has to be there. */
swp_status swp_ptx_note_remote(const swp_ptx_step *step, const swp_ptx_value *address,
                               int64_t offset);
void swp_ptx_note_wait(const swp_ptx_step *step, int mbarrier);
/* At the end of a run: whether those have come before the end of the other work group. */
void swp_ptx_check_signals(swp_ptx_run *run);

#endif
