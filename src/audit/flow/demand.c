/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strongly live variables, backwards to a fixpoint: a register is demanded where an LDS access or a branch
 * needs it, or an instruction whose own result is demanded. F. Nielson, H. R. Nielson and C. Hankin,
 * "Principles of Program Analysis", exercise 2.4. Loaded values are not followed, nor what they are
 * loaded from.
 */
#include "audit/flow/demand.h"

#include "audit/flow/registers.h"

#include <string.h>

enum { WORDS = (SWP_REG_COUNT + SWP_REGISTER_WORD - 1) / SWP_REGISTER_WORD };

bool swp_flow_register_set_has(const swp_register_set *set, int number)
{
    return set->words[number / SWP_REGISTER_WORD] >> number % SWP_REGISTER_WORD & 1U;
}

static void add(swp_register_set *set, int number)
{
    set->words[number / SWP_REGISTER_WORD] |= 1ULL << number % SWP_REGISTER_WORD;
}

static void drop(swp_register_set *set, int number)
{
    set->words[number / SWP_REGISTER_WORD] &= ~(1ULL << number % SWP_REGISTER_WORD);
}

static void add_operand(swp_register_set *set, const swp_operand *operand)
{
    for (int r = operand->first;
         operand->kind == SWP_OPERAND_REGISTERS && r < operand->first + operand->count; r++)
        add(set, r);
}

/* Takes what the instruction writes out of the set; returns whether some of it was in. */
static bool take_results(swp_register_set *set, const swp_insn *insn)
{
    bool demanded = false;
    for (int i = 0; i < insn->destinations; i++) {
        const swp_operand *to = &insn->operands[i];
        for (int r = to->first; r < to->first + to->count; r++) {
            demanded |= swp_flow_register_set_has(set, r);
            drop(set, r);
        }
    }
    if (insn->kind == SWP_INSN_SCALAR && !insn->keeps_scc) {
        demanded |= swp_flow_register_set_has(set, SWP_REG_SCC);
        drop(set, SWP_REG_SCC);
    }
    return demanded || insn->writes_exec;
}

static void add_sources(swp_register_set *set, const swp_insn *insn)
{
    for (int i = insn->reads_destination ? 0 : insn->destinations; i < insn->operand_count; i++)
        add_operand(set, &insn->operands[i]);
    add_operand(set, &insn->implied);
    if (insn->reads_scc)
        add(set, SWP_REG_SCC);
}

static void add_condition(swp_register_set *set, const swp_insn *insn)
{
    const int first = swp_flow_branch_register(insn);
    add(set, first);
    if (first != SWP_REG_SCC)
        add(set, first + 1);
}

static void transfer(swp_register_set *set, const swp_insn *insn)
{
    const bool computes = insn->kind == SWP_INSN_SCALAR || insn->kind == SWP_INSN_VECTOR;
    if (take_results(set, insn) && computes)
        add_sources(set, insn);
    if (insn->kind == SWP_INSN_BRANCH)
        add_condition(set, insn);
    if (insn->lds.parts && insn->lds.address >= 0)
        add(set, insn->lds.address);
    /* Which lanes write it is up to exec everywhere. */
    add(set, SWP_REG_EXEC);
    add(set, SWP_REG_EXEC + 1);
}

static bool find_block(const swp_flow *flow, int block, swp_register_set *sets)
{
    const swp_block *b = &flow->blocks[block];
    swp_register_set set = {{0}};
    bool changed = false;
    for (int s = 0; s < b->successor_count; s++)
        for (int w = 0; w < WORDS; w++)
            set.words[w] |= sets[b->successors[s]].words[w];
    for (int i = b->end - 1; i >= b->first; i--)
        transfer(&set, &flow->code->insns.items[i]);
    for (int w = 0; w < WORDS; w++)
        changed |= set.words[w] != sets[block].words[w];
    sets[block] = set;
    return changed;
}

swp_status swp_flow_demand_find(swp_context *ctx, const swp_flow *flow, swp_register_set **out)
{
    bool changed = true;
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->block_count, out));
    while (changed) {
        changed = false;
        for (int i = flow->reached_count - 1; i >= 0; i--)
            changed |= find_block(flow, flow->rpo[i], *out);
    }
    return SWP_OK;
}

bool swp_flow_is_demanded(const swp_register_set *set, const swp_insn *insn)
{
    const swp_operand spilled = swp_code_spilled_by(insn);
    bool is = insn->writes_exec || (insn->kind == SWP_INSN_SCALAR && !insn->keeps_scc &&
                                    swp_flow_register_set_has(set, SWP_REG_SCC));
    for (int d = 0; d < insn->destinations && !is; d++)
        for (int r = 0; r < insn->operands[d].count && !is; r++)
            is = swp_flow_register_set_has(set, insn->operands[d].first + r);
    for (int r = 0; r < spilled.count && !is; r++)
        is = swp_flow_register_set_has(set, spilled.first + r);
    return is;
}

void swp_flow_demand_anywhere(const swp_flow *flow, swp_register_set *out)
{
    swp_register_set before;
    add(out, SWP_REG_EXEC);
    add(out, SWP_REG_EXEC + 1);
    do {
        before = *out;
        for (int i = flow->function->end - 1; i >= flow->function->first; i--) {
            const swp_insn *insn = &flow->code->insns.items[i];
            if (insn->kind == SWP_INSN_BRANCH)
                add_condition(out, insn);
            if (insn->lds.parts && insn->lds.address >= 0)
                add(out, insn->lds.address);
            if (!swp_flow_is_demanded(out, insn))
                continue;
            add_sources(out, insn);
            add_operand(out, &insn->spilled);
        }
    } while (memcmp(&before, out, sizeof before) != 0);
}
