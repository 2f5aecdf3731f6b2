/* SPDX-License-Identifier: Apache-2.0 */
/* How much weaker a wait could be at the most, from what is in flight before it: what is not worth trying. */
#include "audit/advice/advice.h"

#include "base/budget.h"

enum { STEPS_OF_AN_INSN = 64 };

typedef struct finder {
    swp_fixpoint *fixpoint;
    const swp_insn *insns;
    swp_wait_room *rooms;
    swp_point point;
    const swp_block *block;
} finder;

/* Whether it may change global memory, which others see. */
static bool may_store(const swp_insn *insn)
{
    return insn->kind == SWP_INSN_STORE || insn->kind == SWP_INSN_ATOMIC ||
           insn->kind == SWP_INSN_FLAT_STORE || insn->kind == SWP_INSN_FLAT_ATOMIC;
}

/* Whether a register of the access is used behind the wait, before another wait or a branch. */
static bool is_used_at_once(const finder *f, int event, int wait, int counter)
{
    const uint32_t unused = f->point.accesses[event].unused;
    for (int i = wait + 1; unused && i < f->block->end; i++) {
        const swp_insn *insn = &f->insns[i];
        if (insn->kind == SWP_INSN_WAIT && insn->waits[counter] != SWP_NO_WAIT)
            return false;
        for (int o = 0; insn->kind != SWP_INSN_LOAD && o < insn->operand_count; o++)
            if (swp_flow_event_overlap(&f->fixpoint->events, event, &insn->operands[o]) & unused)
                return true;
    }
    return false;
}

/* The weakest wait that surely still retires an access. */
static int weakest_for(const swp_insn *insn, const swp_access_state *access, int counter)
{
    return swp_code_insn_traits_of(insn->kind)->in_order ? access->after[counter] : 0;
}

static void narrow(const finder *f, int wait, int counter)
{
    const int count = f->insns[wait].waits[counter];
    swp_wait_room *room =
        &f->rooms[(wait - f->fixpoint->flow->function->first) * SWP_AUDIT_COUNTERS + counter];
    for (int i = 0; i < f->point.in_flight.count; i++) {
        const int e = f->point.in_flight.items[i];
        const swp_access_state *access = &f->point.accesses[e];
        const swp_insn *insn = swp_flow_event_insn(&f->fixpoint->events, e);
        const int weakest = weakest_for(insn, access, counter);
        const bool retired = count == 0 || weakest >= count;
        if (!access->waiting[counter] || !retired)
            continue;
        const bool keeps = may_store(insn) || is_used_at_once(f, e, wait, counter);
        if (keeps && weakest < room->most)
            room->most = weakest;
    }
}

static swp_status narrow_block(finder *f, int block, int copy)
{
    f->block = &f->fixpoint->flow->blocks[block];
    swp_flow_point_copy(f->fixpoint, &f->point, swp_flow_fixpoint_point(f->fixpoint, block, copy));
    for (int i = f->block->first; f->point.reached && i < f->block->end; i++) {
        SWP_TRY(swp_keep_on(f->fixpoint->ctx, STEPS_OF_AN_INSN));
        for (int c = 0; c < SWP_AUDIT_COUNTERS && f->insns[i].kind == SWP_INSN_WAIT; c++)
            if (f->insns[i].waits[c] != SWP_NO_WAIT)
                narrow(f, i, c);
        swp_flow_fixpoint_transfer(f->fixpoint, &f->point, i, copy);
    }
    return SWP_OK;
}

swp_status swp_advice_find_rooms(swp_fixpoint *fixpoint, swp_wait_room **out)
{
    const swp_flow *flow = fixpoint->flow;
    const size_t insns = (size_t)(flow->function->end - flow->function->first);
    finder f = {.fixpoint = fixpoint, .insns = flow->code->insns.items};
    SWP_TRY(SWP_TAKE(fixpoint->ctx, insns * SWP_AUDIT_COUNTERS, out));
    SWP_TRY(swp_flow_point_new(fixpoint, &f.point));
    f.rooms = *out;
    for (size_t i = 0; i < insns * SWP_AUDIT_COUNTERS; i++)
        f.rooms[i].most = flow->code->counter_max[i % SWP_AUDIT_COUNTERS];
    for (int b = 0; b < flow->block_count; b++)
        for (int copy = 0; copy < fixpoint->copies; copy++)
            SWP_TRY(narrow_block(&f, b, copy));
    return SWP_OK;
}
