/* SPDX-License-Identifier: Apache-2.0 */
#include "swp/audit.h"

#include "audit/front_end.h"
#include "audit/judge.h"
#include "base/diag.h"

#include <string.h>

static const struct {
    const char *name;
    const char *meaning;
} answers[] = {
#define ROW(constant, number, name, meaning) {name, meaning},
    SWP_AUDIT_ANSWERS(ROW)
#undef ROW
};

const char *swp_audit_answer_name(swp_audit_answer answer)
{
    return answers[answer].name;
}

const char *swp_audit_answer_meaning(swp_audit_answer answer)
{
    return answers[answer].meaning;
}

static void count_insn(const swp_insn *insn, swp_audit_loop *loop)
{
    const swp_insn_traits *traits = swp_insn_traits_of(insn->kind);
    loop->loads_to_lds += insn->kind == SWP_INSN_LOAD_TO_LDS;
    loop->lds_reads += insn->kind == SWP_INSN_LDS_READ;
    loop->lds_writes += traits->writes_lds && insn->kind != SWP_INSN_LOAD_TO_LDS;
    loop->matrix += insn->kind == SWP_INSN_MATRIX;
    loop->waits += insn->kind == SWP_INSN_WAIT;
    loop->barriers += insn->kind == SWP_INSN_BARRIER;
}

static swp_status add_loop(swp_context *ctx, const swp_flow *flow, int index, int copies,
                           swp_audit_report *out)
{
    const swp_insn_list *insns = &flow->code->insns;
    swp_audit_loop loop = {.innermost = flow->loops[index].innermost, .copies = copies};
    SWP_TRY(swp_copy_printable(ctx, flow->function->name, &loop.function));
    for (int b = 0; b < flow->block_count; b++) {
        if (!flow->blocks[b].reached || !swp_flow_in_loop(flow, index, b))
            continue;
        for (int i = flow->blocks[b].first; i < flow->blocks[b].end; i++) {
            const int line = insns->items[i].line;
            count_insn(&insns->items[i], &loop);
            if (!loop.first_line || line < loop.first_line)
                loop.first_line = line;
            if (line > loop.last_line)
                loop.last_line = line;
        }
    }
    return SWP_PUSH(ctx, &out->loops, loop);
}

static swp_status add_stranger(swp_context *ctx, const swp_insn *insn, swp_audit_report *out)
{
    swp_audit_stranger stranger = {.at.line = insn->line, .why = insn->unknown};
    SWP_TRY(swp_copy_printable(ctx, insn->text, &stranger.at.text));
    return SWP_PUSH(ctx, &out->strangers, stranger);
}

static swp_status add_strangers(swp_context *ctx, const swp_flow *flow, swp_audit_report *out)
{
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first; flow->blocks[b].reached && i < flow->blocks[b].end;
             i++) {
            const swp_insn *insn = &flow->code->insns.items[i];
            out->instructions++;
            if (insn->unknown && !swp_slice_starts(insn->text, "s_setpc"))
                SWP_TRY(add_stranger(ctx, insn, out));
        }
    return SWP_OK;
}

static swp_status audit_function(swp_context *ctx, const char *file, const swp_machine_code *code,
                                 const swp_function *function, swp_audit_report *out)
{
    swp_flow flow;
    swp_lags lags;
    swp_trace *trace = NULL;
    swp_conflict_list conflicts = {0};
    SWP_TRY(swp_flow_build(ctx, file, code, function, &flow));
    if (!flow.block_count)
        return SWP_OK;
    SWP_TRY(add_strangers(ctx, &flow, out));
    SWP_TRY(SWP_TAKE(ctx, 1, &trace));
    SWP_TRY(swp_trace_build(ctx, file, &flow, trace));
    SWP_TRY(swp_lags_find(trace, &lags));
    SWP_TRY(swp_judge(trace, &lags, &conflicts));
    for (int l = 0; l < flow.loop_count; l++)
        SWP_TRY(add_loop(ctx, &flow, l, trace->copies, out));
    for (size_t i = 0; i < conflicts.count; i++) {
        swp_audit_finding finding;
        SWP_TRY(swp_conflict_describe(trace, &lags, &conflicts.items[i], &finding));
        SWP_TRY(SWP_PUSH(ctx, &out->findings, finding));
    }
    return SWP_OK;
}

static swp_audit_answer answer_of(const swp_audit_report *report)
{
    bool fault = false;
    for (size_t i = 0; i < report->findings.count; i++)
        fault |= report->findings.items[i].certain;
    if (report->strangers.count)
        return SWP_AUDIT_UNKNOWN;
    if (fault)
        return SWP_AUDIT_FAULT;
    return report->findings.count ? SWP_AUDIT_UNKNOWN : SWP_AUDIT_NO_FAULT;
}

/* Straight code is judged as well, where there is something that could go wrong. */
static swp_status judge_without_loop(swp_context *ctx, const char *file,
                                     const swp_machine_code *code, const swp_audit_report *report)
{
    static const char hint[] = "give the kernel whose loop is to be judged, with a trip count that "
                               "the compiler does not know";
    const swp_place place = {file, 0, 0};
    for (size_t i = 0; i < code->insns.count; i++)
        if (code->insns.items[i].lds.parts > 0 || report->findings.count)
            return swp_warn(ctx, SWP_W0802, place, hint,
                            "no function of this file has a loop: judged as straight code");
    return swp_error(ctx, SWP_E0804, place, hint,
                     "no function of this file has a loop, and none accesses LDS");
}

swp_status swp_audit(swp_context *ctx, const char *text, size_t length, const char *file,
                     swp_audit_report *out)
{
    swp_machine_code code;
    *out = (swp_audit_report){.target = ""};
    SWP_TRY(swp_copy_printable(ctx, (swp_slice){file, strlen(file)}, &out->file));
    SWP_TRY(swp_machine_code_read(ctx, (swp_slice){text, length}, file, &code));
    out->target = code.target;
    for (size_t i = 0; i < code.functions.count; i++)
        SWP_TRY(audit_function(ctx, file, &code, &code.functions.items[i], out));
    out->answer = answer_of(out);
    return out->loops.count ? SWP_OK : judge_without_loop(ctx, file, &code, out);
}
