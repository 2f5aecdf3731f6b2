/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread executes what, and what its entries do to mbarriers, barriers and groups. */
#ifndef SWP_RUN_SYNC_H
#define SWP_RUN_SYNC_H

#include "run/machine.h"

/* Sync objects at their start; how many there are must be known before threads are there. */
swp_status swp_run_count_objects(swp_run_machine *m);
swp_status swp_run_new_objects(swp_run_machine *m);

/* --- Instances and threads --- */

const swp_stream *swp_run_stream_of(const swp_run_machine *m, int instance);
int swp_run_rank_of(const swp_run_machine *m, int instance);
/* Of those of its role and rank. */
int swp_run_number_of(const swp_run_machine *m, int instance);
/* How many of the instance's threads this one stands for. */
int swp_run_weight(const swp_run_machine *m, int thread);
/* Whether a thread executes an entry of its role's lists. */
bool swp_run_executes(const swp_run_machine *m, int thread, const swp_run_step *step);
/* Passes over what the thread does not execute. */
void swp_run_skip(const swp_run_machine *m, int thread);
/* Goes on to the next step that the thread executes. */
void swp_run_go_on(swp_run_machine *m, int thread);
bool swp_run_have_all_ended(const swp_run_machine *m);
/* All threads of the rank. */
bool swp_run_has_rank_ended(const swp_run_machine *m, int rank);
bool swp_run_is_multicast(const swp_run_machine *m, const swp_run_step *step);
/* Whether a step is done to the memory, or the mbarrier, of each rank; whether one of an instance is to that of a rank. */
bool swp_run_goes_to_all(const swp_run_machine *m, const swp_run_step *step);
bool swp_run_goes_to(const swp_run_machine *m, int instance, const swp_run_step *step, int rank);

/* --- mbarriers --- */

swp_run_mbarrier *swp_run_mbarrier_of(const swp_run_machine *m, int rank, const swp_run_step *step);
/* What the lists say of the phase of a turn, and of that which a step names; NULL: it is below 0. */
swp_run_phase *swp_run_phase_at(const swp_run_machine *m, int rank, int object, int turn);
swp_run_phase *swp_run_phase_of(const swp_run_machine *m, int rank, const swp_run_step *step);
swp_status swp_run_arrive(swp_run_machine *m, int rank, const swp_run_step *step, int threads);
swp_status swp_run_bytes_land(swp_run_machine *m, int rank, const swp_run_step *step);
bool swp_run_phase_is_over(const swp_run_machine *m, int rank, const swp_run_step *wait);

/* --- Named barriers, the work group's, and the cluster's --- */

/* The meeting place of an operation of this instance; -1: it is none. */
int swp_run_place_of_meeting(const swp_run_machine *m, int instance, const swp_run_step *step);
void swp_run_meet(swp_run_machine *m, int thread, int place);

/* --- Groups --- */

/* An operation in flight that the wait, at which the thread stands, is for; -1: none. */
int swp_run_awaited_async(const swp_run_machine *m, int thread);

/* --- Ops that need not run --- */

/* Whether the step is an op that an instance leaves out. */
bool swp_run_leaves_out(const swp_run_machine *m, int instance, const swp_run_step *step);
/* Of all instances, by row and op. */
swp_status swp_run_find_left_out(const swp_run_machine *m, const bool *const **out);

#endif
