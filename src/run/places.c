/* SPDX-License-Identifier: Apache-2.0 */
/* What writes leave in shared places: what is there, what was before it, and what may be there in its stead. */
#include "run/ops.h"

uint64_t swp_run_both(uint64_t a, uint64_t b)
{
    return a == b ? a : swp_run_mix(a, b);
}

bool swp_run_is_fenced(const swp_run_machine *m, const swp_run_piece *piece)
{
    const int writer = piece->now.thread;
    return !piece->is_ordinary || m->threads[writer].fenced > piece->ended_at;
}

/* Which part a thread writes nothing says, so that it changes from one iteration to the next. */
static int part_of(const swp_run_machine *m, int thread, const swp_run_operand *made)
{
    const swp_run_thread *t = &m->threads[thread];
    const uint64_t shift = swp_run_mix(m->seed ^ (uint64_t)made->index, (uint64_t)made->tile);
    return (int)(((uint64_t)t->lane + shift % (uint64_t)m->parts) % (uint64_t)m->parts);
}

void swp_run_write_part(swp_run_machine *m, int thread, const swp_run_operand *made,
                        swp_run_cell content, bool by_one)
{
    const int instance = m->threads[thread].instance;
    const int rank = swp_run_rank_of(m, instance);
    const int only = by_one ? -1 : part_of(m, thread, made);
    for (int part = 0; part < m->parts; part++) {
        swp_run_piece *piece = swp_run_piece_of(m, made->index, rank, instance, part);
        if (only >= 0 && part != only)
            continue;
        *piece = (swp_run_piece){.now = content,
                                 .before = piece->now,
                                 .is_ordinary = true,
                                 .ended_at = content.step,
                                 .written_at = ++m->clock};
    }
}

void swp_run_land_copy(swp_run_machine *m, const swp_run_access *async, const swp_run_operand *made,
                       swp_run_cell content)
{
    const bool is_of_wave = !m->program->manner->waits_behind &&
                            swp_run_step_of(m, async)->queue != SWP_RUN_MATRIX_GROUP;
    for (int part = 0; part < m->parts; part++) {
        swp_run_piece *piece = swp_run_piece_of(m, made->index, async->to, async->instance, part);
        const bool unordered = piece->written_at > async->issued_at || !swp_run_is_fenced(m, piece);
        *piece = (swp_run_piece){.now = content,
                                 .before = piece->now,
                                 .rival = piece->now,
                                 .is_ordinary = is_of_wave,
                                 .ended_at = m->threads[content.thread].next - 1,
                                 .has_rival = unordered,
                                 .written_at = ++m->clock};
    }
}
