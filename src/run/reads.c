/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an op finds where it reads. Of waves it is what is there, since timings bring about each moment; by a wgmma what was
 * there before an ordinary write of another wave that has come to no barrier since. Of warp roles it is,
 * of all that the machine permits, what the op does not want: the old where a copy is on its way, the new where one has
 * begun, and by an asynchronous operation what was there before an ordinary write without a fence.
 */
#include "run/dataflow.h"
#include "run/operands.h"
#include "run/ops.h"

#include "base/context.h"

/* What a copy in flight brings to the share in a rank; NULL: none does. */
static const swp_run_operand *brought(const swp_run_machine *m, const swp_run_access *async,
                                      int place, int rank, int share)
{
    if (swp_run_step_of(m, async)->queue != SWP_RUN_COPY_MBARRIER || async->instance != share ||
        async->to != rank)
        return NULL;
    const swp_run_step *step = swp_run_step_of(m, async);
    return swp_run_find_operand(&step->writes, true, place);
}

static swp_run_cell find(const swp_run_machine *m, const swp_run_operand *wanted, int rank,
                         int share, int part, bool is_async)
{
    const swp_run_piece *piece = swp_run_piece_of(m, wanted->index, rank, share, part);
    const bool is_worst = m->program->manner->reads_worst;
    if (piece->now.tile != wanted->tile)
        return piece->now;
    if (is_worst && piece->has_rival && piece->rival.tile != wanted->tile)
        return piece->rival;
    if (is_async && !swp_run_is_fenced(m, piece) && piece->before.tile != wanted->tile)
        return piece->before;
    for (int i = 0; is_worst && i < m->open_count; i++) {
        const swp_run_access *async = &m->accesses[m->open[i]];
        const swp_run_operand *made = brought(m, async, wanted->index, rank, share);
        if (made && made->tile != wanted->tile)
            return swp_run_copied(m, async, made);
    }
    return piece->now;
}

/* Of what stands there from the start nobody is the maker. */
static bool is_made(int tile)
{
    return tile >= 0 || tile <= SWP_RUN_CLEARED;
}

/* Whether a step of the share's own has brought what it brings. A wave has an access for each op that it did. */
static bool is_done(const swp_run_machine *m, int share, int step, int rank)
{
    const int access = *swp_run_access_at(m, share, step, rank);
    if (access >= 0)
        return m->accesses[access].done;
    return m->program->manner->runs_ordinary &&
           m->threads[(size_t)share * (size_t)m->lanes].next > step;
}

/*
 * What was to bring the wanted tile and has not taken effect, if that tile never was there; else what brought the one
 * that was found.
 */
static void find_other(const swp_run_machine *m, const swp_run_operand *wanted, int rank, int share,
                       const swp_run_cell *content, swp_wrong_operand *found)
{
    const int thread = share * m->lanes;
    const swp_run_step_list *steps = m->threads[thread].steps;
    bool was_there = !is_made(wanted->tile);
    int late = -1;
    for (int i = 0; i < (int)steps->count && !was_there; i++) {
        const swp_run_operand *made =
            swp_run_find_operand(&steps->items[i].writes, wanted->in_lds, wanted->index);
        if (!made || made->tile != wanted->tile)
            continue;
        was_there = is_done(m, share, i, rank);
        late = late < 0 ? i : late;
    }
    found->too_late = !was_there && late >= 0;
    found->has_other = found->too_late || content->thread != SWP_RUN_NOBODY;
    if (found->too_late)
        found->other = swp_run_instance(m, thread, late);
    else if (found->has_other)
        found->other = swp_run_instance(m, content->thread, content->step);
}

static swp_status note(swp_run_machine *m, int thread, int step, const swp_run_operand *wanted,
                       int share, const swp_run_cell *content)
{
    swp_wrong_operand_list *list = &m->outcome->operands;
    const swp_run_place *place = wanted->in_lds ? &m->program->places.items[wanted->index]
                                                : &m->program->registers.items[wanted->index];
    if (content->tile == wanted->tile || list->count == SWP_RUN_MOST_FOUND)
        return SWP_OK;
    swp_wrong_operand found = {.reader = swp_run_instance(m, thread, step),
                               .wave = share,
                               .channel = -1,
                               .stage = -1,
                               .subtile = -1,
                               .value = place->channel,
                               .slot = wanted->in_lds ? place->stage : place->subtile,
                               .wanted = wanted->tile,
                               .found = content->tile};
    find_other(m, wanted, found.reader.rank, share, content, &found);
    return SWP_PUSH(m->ctx, list, found);
}

swp_status swp_run_read_share(swp_run_machine *m, int thread, int step,
                              const swp_run_operand *wanted, int share, uint64_t *number)
{
    const swp_run_step *reader = &m->threads[thread].steps->items[step];
    const bool is_async =
        m->program->manner->reads_worst
            ? swp_run_is_queued(reader)
            : reader->queue == SWP_RUN_MATRIX_GROUP && share != m->threads[thread].instance;
    const int rank = swp_run_rank_of(m, m->threads[thread].instance);
    swp_run_cell wrong = {0};
    bool is_wrong = false;
    for (int part = 0; part < m->parts; part++) {
        const swp_run_cell content = find(m, wanted, rank, share, part, is_async);
        *number = part == 0 ? content.number : swp_run_both(*number, content.number);
        if (content.tile != wanted->tile && !is_wrong)
            wrong = content;
        is_wrong = is_wrong || content.tile != wanted->tile;
    }
    return is_wrong ? note(m, thread, step, wanted, share, &wrong) : SWP_OK;
}

bool swp_run_is_in_flight(const swp_run_machine *m, int thread, int step, int index)
{
    const swp_run_thread *t = &m->threads[thread];
    for (int i = 0; m->program->manner->reads_worst && i < m->open_count; i++) {
        const swp_run_access *async = &m->accesses[m->open[i]];
        if (async->instance == t->instance && async->step < step &&
            (async->issued >> t->lane & 1) != 0 &&
            swp_run_find_operand(&t->steps->items[async->step].writes, false, index))
            return true;
    }
    return false;
}

/* What a wgmma finds without a fence may be what was there before. */
static bool is_unsettled(const swp_run_machine *m, int thread, const swp_run_register_state *state)
{
    return m->program->manner->reads_worst && state->access == SWP_RUN_ACCESSED_BY_ORDINARY &&
           m->threads[thread].reg_fenced < state->accessed_at;
}

swp_status swp_run_read_register(swp_run_machine *m, int thread, int step,
                                 const swp_run_operand *wanted, uint64_t *number)
{
    const swp_run_thread *t = &m->threads[thread];
    const swp_run_register_state *state = &t->states[wanted->index];
    swp_run_cell content = t->registers[wanted->index];
    if (swp_run_is_queued(&t->steps->items[step]) && is_unsettled(m, thread, state))
        content = state->before;
    if (swp_run_is_in_flight(m, thread, step, wanted->index)) {
        content.number = swp_run_mix(~content.number, (uint64_t)wanted->tile);
        content.tile = content.tile == wanted->tile ? wanted->tile - 1 : content.tile;
    }
    *number = content.number;
    return note(m, thread, step, wanted, t->instance, &content);
}
