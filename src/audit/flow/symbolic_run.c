/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbolic execution along one path, with numbers where arguments are: waves that go the same way are followed together, and
 * apart from where they part. Of accesses to LDS it keeps between which barriers they were issued and retired: two of
 * different waves are ordered if the one is retired before a barrier that the other is issued behind. A branch that nobody
 * knows goes one way in the whole run, and ends it where another branch is computed from the same. J. C. King, "Symbolic
 * Execution and Program Testing".
 */
#include "audit/flow/symbolic_run.h"

#include "audit/flow/eval.h"
#include "audit/flow/symbolic_ops.h"
#include "audit/flow/symbolic_state.h"
#include "audit/flow/value_ops.h"
#include "base/budget.h"

enum { STEPS_OF_AN_INSN = 64 };

/* --- registers --- */

/* Where the arguments are, or what the dispatcher left besides. */
static bool is_of_arguments(const swp_symbolic_state *t, const swp_registers *registers,
                            const swp_operand *base)
{
    if (base->kind != SWP_OPERAND_REGISTERS || base->count != 2)
        return false;
    const int event = t->values.items[registers->values[base->first]].event;
    return event == SWP_EVENT_CONSTANTS || event == SWP_EVENT_PRESUMED;
}

/* A word of memory that arguments point to, where all have one or where each is more than the one before. */
static int memory_word(swp_symbolic_state *t, const swp_registers *before, const swp_insn *insn,
                       int part)
{
    const swp_operand *base = &insn->operands[insn->destinations];
    const swp_operand *offset = base + 1;
    const uint32_t words = 16;
    if (!t->input->rising)
        return swp_flow_values_uniform(&t->values, t->input->loaded);
    if (insn->kind != SWP_INSN_SCALAR_LOAD || base->kind != SWP_OPERAND_REGISTERS ||
        base->count != 2 || offset->kind != SWP_OPERAND_NUMBER)
        return SWP_VALUE_NONE;
    const uint32_t *low = swp_flow_registers_words(&t->values, before, base->first);
    if (!low || !swp_flow_values_is_uniform(&t->values, low))
        return SWP_VALUE_NONE;
    const uint32_t at = (low[0] + offset->number) / (uint32_t)sizeof at + (uint32_t)part;
    return swp_flow_values_uniform(&t->values, t->input->loaded * (at % words));
}

/* Words of arguments by their offset, and of other memory. */
static void load(swp_symbolic_state *t, swp_symbolic_group *g, const swp_registers *before,
                 const swp_insn *insn)
{
    const swp_operand *base = &insn->operands[insn->destinations];
    const swp_operand *offset = base + 1;
    const swp_operand *to = &insn->operands[0];
    const bool scalar = insn->kind == SWP_INSN_SCALAR_LOAD;
    const bool of_arguments = scalar && is_of_arguments(t, before, base);
    const bool whole = scalar || swp_code_slice_starts(insn->text, "global_load_dword") ||
                       swp_code_slice_starts(insn->text, "buffer_load_dword");
    if (insn->destinations != 1 || !whole || insn->spilled.count || insn->keeps_part)
        return;
    if (scalar && (insn->operand_count < insn->destinations + 2))
        return;
    if (of_arguments && offset->kind != SWP_OPERAND_NUMBER)
        return;
    for (int i = 0; i < to->count; i++) {
        const uint32_t size = sizeof(uint32_t);
        const uint32_t word = of_arguments ? offset->number / size + (uint32_t)i : 0;
        g->registers.values[to->first + i] =
            of_arguments ? swp_flow_values_uniform(&t->values,
                                                   t->input->arguments[word % SWP_SYMBOLIC_WORDS])
                         : memory_word(t, before, insn, i);
    }
}

static void forget(swp_registers *registers, const swp_insn *insn)
{
    for (int d = 0; d < insn->destinations; d++)
        for (int r = insn->operands[d].first; r < insn->operands[d].first + insn->operands[d].count;
             r++)
            registers->values[r] = SWP_VALUE_NONE;
    if (insn->kind == SWP_INSN_SCALAR && !insn->keeps_scc)
        registers->values[SWP_REG_SCC] = SWP_VALUE_NONE;
}

static void compute(swp_symbolic_state *t, swp_symbolic_group *g, const swp_insn *insn)
{
    if (!swp_flow_is_demanded(t->watch->demanded, insn)) {
        forget(&g->registers, insn);
        return;
    }
    const swp_registers before = g->registers;
    swp_flow_registers_transfer(&t->values, &g->registers, insn, -1);
    swp_flow_symbolic_compute_more(&t->values, &g->registers, &before, insn);
    if (insn->kind == SWP_INSN_SCALAR_LOAD || insn->kind == SWP_INSN_LOAD)
        load(t, g, &before, insn);
}

/* --- a run --- */

/* 1: this wave branches; 0: it does not; -1: nobody knows. */
static int way_of_wave(const swp_symbolic_state *t, const swp_registers *registers,
                       const swp_insn *insn, int wave)
{
    const int first = swp_flow_branch_register(insn);
    const int op = insn->value;
    const bool on_zero =
        op == SWP_VALUE_IF_SCC_0 || op == SWP_VALUE_IF_VCC_0 || op == SWP_VALUE_IF_EXEC_0;
    uint32_t known = 0;
    uint32_t unknown = 0;
    for (int half = 0; half < (first == SWP_REG_SCC ? 1 : 2); half++) {
        const swp_bits bits =
            swp_flow_values_bits(&t->values, registers->values[first + half], wave * SWP_WAVE);
        known |= bits.word;
        unknown |= bits.unknown;
    }
    if (known)
        return !on_zero;
    return unknown ? -1 : on_zero;
}

static bool is_related_to_guess(const swp_symbolic_state *t, int block)
{
    for (int b = 0; b < t->flow->block_count; b++)
        if (b != block && t->passed[b] && (t->guessed[b] || t->guessed[block]) &&
            (t->watch->origins[b] & t->watch->origins[block]))
            return true;
    return false;
}

/* One way for each branch in the whole run. */
static int guess(const swp_symbolic_state *t, int block)
{
    const uint64_t mixed = (t->input->guesses + (uint64_t)block) * 0x9e3779b97f4a7c15ULL;
    return (int)(mixed >> 40U & 1U);
}

/* Which of the group's waves branch; false: the run is none that is sure from here. */
static bool find_ways(swp_symbolic_state *t, const swp_symbolic_group *g, int block,
                      swp_wave_set *taken)
{
    const swp_insn *insn = swp_flow_symbolic_insn(t, g->at);
    *taken = 0;
    for (int w = 0; w < t->values.threads / SWP_WAVE; w++) {
        if (!(g->waves >> w & 1U))
            continue;
        int way = way_of_wave(t, &g->registers, insn, w);
        if (way < 0) {
            t->guessed[block] = true;
            way = guess(t, block);
        }
        *taken |= way ? 1U << w : 0;
    }
    t->passed[block] = true;
    return !is_related_to_guess(t, block);
}

static swp_status part(swp_symbolic_state *t, const swp_symbolic_group *g, swp_wave_set waves,
                       int at)
{
    swp_symbolic_group *other = NULL;
    SWP_TRY(SWP_TAKE(t->ctx, 1, &other));
    *other = *g;
    other->waves = waves;
    other->at = at;
    /* What they have in flight is theirs alone from here. */
    for (int i = 0; i < other->flight_count; i++) {
        swp_symbolic_flight *f = &other->flights[i];
        if (f->traced < 0 || t->trace_count == SWP_MOST_TRACED) {
            f->traced = -1;
            continue;
        }
        t->traces[t->trace_count] = t->traces[f->traced];
        t->traces[t->trace_count].waves = waves;
        t->traces[f->traced].waves &= ~waves;
        f->traced = t->trace_count++;
    }
    t->groups[t->group_count++] = other;
    return SWP_OK;
}

/* Goes on to the next instruction; false: here it ends. */
static swp_status step(swp_symbolic_state *t, swp_symbolic_group *g, bool *goes_on)
{
    const int block = swp_flow_block_of(t->flow, g->at);
    const swp_block *b = &t->flow->blocks[block];
    const int index = g->at;
    const swp_insn *insn = swp_flow_symbolic_insn(t, index);
    swp_wave_set taken = 0;
    *goes_on = true;
    swp_flow_symbolic_use(t, g, index);
    if (insn->kind == SWP_INSN_BARRIER) {
        g->barriers++;
    } else if (insn->kind == SWP_INSN_WAIT) {
        for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
            if (insn->waits[c] != SWP_NO_WAIT && insn->waits[c] < t->flow->code->counter_max[c])
                swp_flow_symbolic_retire(t, g, c, insn->waits[c]);
    } else if (swp_code_insn_traits_of(insn->kind)->counted[SWP_AUDIT_VM] ||
               swp_code_insn_traits_of(insn->kind)->counted[SWP_AUDIT_LGKM]) {
        int as = -1;
        SWP_TRY(swp_flow_symbolic_trace(t, g, index, &as));
        *goes_on = swp_flow_symbolic_issue(t, g, index, as);
    }
    if (index + 1 < b->end) {
        compute(t, g, insn);
        g->at++;
        return t->values.status;
    }
    if (b->successor_count == 2 && insn->kind == SWP_INSN_BRANCH) {
        *goes_on = find_ways(t, g, block, &taken);
        if (*goes_on && taken && taken != g->waves) {
            SWP_TRY(part(t, g, taken, t->flow->blocks[b->successors[1]].first));
            g->waves &= ~taken;
            taken = 0;
        }
    } else {
        compute(t, g, insn);
    }
    *goes_on &= b->successor_count > 0;
    if (b->successor_count)
        g->at = t->flow->blocks[b->successors[b->successor_count == 2 && taken ? 1 : 0]].first;
    return t->values.status;
}

static swp_status run_group(swp_symbolic_state *t, swp_symbolic_group *g)
{
    bool goes_on = true;
    int steps = 0;
    t->trace_end = t->trace_count + (SWP_MOST_TRACED - t->trace_count) / 2;
    while (goes_on && steps++ < t->watch->steps) {
        SWP_TRY(swp_keep_on(t->ctx, STEPS_OF_AN_INSN));
        SWP_TRY(step(t, g, &goes_on));
        t->spent++;
        g->position++;
    }
    /* A wave that ends waits for what it has in flight, and one that is cut off might have. */
    swp_flow_symbolic_retire(t, g, SWP_AUDIT_VM, 0);
    swp_flow_symbolic_retire(t, g, SWP_AUDIT_LGKM, 0);
    return SWP_OK;
}

static swp_status begin(swp_symbolic_state *t)
{
    const swp_function *function = t->flow->function;
    swp_symbolic_group *g = NULL;
    SWP_TRY(SWP_TAKE(t->ctx, (size_t)t->flow->block_count, &t->passed));
    SWP_TRY(SWP_TAKE(t->ctx, (size_t)t->flow->block_count, &t->guessed));
    SWP_TRY(SWP_TAKE(t->ctx, SWP_MOST_TRACED, &t->traces));
    SWP_TRY(swp_flow_values_init(t->ctx, swp_flow_function_waves(function), &t->values));
    t->values.present = function->workgroup;
    SWP_TRY(SWP_TAKE(t->ctx, 1, &g));
    g->at = t->flow->blocks[0].first;
    g->waves = (swp_wave_set)((1ULL << t->values.threads / SWP_WAVE) - 1);
    swp_flow_registers_start(&t->values, function, &g->registers);
    for (int r = 0; r < SWP_START_COUNT; r++)
        if (function->start[r] == SWP_START_UNIFORM)
            g->registers.values[r] = swp_flow_values_uniform(&t->values, t->input->dispatched[r]);
    t->groups[t->group_count++] = g;
    return SWP_OK;
}

swp_status swp_flow_symbolic_execute(swp_context *ctx, const swp_symbolic_watch *watch,
                                     const swp_symbolic_input *input, int *spent)
{
    swp_symbolic_state t = {
        .ctx = ctx, .watch = watch, .input = input, .flow = watch->fixpoint->flow};
    SWP_TRY(begin(&t));
    for (int i = 0; i < t.group_count; i++)
        SWP_TRY(run_group(&t, t.groups[i]));
    swp_flow_symbolic_compare_waves(&t);
    *spent += t.spent;
    return SWP_OK;
}
