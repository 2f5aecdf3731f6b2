/* SPDX-License-Identifier: Apache-2.0 */
/* Reads off which uniform branches, repeated writes and numberings of threads rest on what the file does not say. */
#include "audit/flow/assumptions.h"

#include "audit/flow/findings.h"

static const char arguments[] =
    "s[0:1] point to the kernel's arguments, the same in all waves; its descriptor does not say so "
    "(.amdhsa_user_sgpr_kernarg_segment_ptr 1)";
static const char dimensions[] =
    "the workgroup has one dimension of threads: the first ten bits of v0 number them, and the ids "
    "of the others, for which the descriptor asks, are the same (.reqd_workgroup_size would say)";
static const char trips[] =
    "all waves iterate this loop equally often: its condition was loaded from "
    "memory, which nobody may change while they do";
static const char uniform[] =
    "this branch is uniform: its condition was loaded from memory, which nobody "
    "may change meanwhile";

static const char writes[] = "waves write the same to one place here: what they write follows from "
                             "what they loaded from the "
                             "same addresses of memory, which nobody may change meanwhile";

/* With one wave, or without LDS, nothing depends on what waves have in common. */
static bool matters(const swp_fixpoint *fixpoint)
{
    bool accesses = false;
    for (int e = 0; e < fixpoint->events.count; e++)
        accesses |= swp_code_accesses_lds(swp_flow_event_insn(&fixpoint->events, e));
    return accesses && fixpoint->values.threads > SWP_WAVE;
}

swp_status swp_flow_add_assumptions(const swp_fixpoint *fixpoint, swp_audit_report *out)
{
    const swp_flow *flow = fixpoint->flow;
    const swp_insn *insns = flow->code->insns.items;
    unsigned doubts = 0;
    if (!matters(fixpoint))
        return SWP_OK;
    for (int b = 0; b < flow->block_count; b++) {
        const swp_branching *branch = &fixpoint->branches.items[b];
        const char *why = swp_flow_leaves_loop(flow, b) ? trips : uniform;
        if (!flow->blocks[b].reached || flow->blocks[b].successor_count < 2 ||
            branch->sense != SWP_BRANCH_UNIFORM)
            continue;
        doubts |= branch->doubts;
        if (branch->doubts & SWP_VARIES_WITH_MEMORY)
            SWP_TRY(swp_flow_add_note(fixpoint->ctx, &insns[flow->blocks[b].end - 1], why,
                                      &out->assumptions));
    }
    for (int i = 0; i < flow->function->end - flow->function->first; i++) {
        doubts |= fixpoint->write_doubts[i];
        if (fixpoint->write_doubts[i] & SWP_VARIES_WITH_MEMORY)
            SWP_TRY(swp_flow_add_note(fixpoint->ctx, &insns[flow->function->first + i], writes,
                                      &out->assumptions));
    }
    if (flow->function->packed_ids && !flow->function->many_dimensions)
        SWP_TRY(swp_flow_add_note(fixpoint->ctx, &insns[flow->function->first], dimensions,
                                  &out->assumptions));
    return doubts & SWP_VARIES_WITH_ARGUMENTS
               ? swp_flow_add_note(fixpoint->ctx, &insns[flow->function->first], arguments,
                                   &out->assumptions)
               : SWP_OK;
}
