/* SPDX-License-Identifier: Apache-2.0 */
/* What the lists of a run show without any order: counts, registers, and which work is done. */
#include <stdlib.h>

#include "roles_explorer_rules.h"
#include "roles_explorer_touches.h"

static void report(roles_exploration *out, swp_hazard_kind kind, int stream, const rx_step *step)
{
    rx_add_hazard(out, (roles_hazard){kind, stream, step->phase, step->entry});
}

/* --- Counts --- */

static void judge_phases(const rx_run *run, roles_exploration *out)
{
    for (int i = 0; i < run->cell_count; i++) {
        const rx_cell *cell = &run->cells[i];
        for (int k = 0; k < cell->count && rx_is_mbarrier(cell); k++) {
            const rx_event *phase = &run->events[cell->first_event + k];
            if (phase->first &&
                (phase->arrivals != cell->object->arrivals || phase->expected != phase->brought))
                report(out, SWP_ARRIVALS, phase->first_stream, phase->first);
        }
    }
}

static void judge_barrier_threads(const rx_run *run, roles_exploration *out)
{
    for (int i = 0; i < run->instance_count; i++)
        for (int p = 0; p < run->instances[i].count; p++) {
            const rx_step *step = &run->instances[i].steps[p];
            if (step->kind != RX_MEET)
                continue;
            const rx_cell *cell = &run->cells[step->cell];
            if (cell->object && cell->object->threads != cell->threads)
                report(out, SWP_NAMED_BARRIER, run->instances[i].stream, step);
        }
}

/* --- Registers of a thread --- */

/* What a register's slot holds, and who touched it. */
typedef struct place {
    int tile;
    bool wgmma;  /* touched it last */
    bool fenced; /* a matrix_fence came since; or since the beginning */
} place;

typedef struct thread_registers {
    const rx_run *run;
    const rx_thread *thread;
    place *places; /* of value v: SWP_MOST_SLOTS from v * SWP_MOST_SLOTS */
    roles_exploration *out;
} thread_registers;

static place *place_of(const thread_registers *r, const rx_touch *touch)
{
    return &r->places[touch->value * SWP_MOST_SLOTS +
                      rx_slot_of(r->run, touch->value, touch->version)];
}

static void look_at(const thread_registers *r, const rx_step *step, const rx_touch *touch)
{
    const int stream = r->thread->instance->stream;
    const place *at = place_of(r, touch);
    if (!touch->makes && !touch->input && at->tile != touch->tile)
        report(r->out, SWP_WRONG_TILE, stream, step);
    if (step->kind == RX_MATRIX && !at->wgmma && !at->fenced)
        report(r->out, SWP_UNFENCED, stream, step);
}

static void run_registers(const thread_registers *r, const rx_step *step)
{
    const rx_touches touches = rx_touches_of(r->run, step);
    for (int i = 0; i < touches.count; i++)
        if (!rx_is_shared(r->run, touches.items[i].value))
            look_at(r, step, &touches.items[i]);
    for (int i = 0; i < touches.count; i++) {
        const rx_touch *touch = &touches.items[i];
        if (rx_is_shared(r->run, touch->value))
            continue;
        place *at = place_of(r, touch);
        *at = (place){touch->makes ? touch->tile : at->tile, step->kind == RX_MATRIX, false};
    }
}

static void judge_registers(const rx_run *run, const rx_thread *thread, roles_exploration *out)
{
    const size_t values = run->loop->value_count;
    const thread_registers r = {run, thread, rx_allocate(values * SWP_MOST_SLOTS, sizeof(place)),
                                out};
    for (int v = 0; v < (int)values; v++)
        for (int s = 0; s < rx_slots(run, v); s++)
            r.places[v * SWP_MOST_SLOTS + s].tile = rx_first_tile(run, v, s);
    for (int p = 0; p < thread->instance->count; p++) {
        const rx_step *step = &thread->instance->steps[p];
        if (!rx_executes(thread, step))
            continue;
        for (size_t i = 0; step->kind == RX_MATRIX_FENCE && i < values * SWP_MOST_SLOTS; i++)
            r.places[i].fenced = true;
        run_registers(&r, step);
    }
    free(r.places);
}

/* --- Work --- */

static bool is_made(const rx_run *run, const rx_touch *wanted, int share)
{
    const int stream = rx_maker_stream(run, wanted->value);
    for (int i = 0; i < run->instance_count; i++) {
        const rx_instance *instance = &run->instances[i];
        for (int p = 0; p < instance->count; p++) {
            const rx_touches touches = rx_touches_of(run, &instance->steps[p]);
            for (int t = 0; t < touches.count; t++)
                if (instance->stream == stream && instance->number == share &&
                    touches.items[t].makes && touches.items[t].value == wanted->value &&
                    touches.items[t].tile == wanted->tile)
                    return true;
        }
    }
    return false;
}

static void judge_shared_reads(const rx_run *run, const rx_instance *instance, const rx_step *step,
                               roles_exploration *out)
{
    const rx_touches touches = rx_touches_of(run, step);
    for (int t = 0; t < touches.count; t++) {
        const rx_touch *wanted = &touches.items[t];
        if (wanted->makes || wanted->input || !rx_is_shared(run, wanted->value) ||
            (wanted->tile < 0 && wanted->tile >= -rx_slots(run, wanted->value)))
            continue;
        for (int share = 0; share < rx_shares(run, wanted->value); share++)
            if (rx_touches_share(run, instance, wanted->value, share) &&
                !is_made(run, wanted, share))
                report(out, SWP_WRONG_TILE, instance->stream, step);
    }
}

/* At the op's last entry; behind the lists where they have none. */
static void report_missing(const rx_run *run, int stream, int op, roles_exploration *out)
{
    for (int phase = SWP_EPILOGUE; phase >= (int)SWP_PROLOGUE; phase--) {
        const swp_entry_list *list = swp_stream_phase(&run->form.streams[stream], (swp_phase)phase);
        for (size_t i = list->count; i-- > 0;)
            if (list->items[i].op.tag == swp_tag_of_loop_op(op)) {
                rx_add_hazard(out,
                              (roles_hazard){SWP_MISSING_WORK, stream, (swp_phase)phase, (int)i});
                return;
            }
    }
    const int end = (int)run->form.streams[stream].epilogue.count;
    rx_add_hazard(out, (roles_hazard){SWP_MISSING_WORK, stream, SWP_EPILOGUE, end});
}

static bool does(const rx_step *step, int op, int iteration)
{
    return step->op == op && step->iteration == iteration;
}

/* Of any iteration, be it one that the run has not. */
static void judge_twice(const rx_instance *instance, int op, roles_exploration *out)
{
    for (int p = 0; p < instance->count; p++) {
        const rx_step *step = &instance->steps[p];
        bool again = false;
        for (int before = 0; before < p; before++)
            again = again || does(&instance->steps[before], op, step->iteration);
        if (again && step->op == op)
            report(out, SWP_DOUBLE_WORK, instance->stream, step);
    }
}

static void judge_op(const rx_run *run, const rx_instance *instance, int op, roles_exploration *out)
{
    judge_twice(instance, op, out);
    for (int i = 0; i < run->n; i++) {
        bool done = false;
        for (int p = 0; p < instance->count; p++)
            done = done || does(&instance->steps[p], op, i);
        if (!done)
            report_missing(run, instance->stream, op, out);
    }
}

static void judge_work(const rx_run *run, const rx_instance *instance, roles_exploration *out)
{
    for (int op = 0; op < (int)run->loop->op_count; op++)
        if (run->stream_of_op[op] == instance->stream)
            judge_op(run, instance, op, out);
    for (int p = 0; p < instance->count; p++) {
        const rx_step *step = &instance->steps[p];
        if (step->op >= 0 && (step->iteration < 0 || step->iteration >= run->n))
            report(out, SWP_OUT_OF_RANGE, instance->stream, step);
        judge_shared_reads(run, instance, step, out);
    }
}

void rx_judge_lists(const rx_run *run, roles_exploration *out)
{
    judge_phases(run, out);
    judge_barrier_threads(run, out);
    for (int i = 0; i < run->thread_count; i++)
        judge_registers(run, &run->threads[i], out);
    for (int i = 0; i < run->instance_count; i++)
        judge_work(run, &run->instances[i], out);
}
