/* SPDX-License-Identifier: Apache-2.0 */
/* Follows what the registers of a thread of a warp role hold, step by step. */
#include "verify/roles_scan.h"

#include "happens_before/queues.h"
#include "ir/loop_dataflow.h"

#include <string.h>

/* Whether it may touch the register until it is retired. What counters count has read its registers when it issues. */
static bool stays_in_flight(const swp_role_contact *c)
{
    return swp_happens_is_queued(c->at)
               ? swp_verify_role_makes(c->operand->kind) || swp_ir_loop_reads_in_flight(c->at->work)
               : swp_happens_is_wgmma(c->at);
}

/* Of each queue the newest, as one is retired before another. What makes the register anew has been asked of all of them. */
static void keep_reader(const swp_role_contact *c)
{
    const bool makes = swp_verify_role_makes(c->operand->kind);
    for (int queue = 0; makes && queue < SWP_SYNC_OBJECTS; queue++)
        c->place->reader[queue] = -1;
    if (!makes && stays_in_flight(c))
        c->place->reader[c->at->queue] = c->step;
}

static void keep(const swp_happens_run *run, const swp_role_contact *c)
{
    c->place->accessed = c->step;
    c->place->by_wgmma = swp_happens_is_wgmma(c->at);
    if (stays_in_flight(c) &&
        (swp_verify_role_makes(c->operand->kind) || !swp_happens_is_queued(c->at)))
        c->place->newest[c->operand->kind] = c->step;
    if (run->program->is_flat)
        keep_reader(c);
    if (swp_verify_role_makes(c->operand->kind))
        c->place->tile = c->place->wanted = c->tile;
    if (swp_verify_role_makes(c->operand->kind))
        c->place->made = c->step;
}

/* What stands before iteration 0 of an output tile where ops of the tile clock write a register of passes. */
static int64_t cleared(int tile)
{
    return SWP_ROLE_CLEARED + tile;
}

/*
 * Of output tiles: what an op of the pass clock wants from before its tile. Where nobody clears it, that is what stood
 * there before the run.
 */
static void find_before(const swp_role_value *value, swp_role_contact *c)
{
    const int64_t local = c->version - c->at->base;
    if (local >= 0 || swp_verify_role_makes(c->operand->kind))
        return;
    c->tile = value->is_cleared ? cleared(c->at->tile) : local * value->makers + value->makers - 1;
}

/* Of output tiles: what an op of the tile clock clears, or wants of what the passes of its tile made. */
static void find_last(const swp_role_judge *judge, const swp_role_value *value, swp_role_contact *c)
{
    const swp_happens_sequence *sequence = judge->run->sequence;
    const int n = c->at->tile < sequence->count ? sequence->n[c->at->tile] : 0;
    c->version = c->at->base + (swp_verify_role_makes(c->operand->kind) ? 0 : n) - 1;
    if (!swp_verify_role_makes(c->operand->kind) && n > 0)
        c->tile = c->version * value->makers + value->makers - 1;
    else
        c->tile = value->is_cleared ? cleared(c->at->tile) : -1;
}

static swp_role_contact contact_of(const swp_role_scanner *s, int step,
                                   const swp_role_operand *operand)
{
    const swp_happens_step *at = swp_happens_step_of(s->judge->run, s->instance, step);
    const swp_role_value *value = &s->judge->model->values[operand->value];
    const int64_t version = swp_verify_role_version(s->judge, at, operand);
    swp_role_contact c = {.step = step,
                          .at = at,
                          .operand = operand,
                          .version = version,
                          .tile = version * value->makers + operand->part};
    if (at->work->clock == SWP_TILE_CLOCK && value->makers > 0 && !value->is_of_tiles)
        find_last(s->judge, value, &c);
    else if (s->judge->run->tiles && value->makers > 0 && !value->is_of_tiles)
        find_before(value, &c);
    const int slot = value->slots == 1 ? 0 : (int)swp_happens_rest(c.version, value->slots);
    c.place = &s->places[value->first + slot];
    return c;
}

swp_status swp_verify_role_scan_step(swp_role_scanner *s, int step, swp_role_contact_check *ask)
{
    const swp_happens_step *at = swp_happens_step_of(s->judge->run, s->instance, step);
    if (swp_happens_operation(at)->fence == SWP_REGISTER_FENCE)
        s->fence = step;
    if (!at->work || s->which >= swp_happens_threads_of(at))
        return SWP_OK;
    const swp_role_op *op = &s->judge->model->ops[swp_loop_op_of_tag(at->op->tag)];
    for (int t = 0; t < op->register_count; t++) {
        s->contacts[t] = contact_of(s, step, &op->operands[op->registers[t]]);
        if (ask)
            SWP_TRY(ask(s, &s->contacts[t]));
    }
    for (int t = 0; t < op->register_count; t++)
        keep(s->judge->run, &s->contacts[t]);
    return SWP_OK;
}

/* Slot s holds the last tile of the version that many slots before the loop. */
void swp_verify_role_scan_from_start(swp_role_scanner *s)
{
    s->fence = -1;
    const swp_role_model *m = s->judge->model;
    for (size_t v = 0; v < m->loop->value_count; v++)
        for (int slot = 0; slot < m->values[v].slots; slot++) {
            swp_role_place *p = &s->places[m->values[v].first + slot];
            const int64_t version = (int64_t)slot - m->values[v].slots;
            *p = (swp_role_place){.tile = version * m->values[v].makers + m->values[v].makers - 1,
                                  .accessed = -1,
                                  .made = -1};
            p->wanted = p->tile;
            for (int kind = 0; kind < SWP_ROLE_OPERAND_KINDS; kind++)
                p->newest[kind] = -1;
            for (int queue = 0; queue < SWP_SYNC_OBJECTS; queue++)
                p->reader[queue] = -1;
        }
}

swp_status swp_verify_role_scan_begin(swp_role_judge *judge, swp_role_scanner *out)
{
    size_t most = 0;
    *out = (swp_role_scanner){.judge = judge};
    for (size_t op = 0; op < judge->model->loop->op_count; op++)
        if ((size_t)judge->model->ops[op].register_count > most)
            most = (size_t)judge->model->ops[op].register_count;
    SWP_TRY(SWP_TAKE(judge->run->ctx, most, &out->contacts));
    return SWP_TAKE(judge->run->ctx, (size_t)judge->model->places, &out->places);
}

/* Behind the steps that are settled they have been looked at, if at all. */
static int go_to_settled(swp_role_scanner *s)
{
    const swp_role_progress *progress = s->judge->progress;
    const int thread = swp_happens_thread_of(s->instance, s->which);
    swp_verify_role_scan_from_start(s);
    if (!progress || !progress->held[thread].places)
        return 0;
    memcpy(s->places, progress->held[thread].places,
           (size_t)s->judge->model->places * sizeof *s->places);
    s->fence = progress->held[thread].fence;
    return swp_verify_role_settled(s->judge, s->instance);
}

swp_status swp_verify_role_registers_at(swp_role_scanner *s, int instance, int which)
{
    const int end = s->judge->run->threads[swp_happens_thread_of(instance, which)].step;
    s->instance = instance;
    s->which = which;
    for (int step = go_to_settled(s); step < end; step++)
        SWP_TRY(swp_verify_role_scan_step(s, step, swp_verify_role_forget_told));
    return SWP_OK;
}
