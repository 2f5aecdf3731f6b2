/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trace partitioning by the values of registers that LDS addresses and branches are computed from, found with a
 * constant propagation that leaves out branches whose condition is known. L. Mauborgne and X. Rival, "Trace
 * Partitioning in Abstract Interpretation Based Static Analyzers"; M. N. Wegman and F. K. Zadeck, "Constant
 * Propagation with Conditional Branches".
 *
 * A register that has too many values at a block, as counters of passes do, tells no contexts apart there; but its lowest
 * bits do where something is computed from those alone, as slots are from the number of the pass: congruences. P. Granger,
 * "Static Analysis of Arithmetical Congruences".
 * Nor does one that was written on divergent paths where those join: waves that took different ones are
 * in one context again.
 */
#include "audit/flow/contexts.h"

#include "audit/flow/demand.h"
#include "audit/flow/divergence.h"
#include "audit/flow/value_ops.h"
#include "base/budget.h"

#include <string.h>

/* Values of a register at a block; and how often all is begun anew with fewer registers. */
enum { MOST_VALUES = 32, MOST_ROUNDS = 256, STEPS_OF_AN_INSN = 64 };

typedef struct context_finder {
    swp_context *ctx;
    const swp_flow *flow;
    swp_values values;
    swp_divergence divergence;
    swp_register_set *keys; /* by block: the registers that tell contexts apart */
    swp_register_set *low;  /* by block: those whose lowest bits alone do */
    uint32_t masks
        [SWP_REG_COUNT];    /* by register: lowest bits that something is computed from; 0: none */
    swp_registers **points; /* by block and context: at its start; NULL: there was none so far */
    bool *worklist;
    bool again; /* less is told apart than was thought */
    swp_contexts *out;
} context_finder;

static size_t index_of(int block, int context)
{
    return (size_t)block * SWP_MOST_CONTEXTS + (size_t)context;
}

int swp_flow_contexts_next(const swp_contexts *contexts, int block, int context, int side)
{
    return contexts->next[index_of(block, context)][side];
}

/* --- keys --- */

static bool is_key(const context_finder *f, int block, int number)
{
    const bool *divergent = f->divergence.written[block];
    return (swp_flow_register_set_has(&f->keys[block], number) ||
            swp_flow_register_set_has(&f->low[block], number)) &&
           !(divergent && divergent[number]);
}

/* What tells contexts apart: its value, or the lowest bits that all threads share; -1: those are not known. */
static int key_of(const context_finder *f, int block, int number, int value)
{
    const uint32_t mask = f->masks[number];
    const swp_bits first = swp_flow_values_bits(&f->values, value, 0);
    if (swp_flow_register_set_has(&f->keys[block], number))
        return value;
    for (int t = 0; t < f->values.threads; t++) {
        const swp_bits bits = swp_flow_values_bits(&f->values, value, t);
        if ((bits.unknown | (bits.word ^ first.word)) & mask)
            return -1;
    }
    return (int)(first.word & mask);
}

static bool same_key(const context_finder *f, int block, const swp_registers *a,
                     const swp_registers *b)
{
    for (int r = 0; r < SWP_REG_COUNT; r++)
        if (a->values[r] != b->values[r] && is_key(f, block, r) &&
            key_of(f, block, r, a->values[r]) != key_of(f, block, r, b->values[r]))
            return false;
    return true;
}

/* Registers of which an instruction takes a few of the lowest bits. */
static void find_masks(context_finder *f)
{
    enum { LARGEST_MASK = 7 };
    const swp_function *function = f->flow->function;
    for (int i = function->first; i < function->end; i++) {
        const swp_insn *insn = &f->flow->code->insns.items[i];
        for (int o = 1; o < insn->operand_count && insn->value == SWP_VALUE_AND; o++) {
            const swp_operand *masked = &insn->operands[o];
            const swp_operand *mask = &insn->operands[3 - o];
            if (o < 3 && masked->kind == SWP_OPERAND_REGISTERS && masked->count == 1 &&
                mask->kind == SWP_OPERAND_NUMBER && mask->number <= LARGEST_MASK &&
                (mask->number & (mask->number + 1)) == 0)
                f->masks[masked->first] |= mask->number;
        }
    }
}

/* How many values a register has in the contexts of a block, as contexts of another one are told apart. */
static int values_of(const context_finder *f, int by, int block, int number)
{
    int distinct = 0;
    for (int c = 0; c < f->out->counts[block]; c++) {
        bool seen = false;
        for (int other = 0; other < c && !seen; other++)
            seen = key_of(f, by, number, f->points[index_of(block, other)]->values[number]) ==
                   key_of(f, by, number, f->points[index_of(block, c)]->values[number]);
        distinct += !seen;
    }
    return distinct;
}

/* Of the registers that tell contexts of a block apart, the one with the most values at `where`; -1: none has two. */
static int richest(const context_finder *f, int block, int where, int *most)
{
    int worst = -1;
    *most = 1;
    for (int r = 0; r < SWP_REG_COUNT; r++) {
        const int count = is_key(f, block, r) ? values_of(f, block, where, r) : 0;
        worst = count > *most ? r : worst;
        *most = count > *most ? count : *most;
    }
    return worst;
}

static int outermost_header(const swp_flow *flow, int block)
{
    int loop = flow->blocks[block].loop;
    while (loop >= 0 && flow->loops[loop].outer >= 0)
        loop = flow->loops[loop].outer;
    return loop < 0 ? block : flow->loops[loop].header;
}

static void set_key(swp_register_set *set, int number, bool is)
{
    const uint64_t bit = 1ULL << number % SWP_REGISTER_WORD;
    uint64_t *word = &set->words[number / SWP_REGISTER_WORD];
    *word = is ? *word | bit : *word & ~bit;
}

/*
 * Where there are too many contexts, or values of one register, the register with the most goes. A loop within another
 * keeps its own counter: what has other values each time that the outer loop begins anew goes before it.
 */
static void limit_contexts(context_finder *f, int block)
{
    int most = 1;
    int outer = 1;
    int worst = richest(f, block, block, &most);
    if (worst < 0 || (most <= MOST_VALUES && f->out->counts[block] < SWP_MOST_CONTEXTS))
        return;
    if (most <= MOST_VALUES) {
        const int of_outer = richest(f, block, outermost_header(f->flow, block), &outer);
        worst = outer > 2 ? of_outer : worst;
    }
    set_key(&f->low[block], worst,
            f->masks[worst] && swp_flow_register_set_has(&f->keys[block], worst));
    set_key(&f->keys[block], worst, false);
    f->again = true;
}

/* --- propagation --- */

/* The context of a state, which may be a new one. */
static swp_status enter(context_finder *f, int block, const swp_registers *state, int *out)
{
    int *count = &f->out->counts[block];
    int at = 0;
    while (at < *count && !same_key(f, block, f->points[index_of(block, at)], state))
        at++;
    swp_registers **point = &f->points[index_of(block, at)];
    if (!*point)
        SWP_TRY(SWP_TAKE(f->ctx, 1, point));
    swp_registers *into = *point;
    bool changed = at == *count;
    if (changed)
        *into = *state;
    else
        changed = swp_flow_registers_join(&f->values, into, state);
    changed |= swp_flow_divergence_apply(&f->divergence, &f->values, block, into);
    f->worklist[index_of(block, at)] |= changed;
    if (at == *count) {
        (*count)++;
        limit_contexts(f, block);
    }
    *out = at;
    return SWP_OK;
}

static swp_status note_divergence(context_finder *f, int block, const swp_registers *end)
{
    const swp_block *b = &f->flow->blocks[block];
    bool taken[SWP_MOST_WAVES];
    bool new = false;
    if (b->successor_count < 2 ||
        swp_flow_registers_branch(&f->values, end, &f->flow->code->insns.items[b->end - 1],
                                  taken) == SWP_BRANCH_UNIFORM)
        return SWP_OK;
    SWP_TRY(swp_flow_divergence_add(f->ctx, f->flow, block, &f->divergence, &new));
    f->again |= new;
    return SWP_OK;
}

static swp_status transfer_block(context_finder *f, int block, int context)
{
    const swp_block *b = &f->flow->blocks[block];
    swp_registers state = *f->points[index_of(block, context)];
    int *next = f->out->next[index_of(block, context)];
    int only = -1;
    for (int i = b->first; i < b->end; i++) {
        SWP_TRY(swp_keep_on(f->ctx, STEPS_OF_AN_INSN));
        swp_flow_registers_transfer(&f->values, &state, &f->flow->code->insns.items[i], -1);
    }
    SWP_TRY(note_divergence(f, block, &state));
    if (b->successor_count == 2)
        only = swp_flow_registers_only_way(&f->values, &state,
                                           &f->flow->code->insns.items[b->end - 1]);
    for (int s = 0; s < b->successor_count && !f->again; s++)
        if (only < 0 || s == only)
            SWP_TRY(enter(f, b->successors[s], &state, &next[s]));
    return f->values.status;
}

static void forget_contexts(context_finder *f)
{
    const size_t points = (size_t)f->flow->block_count * SWP_MOST_CONTEXTS;
    memset(f->out->counts, 0, (size_t)f->flow->block_count * sizeof *f->out->counts);
    memset(f->worklist, 0, points * sizeof *f->worklist);
    for (size_t i = 0; i < points; i++)
        f->out->next[i][0] = f->out->next[i][1] = SWP_NOT_TAKEN;
    f->again = false;
}

/* To a fixpoint, or up to where less must be told apart. */
static swp_status propagate(context_finder *f)
{
    bool changed = true;
    forget_contexts(f);
    if (!f->points[0])
        SWP_TRY(SWP_TAKE(f->ctx, 1, &f->points[0]));
    swp_flow_registers_start(&f->values, f->flow->function, f->points[0]);
    f->out->counts[0] = 1;
    f->worklist[0] = true;
    while (changed && !f->again) {
        changed = false;
        for (int i = 0; i < f->flow->reached_count; i++)
            for (int c = 0; c < f->out->counts[f->flow->rpo[i]] && !f->again; c++) {
                bool *waiting = &f->worklist[index_of(f->flow->rpo[i], c)];
                if (!*waiting)
                    continue;
                *waiting = false;
                changed = true;
                SWP_TRY(transfer_block(f, f->flow->rpo[i], c));
            }
    }
    return SWP_OK;
}

/* --- results --- */

static swp_status take_tables(swp_context *ctx, const swp_flow *flow, swp_contexts *out)
{
    const size_t blocks = (size_t)flow->block_count;
    *out = (swp_contexts){0};
    SWP_TRY(SWP_TAKE(ctx, blocks, &out->counts));
    return SWP_TAKE(ctx, blocks * SWP_MOST_CONTEXTS, &out->next);
}

static void count_contexts(const swp_flow *flow, swp_contexts *out)
{
    for (int b = 0; b < flow->block_count; b++) {
        out->most = out->counts[b] > out->most ? out->counts[b] : out->most;
        out->total += out->counts[b];
    }
}

swp_status swp_flow_contexts_plain(swp_context *ctx, const swp_flow *flow, swp_contexts *out)
{
    SWP_TRY(take_tables(ctx, flow, out));
    for (int b = 0; b < flow->block_count; b++)
        out->counts[b] = flow->blocks[b].reached;
    count_contexts(flow, out);
    return SWP_OK;
}

swp_status swp_flow_contexts_find(swp_context *ctx, const swp_flow *flow, bool reads_differ,
                                  swp_contexts *out)
{
    context_finder f = {.ctx = ctx, .flow = flow, .out = out, .again = true};
    const size_t points = (size_t)flow->block_count * SWP_MOST_CONTEXTS;
    SWP_TRY(take_tables(ctx, flow, out));
    SWP_TRY(swp_flow_values_init(ctx, swp_flow_function_waves(flow->function), &f.values));
    f.values.present = flow->function->workgroup;
    f.values.reads_differ = reads_differ;
    SWP_TRY(swp_flow_divergence_init(ctx, flow, &f.divergence));
    SWP_TRY(swp_flow_demand_find(ctx, flow, &f.keys));
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->block_count, &f.low));
    find_masks(&f);
    SWP_TRY(SWP_TAKE(ctx, points, &f.points)); // NOLINT(bugprone-sizeof-expression): pointers
    SWP_TRY(SWP_TAKE(ctx, points, &f.worklist));
    for (int round = 0; f.again && round < MOST_ROUNDS; round++)
        SWP_TRY(propagate(&f));
    if (f.again)
        return swp_flow_contexts_plain(ctx, flow, out);
    out->divergent = f.divergence.divergent;
    count_contexts(flow, out);
    return SWP_OK;
}
