/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What shared places hold. A read finds, of all that the machine permits, what it does not want: the old
 * where a copy is on its way, the new where one has begun, and by an asynchronous operation what was there
 * before an ordinary write without a fence.
 */
#include "run/dataflow.h"
#include "run/operands.h"
#include "run/roles.h"

#include "base/context.h"

enum { PARTS = SWP_RUN_LANES };

uint64_t swp_run_both(uint64_t a, uint64_t b)
{
    return a == b ? a : swp_run_mix(a, b);
}

static bool is_fenced(const swp_run_machine *m, const swp_run_piece *piece)
{
    const int writer = piece->now.thread;
    return !piece->is_ordinary || m->threads[writer].fenced > piece->now.step;
}

/* What a copy in flight brings to the share in a rank; NULL: none does. */
static const swp_run_operand *brought(const swp_run_machine *m, const swp_run_access *async, int place,
                                      int rank, int share)
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
    if (piece->now.tile != wanted->tile)
        return piece->now;
    if (piece->has_rival && piece->rival.tile != wanted->tile)
        return piece->rival;
    if (is_async && !is_fenced(m, piece) && piece->before.tile != wanted->tile)
        return piece->before;
    for (int i = 0; i < m->open_count; i++) {
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

/* What was to bring the wanted tile and is in flight, or was not issued; else what brought the other one. */
static void find_other(const swp_run_machine *m, const swp_run_operand *wanted, int rank, int share,
                       const swp_run_cell *content, swp_wrong_operand *found)
{
    const int thread = share * SWP_RUN_LANES;
    const swp_run_step_list *steps = m->threads[thread].steps;
    for (size_t i = 0; i < steps->count && is_made(wanted->tile); i++) {
        const swp_run_operand *made =
            swp_run_find_operand(&steps->items[i].writes, wanted->in_lds, wanted->index);
        if (!made || made->tile != wanted->tile)
            continue;
        const int async = *swp_run_access_at(m, share, (int)i, rank);
        const bool is_open = async >= 0 && !m->accesses[async].done;
        found->too_late = is_open || m->threads[thread].next <= (int)i;
        if (!found->too_late)
            break;
        found->has_other = true;
        found->other = swp_run_instance(m, thread, (int)i);
        return;
    }
    found->has_other = content->thread != SWP_RUN_NOBODY;
    if (found->has_other)
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

swp_status swp_run_read_share(swp_run_machine *m, int thread, int step, const swp_run_operand *wanted,
                              int share, uint64_t *number)
{
    const bool is_async = swp_run_is_queued(&m->threads[thread].steps->items[step]);
    const int rank = swp_run_rank_of(m, m->threads[thread].instance);
    swp_run_cell wrong = {0};
    bool is_wrong = false;
    for (int part = 0; part < PARTS; part++) {
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
    for (int i = 0; i < m->open_count; i++) {
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
    return state->access == SWP_RUN_ACCESSED_BY_ORDINARY &&
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

/* Which part a thread writes nothing says, so that it changes from one iteration to the next. */
static int part_of(const swp_run_machine *m, int thread, const swp_run_operand *made)
{
    const swp_run_thread *t = &m->threads[thread];
    const uint64_t shift = swp_run_mix(m->seed ^ (uint64_t)made->index, (uint64_t)made->tile);
    return (int)(((uint64_t)t->lane + shift % PARTS) % PARTS);
}

void swp_run_write_part(swp_run_machine *m, int thread, const swp_run_operand *made,
                        swp_run_cell content, bool by_one)
{
    const int instance = m->threads[thread].instance;
    const int rank = swp_run_rank_of(m, instance);
    const int only = by_one ? -1 : part_of(m, thread, made);
    for (int part = 0; part < PARTS; part++) {
        swp_run_piece *piece = swp_run_piece_of(m, made->index, rank, instance, part);
        if (only >= 0 && part != only)
            continue;
        *piece = (swp_run_piece){
            .now = content, .before = piece->now, .is_ordinary = true, .written_at = ++m->clock};
    }
}

void swp_run_land_copy(swp_run_machine *m, const swp_run_access *async, const swp_run_operand *made,
                       swp_run_cell content)
{
    for (int part = 0; part < PARTS; part++) {
        swp_run_piece *piece = swp_run_piece_of(m, made->index, async->to, async->instance, part);
        const bool unordered = piece->written_at > async->issued_at || !is_fenced(m, piece);
        *piece = (swp_run_piece){
            .now = content, .rival = piece->now, .has_rival = unordered, .written_at = ++m->clock};
    }
}
