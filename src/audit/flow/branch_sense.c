/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a branch is uniform or divergent, by the value of its condition register. */
#include "audit/flow/registers.h"
#include "audit/flow/value_ops.h"

/* The register that each kind of branch asks. */
static const int conditions[SWP_VALUE_OP_COUNT] = {
#define ROW(op, register) [SWP_VALUE_##op] = SWP_REG_##register,
    SWP_BRANCH_OPS(ROW)
#undef ROW
};

int swp_flow_branch_register(const swp_insn *insn)
{
    return conditions[insn->value];
}

static const uint32_t *condition_words(const swp_values *values, const swp_registers *registers,
                                       int first, const uint32_t **high)
{
    *high = first == SWP_REG_SCC ? NULL : swp_flow_registers_words(values, registers, first + 1);
    return swp_flow_registers_words(values, registers, first);
}

/* Which waves branch, if the condition is known; all of them or none: `uniform`. */
static bool find_taken(const swp_values *values, const swp_registers *registers,
                       const swp_insn *insn, bool taken[SWP_MOST_WAVES], bool *uniform)
{
    const int op = insn->value;
    const bool on_zero =
        op == SWP_VALUE_IF_SCC_0 || op == SWP_VALUE_IF_VCC_0 || op == SWP_VALUE_IF_EXEC_0;
    const int first = conditions[op];
    const uint32_t *high = NULL;
    const uint32_t *low = condition_words(values, registers, first, &high);
    if (!low || (first != SWP_REG_SCC && !high))
        return false;
    *uniform = true;
    for (int t = 0; t < values->threads; t += SWP_WAVE) {
        taken[t / SWP_WAVE] = ((low[t] | (high ? high[t] : 0)) == 0) == on_zero;
        *uniform &= taken[t / SWP_WAVE] == taken[0];
    }
    return true;
}

swp_branch_sense swp_flow_registers_branch(const swp_values *values, const swp_registers *registers,
                                           const swp_insn *insn, bool taken[SWP_MOST_WAVES])
{
    bool uniform = false;
    if (find_taken(values, registers, insn, taken, &uniform))
        return uniform ? SWP_BRANCH_UNIFORM : SWP_BRANCH_KNOWN;
    return swp_flow_registers_branch_doubts(registers, insn) & SWP_VARIES ? SWP_BRANCH_DIVERGENT
                                                                          : SWP_BRANCH_UNIFORM;
}

int swp_flow_registers_only_way(const swp_values *values, const swp_registers *registers,
                                const swp_insn *insn)
{
    bool taken[SWP_MOST_WAVES] = {false};
    bool uniform = false;
    return find_taken(values, registers, insn, taken, &uniform) && uniform ? taken[0] : -1;
}

unsigned swp_flow_registers_branch_doubts(const swp_registers *registers, const swp_insn *insn)
{
    const int first = conditions[insn->value];
    return registers->varying[first] | (first == SWP_REG_SCC ? 0U : registers->varying[first + 1]);
}
