/* SPDX-License-Identifier: Apache-2.0 */
/* Which LDS accesses must keep their order. */
#include "audit/flow/conflicts.h"

/* Whether some instruction reads a register that the atomic operation returns to. */
static bool is_observed(const swp_fixpoint *fixpoint, const swp_insn *atomic)
{
    const swp_operand *returned = &atomic->operands[0];
    for (int i = 0; atomic->destinations && i < returned->count; i++)
        if (fixpoint->read[returned->first + i])
            return true;
    return false;
}

/* Two changes of one place, of which it may not be told which came first. */
static swp_lds_order order_of_atomics(const swp_fixpoint *fixpoint, const swp_insn *a,
                                      const swp_insn *b)
{
    const swp_atomic_traits *traits = swp_code_atomic_traits_of(a->atomic);
    if (a->atomic != b->atomic || !traits->commutes ||
        (a->lds.size != b->lds.size && !traits->bitwise))
        return SWP_ORDER_MATTERS;
    return is_observed(fixpoint, a) || is_observed(fixpoint, b) ? SWP_ORDER_MAY_MATTER
                                                                : SWP_ORDER_FREE;
}

swp_lds_order swp_flow_lds_order_of(const swp_fixpoint *fixpoint, int first, int second,
                                    swp_hazard_kind *kind)
{
    const swp_insn *earlier = swp_flow_event_insn(&fixpoint->events, first);
    const swp_insn *later = swp_flow_event_insn(&fixpoint->events, second);
    const swp_insn_traits *a = swp_code_insn_traits_of(earlier->kind);
    const swp_insn_traits *b = swp_code_insn_traits_of(later->kind);
    *kind = !b->writes_lds ? SWP_STALE_READ : !a->writes_lds ? SWP_OVERWRITTEN : SWP_WRITE_RACE;
    if (earlier->kind == SWP_INSN_LDS_ATOMIC && later->kind == SWP_INSN_LDS_ATOMIC)
        return order_of_atomics(fixpoint, earlier, later);
    return a->writes_lds || b->writes_lds ? SWP_ORDER_MATTERS : SWP_ORDER_FREE;
}

/* Whether all lanes begin at a multiple of the access's size, so that places are the same or disjoint. */
static bool is_aligned(const swp_fixpoint *fixpoint, const swp_point *point,
                       const swp_lds_access *lds)
{
    const uint32_t *words =
        swp_flow_registers_words(&fixpoint->values, &point->registers, lds->address);
    for (int t = 0; words && t < fixpoint->values.threads; t++)
        if ((words[t] + lds->offsets[0]) % (uint32_t)lds->size)
            return false;
    return words != NULL && lds->parts == 1;
}

bool swp_flow_writes_one_value(const swp_fixpoint *fixpoint, const swp_point *point, int index)
{
    const swp_insn *insn = &fixpoint->flow->code->insns.items[index];
    if (insn->kind != SWP_INSN_LDS_WRITE || insn->operand_count == 0 || insn->lds.address < 0 ||
        !is_aligned(fixpoint, point, &insn->lds))
        return false;
    const swp_operand *data = &insn->operands[insn->operand_count - 1];
    if (data->kind != SWP_OPERAND_REGISTERS)
        return false;
    for (int r = data->first; r < data->first + data->count; r++) {
        const uint32_t *words = swp_flow_registers_words(&fixpoint->values, &point->registers, r);
        if (!words || !swp_flow_values_is_uniform(&fixpoint->values, words))
            return false;
    }
    return true;
}
