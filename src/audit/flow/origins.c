/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What registers were computed from, forwards to a fixpoint over blocks: words that were loaded, and what registers held when
 * the function began. Constants have no origin. Data dependence as in program slicing, without control dependence: M. Weiser,
 * "Program Slicing".
 */
#include "audit/flow/origins.h"

#include "audit/flow/registers.h"
#include "base/budget.h"

#include <string.h>

enum { STEPS_OF_AN_INSN = 64 };

typedef struct origins {
    swp_origin_set of[SWP_REG_COUNT];
} origins;

static swp_origin_set origin(uint32_t what, uint32_t part)
{
    const uint64_t mixed =
        ((uint64_t)what * 0x9e3779b97f4a7c15ULL) ^ ((uint64_t)part * 0xbf58476d1ce4e5b9ULL);
    const unsigned bits = 6;
    return 1ULL << ((mixed ^ mixed >> 29U) * 0x94d049bb133111ebULL >> (64 - bits));
}

static swp_origin_set of_operand(const origins *at, const swp_operand *operand)
{
    swp_origin_set set = 0;
    for (int r = operand->first;
         operand->kind == SWP_OPERAND_REGISTERS && r < operand->first + operand->count; r++)
        set |= at->of[r];
    return set;
}

static swp_origin_set of_sources(const origins *at, const swp_insn *insn)
{
    swp_origin_set set = of_operand(at, &insn->implied);
    for (int i = insn->reads_destination ? 0 : insn->destinations; i < insn->operand_count; i++)
        set |= of_operand(at, &insn->operands[i]);
    if (insn->reads_scc)
        set |= at->of[SWP_REG_SCC];
    if (insn->writes_exec || insn->by_lane)
        set |= at->of[SWP_REG_EXEC] | at->of[SWP_REG_EXEC + 1];
    return set;
}

/* A word of memory at a base and a known offset is one, however often it is loaded. */
static swp_origin_set of_loaded_word(const swp_insn *insn, int index, int part)
{
    const swp_operand *base = &insn->operands[insn->destinations];
    const swp_operand *offset = base + 1;
    const bool known = insn->kind == SWP_INSN_SCALAR_LOAD &&
                       insn->operand_count == insn->destinations + 2 &&
                       base->kind == SWP_OPERAND_REGISTERS && offset->kind == SWP_OPERAND_NUMBER;
    const uint32_t word = sizeof(uint32_t);
    if (known)
        return origin((uint32_t)base->first + 1, offset->number / word + (uint32_t)part);
    return origin(SWP_REG_COUNT + 1 + (uint32_t)index, (uint32_t)part);
}

static void set_operand(origins *at, const swp_operand *operand, swp_origin_set set)
{
    for (int r = operand->first;
         operand->kind == SWP_OPERAND_REGISTERS && r < operand->first + operand->count; r++)
        at->of[r] = set;
}

static void transfer(origins *at, const swp_insn *insn, int index)
{
    const bool computes = insn->kind == SWP_INSN_SCALAR || insn->kind == SWP_INSN_VECTOR ||
                          insn->kind == SWP_INSN_LDS_SHUFFLE;
    const swp_operand spilled = swp_code_spilled_by(insn);
    const swp_origin_set sources = of_sources(at, insn);
    if (insn->kind == SWP_INSN_LOAD && insn->spilled.count)
        set_operand(at, &insn->operands[0], of_operand(at, &insn->spilled));
    else if (computes)
        for (int i = 0; i < insn->destinations; i++)
            set_operand(at, &insn->operands[i], sources);
    else
        for (int i = 0; i < insn->destinations; i++)
            for (int part = 0; part < insn->operands[i].count; part++)
                at->of[insn->operands[i].first + part] = of_loaded_word(insn, index, part);
    set_operand(at, &spilled, sources);
    if (insn->kind == SWP_INSN_SCALAR && !insn->keeps_scc)
        at->of[SWP_REG_SCC] = sources;
    if (insn->writes_exec)
        at->of[SWP_REG_EXEC] = at->of[SWP_REG_EXEC + 1] = sources;
}

static bool join(origins *into, const origins *from)
{
    bool changed = false;
    for (int r = 0; r < SWP_REG_COUNT; r++) {
        changed |= (from->of[r] & ~into->of[r]) != 0;
        into->of[r] |= from->of[r];
    }
    return changed;
}

static swp_origin_set of_condition(const origins *at, const swp_insn *branch)
{
    const int first = swp_flow_branch_register(branch);
    return at->of[first] | (first == SWP_REG_SCC ? 0 : at->of[first + 1]);
}

static swp_status pass_block(swp_context *ctx, const swp_flow *flow, int block, origins *starts,
                             bool *waiting, swp_origin_set *out)
{
    const swp_block *b = &flow->blocks[block];
    origins at = starts[block];
    for (int i = b->first; i < b->end; i++) {
        SWP_TRY(swp_keep_on(ctx, STEPS_OF_AN_INSN));
        transfer(&at, &flow->code->insns.items[i], i);
    }
    if (b->successor_count == 2)
        out[block] = of_condition(&at, &flow->code->insns.items[b->end - 1]);
    for (int s = 0; s < b->successor_count; s++)
        waiting[b->successors[s]] |= join(&starts[b->successors[s]], &at);
    return SWP_OK;
}

swp_status swp_flow_find_origins(swp_context *ctx, const swp_flow *flow, swp_origin_set **out)
{
    const size_t blocks = (size_t)flow->block_count;
    origins *starts = NULL;
    bool *waiting = NULL;
    bool changed = true;
    SWP_TRY(SWP_TAKE(ctx, blocks, out));
    SWP_TRY(SWP_TAKE(ctx, blocks, &starts));
    SWP_TRY(SWP_TAKE(ctx, blocks, &waiting));
    for (int r = 0; r < SWP_REG_COUNT; r++)
        starts[0].of[r] = r == SWP_REG_EXEC || r == SWP_REG_EXEC + 1 ? 0 : origin(0, (uint32_t)r);
    memset(waiting, true, blocks);
    while (changed) {
        changed = false;
        for (int i = 0; i < flow->reached_count; i++) {
            const int block = flow->rpo[i];
            if (!waiting[block])
                continue;
            waiting[block] = false;
            changed = true;
            SWP_TRY(pass_block(ctx, flow, block, starts, waiting, *out));
        }
    }
    return SWP_OK;
}
