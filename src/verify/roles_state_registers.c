/* SPDX-License-Identifier: Apache-2.0 */
/* What the registers of a thread are to whatever may follow a cut, in numbers relative to it. */
#include "happens_before/queues.h"
#include "verify/roles_state.h"

swp_status swp_verify_role_put_content(swp_role_state_writer *w, int value, int64_t tile)
{
    enum { OLD, OF_START, CLEARED, MADE };
    const swp_role_value *of = &w->judge->model->values[value];
    const swp_role_clock clock = swp_verify_role_value_clock(w, value);
    const int64_t makers = of->makers > 0 ? of->makers : 1;
    const bool is_cleared = tile < SWP_ROLE_CLEARED / 2;
    const int64_t cleared = tile - SWP_ROLE_CLEARED;
    if (is_cleared && cleared >= w->low_tile - 1) {
        SWP_TRY(swp_verify_role_put(w, CLEARED));
        return swp_verify_role_put(w, cleared - w->now[SWP_TILE_CLOCK]);
    }
    if (!is_cleared && tile < 0) {
        SWP_TRY(swp_verify_role_put(w, OF_START));
        return swp_verify_role_put(w, tile);
    }
    if (is_cleared || tile < w->value_low[value] * makers)
        return swp_verify_role_put(w, OLD);
    SWP_TRY(swp_verify_role_put(w, MADE));
    return swp_verify_role_put(w, tile - w->now[clock] * makers);
}

/* Writes the number of a wgmma or an access on a register; -1: it is over for the thread. */
static swp_status put_newest(swp_role_state_writer *w, int instance, int thread, int newest)
{
    const swp_happens_run *run = w->run;
    const swp_happens_step *at = newest < 0 ? NULL : &run->steps[instance][newest];
    bool is_over = newest < 0;
    if (at && swp_happens_is_queued(at))
        is_over = swp_happens_has_come(run, thread, swp_happens_own_end(at));
    else if (at)
        is_over = at->retired_by >= 0 && swp_happens_returned(run, thread, at->retired_by);
    return swp_verify_role_put(w, is_over ? -1 : swp_verify_role_in_flight(w, instance, newest));
}

static swp_status put_place(swp_role_state_writer *w, int instance, int which, int value,
                            const swp_role_place *place, int fence)
{
    const int thread = swp_happens_thread_of(instance, which);
    SWP_TRY(swp_verify_role_put_content(w, value, place->tile));
    if (w->run->program->is_flat)
        SWP_TRY(swp_verify_role_put_content(w, value, place->wanted));
    SWP_TRY(swp_verify_role_put(w, place->accessed < 0 ? 0 : place->by_wgmma ? 1 : 2));
    SWP_TRY(swp_verify_role_put(w, fence > place->accessed));
    for (int kind = 0; kind < SWP_ROLE_OPERAND_KINDS; kind++)
        SWP_TRY(put_newest(w, instance, thread, place->newest[kind]));
    for (int queue = 0; w->run->program->is_flat && queue < SWP_SYNC_OBJECTS; queue++)
        SWP_TRY(put_newest(w, instance, thread, place->reader[queue]));
    return SWP_OK;
}

swp_status swp_verify_role_put_registers(swp_role_state_writer *w, int instance, int which)
{
    const swp_role_model *m = w->judge->model;
    swp_role_scanner *s = &w->registers;
    SWP_TRY(swp_verify_role_registers_at(s, instance, which));
    for (int v = 0; v < (int)m->loop->value_count; v++) {
        const swp_role_value *value = &m->values[v];
        const int64_t now = w->now[swp_verify_role_value_clock(w, v)];
        for (int k = 0; !value->is_shared && k < value->slots; k++)
            SWP_TRY(put_place(w, instance, which, v,
                              &s->places[value->first + swp_happens_rest(now + k, value->slots)],
                              s->fence));
    }
    return SWP_OK;
}
