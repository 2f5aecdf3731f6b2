/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops themselves do: by their kinds, or by the dataflow. */
#ifndef SWP_RUN_OPS_H
#define SWP_RUN_OPS_H

#include "run/sync.h"

/* Something of a step is in flight now: an access, or an operation to a rank. */
swp_status swp_run_new_access(swp_run_machine *m, int thread, const swp_run_step *step, int to);
/* It is the last that makes its registers. */
void swp_run_note_makers(swp_run_machine *m, int access);
/* What a wait for counters retires. */
void swp_run_note_wait(swp_run_machine *m, int wave, const swp_run_step *step);
/* An event: so many moves of a thread, or none and what its instance issued as a step takes effect in a rank. */
swp_status swp_run_record(swp_run_machine *m, int thread, int moves, int step, int to);

/* --- Kinds --- */

/* A store reads its source registers when it issues. */
swp_status swp_run_store_issues(swp_run_machine *m, int access, const swp_run_step *step);

/* A COMPUTE reads its registers when it issues, and adds their product. */
swp_status swp_run_compute(swp_run_machine *m, int wave, const swp_run_step *step);

/* A load, store or fragment load takes effect. */
void swp_run_kind_effect(swp_run_machine *m, int access, const swp_run_step *step);

/* --- The dataflow --- */

/* An op that is over as it issues. */
swp_status swp_run_do_ordinary(swp_run_machine *m, int thread, const swp_run_step *step);
/* The thread issues its part of one that is in flight. */
swp_status swp_run_begin_op(swp_run_machine *m, int thread, const swp_run_step *step);
/* Its last read, and all that it makes. */
swp_status swp_run_end_op(swp_run_machine *m, const swp_run_access *access);
/* What a copy writes; it is known at its issue. */
swp_run_cell swp_run_copied(const swp_run_machine *m, const swp_run_access *access,
                            const swp_run_operand *made);
/* An op that need not run does not: what it would update is its version, as it is. */
void swp_run_leave_out(swp_run_machine *m, int thread, const swp_run_step *step);

/* --- Places and registers --- */

/* Whether what an ordinary instruction wrote is fenced, so that asynchronous operations see it. */
bool swp_run_is_fenced(const swp_run_machine *m, const swp_run_piece *piece);
/* What a read finds of a share, or in a register; what is not wanted is noted. */
swp_status swp_run_read_share(swp_run_machine *m, int thread, int step,
                              const swp_run_operand *wanted, int share, uint64_t *number);
swp_status swp_run_read_register(swp_run_machine *m, int thread, int step,
                                 const swp_run_operand *wanted, uint64_t *number);
/* Whether a wgmma that the thread issued before this step makes the register, and is not over. */
bool swp_run_is_in_flight(const swp_run_machine *m, int thread, int step, int index);
/* An ordinary instruction of the thread writes its part of its share. */
void swp_run_write_part(swp_run_machine *m, int thread, const swp_run_operand *made,
                        swp_run_cell content, bool by_one);
/* A copy has landed. */
void swp_run_land_copy(swp_run_machine *m, const swp_run_access *access,
                       const swp_run_operand *made, swp_run_cell content);
/* A number that tells apart two that should be one. */
uint64_t swp_run_both(uint64_t a, uint64_t b);

#endif
