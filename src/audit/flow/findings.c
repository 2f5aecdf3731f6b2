/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of the report that AMD's and NVIDIA's code share: sites, notes and loops. */
#include "audit/flow/findings.h"

swp_status swp_flow_set_site(swp_context *ctx, const swp_insn *insn, swp_audit_site *out)
{
    *out = (swp_audit_site){0};
    if (!insn)
        return SWP_OK;
    out->line = insn->line;
    return swp_code_copy_printable(ctx, insn->text, &out->text);
}

swp_status swp_flow_add_note(swp_context *ctx, const swp_insn *insn, const char *why,
                             swp_audit_note_list *list)
{
    swp_audit_note note = {.why = why};
    SWP_TRY(swp_flow_set_site(ctx, insn, &note.at));
    return SWP_PUSH(ctx, list, note);
}

static void count_insn(const swp_insn *insn, swp_audit_loop *loop)
{
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    const bool loads = insn->kind == SWP_INSN_LOAD_TO_LDS || insn->kind == SWP_INSN_COPY_TO_LDS;
    loop->loads_to_lds += loads;
    loop->lds_reads += insn->kind == SWP_INSN_LDS_READ;
    loop->lds_writes += traits->writes_lds && !loads;
    loop->matrix += insn->kind == SWP_INSN_MATRIX;
    loop->waits += insn->kind == SWP_INSN_WAIT;
    loop->barriers += insn->kind == SWP_INSN_BARRIER;
    if (!loop->first_line || insn->line < loop->first_line)
        loop->first_line = insn->line;
    if (insn->line > loop->last_line)
        loop->last_line = insn->line;
}

swp_status swp_flow_add_loop(swp_context *ctx, const swp_flow *flow, int loop, int copies,
                             swp_audit_report *out)
{
    swp_audit_loop added = {.innermost = flow->loops[loop].innermost, .copies = copies};
    SWP_TRY(swp_code_copy_printable(ctx, flow->function->name, &added.function));
    for (int b = 0; b < flow->block_count; b++) {
        if (!flow->blocks[b].reached || !swp_flow_in_loop(flow, loop, b))
            continue;
        for (int i = flow->blocks[b].first; i < flow->blocks[b].end; i++)
            count_insn(&flow->code->insns.items[i], &added);
    }
    return SWP_PUSH(ctx, &out->loops, added);
}
