/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synchronisation points of one run, with what is free to move between them counted at the barrier
 * that it follows.
 */
#include "audit/match/sync_points.h"

#include "audit/match/entry_insn.h"
#include "ir/implied_barriers.h"

/* Passes of the loop that are laid out: one that the prologue feeds, one that the loop feeds. */
enum { PASSES = 2 };

static int passes_of(swp_phase phase)
{
    return phase == SWP_KERNEL ? PASSES : 1;
}

static swp_status begin(swp_context *ctx, swp_sync_point_list *list)
{
    const swp_sync_point first = {.kind = SWP_INSN_BARRIER, .index = -1};
    *list = (swp_sync_point_list){0};
    return SWP_PUSH(ctx, list, first);
}

/* The barrier, or the beginning, after which something stands. */
static swp_sync_point *interval_of(swp_sync_point_list *list)
{
    size_t at = list->count;
    while (at > 1 && list->items[at - 1].kind != SWP_INSN_BARRIER)
        at--;
    return &list->items[at - 1];
}

static bool is_sync_point(swp_insn_kind kind)
{
    return kind == SWP_INSN_COMMIT || kind == SWP_INSN_WAIT || kind == SWP_INSN_BARRIER;
}

/* A load is a group of copies; reads are done when they return, so that no wait is for them. */
static swp_insn_kind kind_of(const swp_effect *effect)
{
    const swp_insn_kind kind = swp_match_entry_insn(effect);
    if (kind == SWP_INSN_LOAD_TO_LDS)
        return SWP_INSN_COMMIT;
    const bool is_for_reads = kind == SWP_INSN_WAIT && effect->waits != SWP_WAIT_FOR_VM;
    return is_for_reads ? SWP_INSN_NOTHING : kind;
}

static swp_status add_entry(swp_context *ctx, swp_sync_point_list *list, const swp_effect *effect,
                            swp_phase phase, int index)
{
    const swp_sync_point added = {
        .kind = kind_of(effect), .index = index, .phase = phase, .count = effect->wait};
    interval_of(list)->reads += added.kind == SWP_INSN_LDS_READ;
    interval_of(list)->mmas += added.kind == SWP_INSN_MATRIX;
    return is_sync_point(added.kind) ? SWP_PUSH(ctx, list, added) : SWP_OK;
}

swp_status swp_match_sync_points_of_schedule(swp_context *ctx, const swp_effects *effects,
                                             swp_sync_point_list *out)
{
    SWP_TRY(begin(ctx, out));
    for (int p = 0; p < 3; p++) {
        const swp_phase phase = (swp_phase)p;
        const swp_entry *entries = swp_schedule_phase(effects->schedule, phase)->items;
        for (int pass = 0; pass < passes_of(phase); pass++)
            for (int i = 0; i < effects->lengths[phase]; i++)
                SWP_TRY(add_entry(ctx, out, &effects->entries[phase][i], phase,
                                  swp_ir_is_implied(&entries[i].op) ? -1 : i));
    }
    return SWP_OK;
}

typedef struct reader {
    swp_context *ctx;
    const swp_path *path;
    swp_sync_point_list *out;
    int copies; /* since the last group ended */
    int from;   /* points before the first of them */
} reader;

static swp_status add_insn(reader *r, swp_phase phase, int index)
{
    const swp_insn *insn = &r->path->flow->code->insns.items[index];
    const bool barrier = insn->kind == SWP_INSN_BARRIER;
    swp_sync_point_list *out = r->out;
    swp_sync_point added = {.kind = insn->kind,
                            .index = index,
                            .phase = phase,
                            .count = barrier ? (int)insn->value_number : insn->waits[SWP_AUDIT_VM]};
    interval_of(out)->reads += insn->kind == SWP_INSN_LDS_READ;
    interval_of(out)->mmas += insn->kind == SWP_INSN_MATRIX;
    if (insn->kind == SWP_INSN_COPY_TO_LDS && r->copies++ == 0)
        r->from = (int)out->count;
    if (insn->kind == SWP_INSN_COMMIT) {
        added.copies = r->copies;
        added.from = r->copies ? r->from : (int)out->count;
        r->copies = 0;
    }
    return is_sync_point(insn->kind) ? SWP_PUSH(r->ctx, out, added) : SWP_OK;
}

swp_status swp_match_sync_points_of_code(swp_context *ctx, const swp_path *path,
                                         swp_sync_point_list *out, int *loose)
{
    reader r = {.ctx = ctx, .path = path, .out = out};
    SWP_TRY(begin(ctx, out));
    for (int p = 0; p < 3; p++) {
        const swp_path_phase *code = &path->phases[p];
        for (int pass = 0; pass < passes_of((swp_phase)p); pass++)
            for (size_t i = 0; i < code->count; i++)
                SWP_TRY(add_insn(&r, (swp_phase)p, code->items[i]));
    }
    *loose = r.copies;
    return SWP_OK;
}
