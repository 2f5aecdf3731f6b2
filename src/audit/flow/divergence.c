/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divergence analysis: where waves that took different paths of a branch reconverge, scalars that
 * either path writes may differ between them. B. Coutinho, D. Sampaio, F. M. Q. Pereira and W. Meira,
 * "Divergence Analysis and Optimizations".
 */
#include "audit/flow/divergence.h"

swp_status swp_flow_divergence_init(swp_context *ctx, const swp_flow *flow, swp_divergence *out)
{
    const size_t count = (size_t)flow->block_count;
    *out = (swp_divergence){0};
    SWP_TRY(SWP_TAKE(ctx, count, &out->written));
    return SWP_TAKE(ctx, count, &out->divergent);
}

/* Registers that an instruction writes, by name or besides. */
static void add_written(const swp_insn *insn, bool written[SWP_REG_COUNT])
{
    for (int i = 0; i < SWP_REG_COUNT && insn->kind == SWP_INSN_UNKNOWN; i++)
        written[i] = true;
    for (int i = 0; i < insn->destinations; i++) {
        const swp_operand *to = &insn->operands[i];
        for (int r = to->first; r < to->first + to->count; r++)
            written[r] = true;
    }
    const swp_operand spilled = swp_code_spilled_by(insn);
    for (int r = spilled.first; r < spilled.first + spilled.count; r++)
        written[r] = true;
    written[SWP_REG_SCC] |= insn->kind == SWP_INSN_SCALAR;
    written[SWP_REG_EXEC] |= insn->writes_exec;
    written[SWP_REG_EXEC + 1] |= insn->writes_exec;
}

static int predecessor_count(const swp_flow *flow, int block)
{
    int count = 0;
    for (int b = 0; b < flow->block_count; b++)
        for (int s = 0; s < flow->blocks[b].successor_count; s++)
            count += flow->blocks[b].reached && flow->blocks[b].successors[s] == block;
    return count;
}

static swp_status add_join(swp_context *ctx, swp_divergence *out, int block,
                           const bool written[SWP_REG_COUNT])
{
    if (!out->written[block])
        SWP_TRY(SWP_TAKE(ctx, SWP_REG_COUNT, &out->written[block]));
    for (int i = 0; i < SWP_REG_COUNT; i++)
        out->written[block][i] |= written[i];
    return SWP_OK;
}

swp_status swp_flow_divergence_add(swp_context *ctx, const swp_flow *flow, int block,
                                   swp_divergence *out, bool *new)
{
    const swp_block *from = &flow->blocks[block];
    bool written[SWP_REG_COUNT] = {false};
    bool *on[2] = {NULL, NULL};
    *new = !out->divergent[block];
    if (out->divergent[block])
        return SWP_OK;
    out->divergent[block] = true;
    for (int s = 0; s < 2; s++) {
        SWP_TRY(SWP_TAKE(ctx, (size_t)flow->block_count, &on[s]));
        swp_flow_mark_influence_region(flow, block, s, on[s]);
    }
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first; (on[0][b] || on[1][b]) && i < flow->blocks[b].end; i++)
            add_written(&flow->code->insns.items[i], written);
    for (int b = 0; b < flow->block_count; b++)
        if (b == from->post_dominator || (on[0][b] && on[1][b] && predecessor_count(flow, b) > 1))
            SWP_TRY(add_join(ctx, out, b, written));
    return SWP_OK;
}

bool swp_flow_divergence_apply(const swp_divergence *divergence, const swp_values *values,
                               int block, swp_registers *registers)
{
    const bool *written = divergence->written[block];
    bool less = false;
    for (int i = 0; written && i < SWP_REG_COUNT; i++)
        if (written[i] && (registers->varying[i] & SWP_VARIES) != SWP_VARIES &&
            !swp_flow_registers_words(values, registers, i)) {
            registers->varying[i] |= SWP_VARIES;
            less = true;
        }
    for (int i = 0; written && i < SWP_SPILL_REGISTERS; i++)
        if (written[registers->spilled[i].number] && registers->spilled[i].number) {
            registers->spilled[i].number = 0;
            less = true;
        }
    return less;
}
