/* SPDX-License-Identifier: Apache-2.0 */
/* What comes before what in a run: the clocks of its chains, and accesses compared by them. */
#ifndef SWP_AUDIT_PTX_ORDER_H
#define SWP_AUDIT_PTX_ORDER_H

#include "audit/ptx/windows.h"

/* The chains of some lanes: the first bit is lane 0's. */
unsigned swp_ptx_chains_of(uint32_t lanes);
static inline int swp_ptx_chain(int warp, int which)
{
    return 2 * warp + which;
}

static inline swp_ptx_threads swp_ptx_threads_of(int chain)
{
    return (swp_ptx_threads){UINT32_C(1) << chain / 2, 1u << chain % 2};
}
/* What a clock counts the phases of an mbarrier by, and the meetings at a barrier. */
static inline int swp_ptx_phase_component(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    return SWP_PTX_CLOCK_PHASES + (int)(mbarrier - run->mbarriers);
}
static inline int swp_ptx_meeting_component(const swp_ptx_run *run, const swp_ptx_barrier *barrier)
{
    return SWP_PTX_CLOCK_GENERATIONS + (int)(barrier - run->barriers);
}
/* Up to which event a chain is known to have come, in order or not. */
static inline int swp_ptx_executed(const int *at, int chain)
{
    const int met = at[SWP_PTX_CLOCK_MET + chain];
    return at[chain] > met ? at[chain] : met;
}
void swp_ptx_join(swp_ptx_clock *restrict to, const swp_ptx_clock *restrict from);
/* A new event of the chain. */
int swp_ptx_tick(swp_ptx_run *run, int chain);
bool swp_ptx_is_live(const swp_ptx_run *run, int chain);
/* Whether all who can still do something know it: it is before all that is to come. */
bool swp_ptx_is_past(const swp_ptx_run *run, int component, int value);

/* Whether nobody can still do an asynchronous operation on it for which it lacks a fence. */
bool swp_ptx_is_covered(const swp_ptx_run *run, const swp_ptx_access *access);
/* Whether an asynchronous operation may need a fence behind it. */
bool swp_ptx_needs_fence(const swp_ptx_run *run, const swp_ptx_access *access);

/*
 * Reports what is wrong with an access, made when `clock` was so, behind an earlier one. True: nothing is, nor would be with
 * other bytes.
 */
bool swp_ptx_compare(swp_ptx_run *run, const swp_ptx_clock *clock, const swp_ptx_access *earlier,
                     const swp_ptx_access *later);

/* Compares an access, made when `clock` was so, with all that are known, and adds it. */
swp_status swp_ptx_access_shared(swp_ptx_run *run, const swp_ptx_clock *clock,
                                 swp_ptx_access access);

/* --- flags in global memory (flags.c) --- */

bool swp_ptx_loads_flag(const swp_ptx_insn *insn);
void swp_ptx_note_flag(swp_ptx_run *run, int warp, uint32_t lanes, int insn);
/* A proxy fence of a chain for global memory. */
void swp_ptx_fence_flags(swp_ptx_run *run, int chain);
/* A bulk copy from global memory. */
void swp_ptx_check_flags(swp_ptx_run *run, int chain, int insn);

#endif
