/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that an instruction reads or overwrites while the load that writes them may be in flight. */
#include "audit/flow/conflict_search.h"

static const swp_insn *insn_at(const swp_conflict_search *s, int index)
{
    return &s->fixpoint->flow->code->insns.items[index];
}

/* Vector memory writes registers in the order of issue: a later load may follow an earlier one. */
static bool follows_in_order(const swp_conflict_search *s, const swp_insn *insn, int operand,
                             int event)
{
    return operand < insn->destinations && insn->kind == SWP_INSN_LOAD &&
           swp_flow_event_insn(&s->fixpoint->events, event)->kind == SWP_INSN_LOAD;
}

/* What an instruction reads besides its operands and may have been loaded. */
swp_operand swp_flow_implied_operand(const swp_insn *insn)
{
    swp_operand operand = insn->implied;
    const int condition = insn->kind == SWP_INSN_BRANCH ? swp_flow_branch_register(insn) : -1;
    if (insn->lds.address == SWP_REG_M0)
        operand = (swp_operand){.kind = SWP_OPERAND_REGISTERS, .first = SWP_REG_M0, .count = 1};
    else if (condition == SWP_REG_VCC)
        operand = (swp_operand){.kind = SWP_OPERAND_REGISTERS, .first = SWP_REG_VCC, .count = 2};
    return operand;
}

static swp_status check_implied(swp_conflict_search *s, int index)
{
    const swp_insn *insn = insn_at(s, index);
    const swp_operand operand = swp_flow_implied_operand(insn);
    for (int i = 0; i < s->point.in_flight.count; i++) {
        const int e = s->point.in_flight.items[i];
        if (!(swp_flow_event_overlap(&s->fixpoint->events, e, &operand) &
              s->point.accesses[e].unused))
            continue;
        swp_conflict conflict = swp_flow_conflict_with(s, SWP_REGISTER_NOT_READY, index, e);
        /* The text names the registers as the load does. */
        conflict.operand = &swp_flow_event_insn(&s->fixpoint->events, e)->operands[0];
        SWP_TRY(swp_flow_conflict_add(s, &conflict));
    }
    return SWP_OK;
}

static swp_status check_operands(swp_conflict_search *s, int index)
{
    const swp_insn *insn = insn_at(s, index);
    for (int f = 0; f < s->point.in_flight.count; f++) {
        const int e = s->point.in_flight.items[f];
        const swp_access_state *access = &s->point.accesses[e];
        if (!access->unused)
            continue;
        for (int i = 0; i < insn->operand_count; i++) {
            if (!(swp_flow_event_overlap(&s->fixpoint->events, e, &insn->operands[i]) &
                  access->unused) ||
                follows_in_order(s, insn, i, e))
                continue;
            swp_conflict conflict = swp_flow_conflict_with(s, SWP_REGISTER_NOT_READY, index, e);
            conflict.operand = &insn->operands[i];
            conflict.written = i < insn->destinations && !insn->reads_destination;
            SWP_TRY(swp_flow_conflict_add(s, &conflict));
            break;
        }
    }
    return SWP_OK;
}

swp_status swp_flow_check_registers(swp_conflict_search *s, int insn)
{
    SWP_TRY(check_operands(s, insn));
    return check_implied(s, insn);
}
