/* SPDX-License-Identifier: Apache-2.0 */
/* What one instruction does in a run of a kernel. */
#ifndef SWP_AUDIT_PTX_EXECUTE_H
#define SWP_AUDIT_PTX_EXECUTE_H

#include "audit/ptx/windows.h"

/* The lanes that execute an instruction now. */
typedef struct swp_ptx_step {
    swp_ptx_run *run;
    int warp;
    uint32_t lanes;
    bool unsure; /* memory decides whether they do */
    const swp_ptx_insn *insn;
    int number; /* of the instruction */
} swp_ptx_step;

/* Whether what lanes of one clock do can be said of all of them; else it is in doubt. */
void swp_ptx_check_lanes(const swp_ptx_step *step);
/* Threads of a warp meet: each knows that the others have executed what they have before it, which orders no memory. */
void swp_ptx_meet(const swp_ptx_step *step);

/* What an operand holds, be it a token, … */
swp_ptx_value swp_ptx_read_held(const swp_ptx_step *step, const swp_ptx_operand *operand);
/* …and as a number: a token is none that is known. */
swp_ptx_value swp_ptx_read_operand(const swp_ptx_step *step, const swp_ptx_operand *operand);
/* The one number that all lanes of the step have; false: they have not, and that ends the run. */
bool swp_ptx_uniform_number(const swp_ptx_step *step, const swp_ptx_operand *operand,
                            uint64_t *out);
void swp_ptx_write(const swp_ptx_step *step, int reg, swp_ptx_value value);
void swp_ptx_load_param(const swp_ptx_step *step, const swp_ptx_operand *from);
int swp_ptx_count_operands(const swp_ptx_step *step, int group);
/* What memory gives has no known value, nor what depends on whether a branch is taken. */
void swp_ptx_forget_results(const swp_ptx_step *step, swp_ptx_sources depends);
/* Goes on behind a branch that memory decides, where nothing orders threads on either of its ways; false: something does. */
bool swp_ptx_skip_ways(const swp_ptx_step *step);
/* Goes on behind a branch back, where that ends a loop which orders nothing; false: it does not. */
bool swp_ptx_skip_loop(const swp_ptx_step *step);
/* Which registers may hold a generic address of shared memory, and whether an access may have one (generic_addresses.c). */
swp_status swp_ptx_find_shared_addresses(swp_context *ctx, const swp_ptx_module *module,
                                         swp_ptx_kernel *kernel);
bool swp_ptx_may_name_shared(const swp_ptx_module *module, const swp_ptx_kernel *kernel,
                             const swp_ptx_insn *insn);
/* Executes what only computes. */
void swp_ptx_calculate(const swp_ptx_step *step);
/* A predicate of all lanes that come together, or which of them have it. */
void swp_ptx_vote(const swp_ptx_step *step, const swp_ptx_operand *to, const swp_ptx_operand *from);
void swp_ptx_shuffle(const swp_ptx_step *step, const swp_ptx_operand *to);
void swp_ptx_elect(const swp_ptx_step *step, const swp_ptx_operand *to);
/* The lanes that a mask of threads names, where one is given. */
uint32_t swp_ptx_members(const swp_ptx_step *step);
/* What is written of shared memory, and read of what is not: a doubt, where nothing is wrong. */
void swp_ptx_note_written(swp_ptx_run *run, int64_t low, int64_t high);
void swp_ptx_note_read(swp_ptx_run *run, int insn, int64_t low, int64_t high);
swp_status swp_ptx_describe_unwritten(swp_ptx_run *run);

/* Which argument an operand is that says how many bytes are expected; -1: none. One that is not stated is marked (byte_arguments.c). */
swp_status swp_ptx_find_byte_argument(swp_ptx_run *run, const swp_ptx_operand *operand, int *out);
/* Keeps which copies a phase has had, if a dry run asks. */
swp_status swp_ptx_note_byte_copies(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier);

/* Whether a number is made of constants alone, whatever arguments and memory are. */
swp_status swp_ptx_has_constant_sources(const swp_ptx_run *run, const swp_ptx_operand *operand,
                                        bool *own);

/* What orders, and what is ordered. `waits`: the lanes have to wait. */

swp_status swp_ptx_execute_memory(const swp_ptx_step *step);
swp_status swp_ptx_execute_bulk(const swp_ptx_step *step, bool *waits);
swp_status swp_ptx_execute_mbarrier(const swp_ptx_step *step, bool *waits);
swp_status swp_ptx_store_async(const swp_ptx_step *step, bool *waits);
void swp_ptx_execute_barrier(const swp_ptx_step *step, bool *waits);
/* What all threads of a warp have to execute together, … */
bool swp_ptx_is_collective(const swp_ptx_insn *insn);
/* …barriers among it. */
bool swp_ptx_is_aligned_barrier(const swp_ptx_insn *insn);
swp_status swp_ptx_execute_wgmma(const swp_ptx_step *step, bool *waits);
/* Whether a wait that fails, which leaves 0 in this predicate, does nothing but wait again. */
bool swp_ptx_spins(const swp_ptx_module *module, int wait, int predicate);
/* Which tests of a phase may leave out which waits, and whether a wait is for the phase that was tested (wait_tests.c, tested_registers.c). */
swp_status swp_ptx_find_wait_tests(swp_context *ctx, const swp_ptx_module *module,
                                   swp_ptx_kernel *kernel);
void swp_ptx_note_test(const swp_ptx_step *step, int which, int mbarrier, int phase);
/* What was computed is decided by the tests that have decided its sources. */
void swp_ptx_pass_tests_on(const swp_ptx_step *step);
bool swp_ptx_tests_agree(const swp_ptx_run *run, int number, int chain, int mbarrier, int phase);
/* What such a wait, which now has succeeded, may have written on its ways back is unknown. */
void swp_ptx_end_spin(const swp_ptx_step *step, int predicate);
/*
 * The mbarrier at an address; NULL: there is none, which is in doubt. Another work group may initialise its own later on: `waits`;
 * NULL: it has to be one of the own work group.
 */
swp_ptx_mbarrier *swp_ptx_mbarrier_at(const swp_ptx_step *step, uint64_t address, bool *waits);
/* All have arrived, and all copies: they write, and the next phase begins. */
swp_status swp_ptx_complete_phase(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier);
/* An operation on the phase that is not complete: it must come after the completion of the one before. */
void swp_ptx_check_phase_order(const swp_ptx_step *step, const swp_ptx_mbarrier *mbarrier,
                               int chain);
void swp_ptx_execute_fence(const swp_ptx_step *step);
/* Whether a register of a wgmma in flight is used, or was used without a fence. */
void swp_ptx_watch_registers(const swp_ptx_step *step);

#endif
