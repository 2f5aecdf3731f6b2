/* SPDX-License-Identifier: Apache-2.0 */
/* The moments of a run that are no thread's, and what comes before them. */
#include "roles_explorer_run.h"

int rx_event_of(const rx_run *run, int cell, int number)
{
    const rx_cell *c = &run->cells[cell];
    const int at = number - c->first_number;
    return at >= 0 && at < c->count ? c->first_event + at : -1;
}

/* Which phases and meetings there are. */
static void count_numbers(rx_run *run)
{
    for (int i = 0; i < run->cell_count; i++) {
        rx_cell *cell = &run->cells[i];
        cell->first_number = rx_is_mbarrier(cell) ? -1 : 0;
        cell->count = -cell->first_number;
    }
    for (int i = 0; i < run->instance_count; i++)
        for (int p = 0; p < run->instances[i].count; p++) {
            const rx_step *step = &run->instances[i].steps[p];
            rx_cell *cell = step->cell >= 0 ? &run->cells[step->cell] : NULL;
            if (cell && step->number - cell->first_number >= cell->count)
                cell->count = step->number - cell->first_number + 1;
        }
}

static void number_events(rx_run *run)
{
    count_numbers(run);
    for (int i = 0; i < run->cell_count; i++) {
        run->cells[i].first_event = run->event_count;
        run->event_count += run->cells[i].count;
    }
    for (int i = 0; i < run->instance_count; i++)
        for (int p = 0; p < run->instances[i].count; p++) {
            rx_step *step = &run->instances[i].steps[p];
            if (step->kind == RX_COPY || step->kind == RX_MATRIX || step->kind == RX_STORE)
                step->retired = run->event_count++;
            if (step->kind == RX_STORE)
                step->written = run->event_count++;
        }
    run->events = rx_allocate((size_t)run->event_count, sizeof *run->events);
}

static void push_moments(const rx_run *run, rx_moments *list, const rx_instance *instance, int step)
{
    for (int t = 0; t < instance->threads; t++) {
        const int thread = instance->first_thread + t;
        if (rx_executes(&run->threads[thread], &instance->steps[step]))
            rx_push_moment(list, (rx_moment){thread, step});
    }
}

static int weight_of(const rx_run *run, const rx_instance *instance, const rx_step *step)
{
    return step->one ? 1 : RX_WARP * run->form.streams[instance->stream].warps;
}

/* Of two steps of a role, which may be of two instances. */
static bool is_before(const rx_step *a, const rx_step *b)
{
    if (a->phase != b->phase)
        return a->phase < b->phase;
    return a->pass != b->pass ? a->pass < b->pass : a->entry < b->entry;
}

static void link_phase(rx_run *run, const rx_instance *instance, int at)
{
    const rx_step *step = &instance->steps[at];
    const int number = rx_event_of(run, step->cell, step->number);
    if (number < 0)
        return;
    rx_event *phase = &run->events[number];
    if (step->kind == RX_WAIT_PHASE) {
        push_moments(run, &phase->returns, instance, at);
        return;
    }
    if (step->number < 0) /* complete at the start */
        return;
    if (!phase->first ||
        (phase->first_stream == instance->stream && is_before(step, phase->first))) {
        phase->first = step;
        phase->first_stream = instance->stream;
    }
    if (step->kind == RX_COPY) {
        rx_push_number(&phase->needs, step->retired);
        phase->brought += step->bytes;
        return;
    }
    push_moments(run, &phase->issues, instance, at);
    phase->arrivals += weight_of(run, instance, step);
    phase->expected += step->bytes;
}

/* The wait returns only after the retirement: of a bulk store's writes, and so of its reads, or of its reads. */
static void link_return(rx_run *run, const rx_instance *instance, int at, const rx_step *retired)
{
    rx_step *wait = &instance->steps[at];
    const bool written = wait->kind == RX_BULK_WAIT;
    rx_push_number(&wait->needs, written ? retired->written : retired->retired);
    push_moments(run, &run->events[retired->retired].returns, instance, at);
}

/* All groups that are committed so far but the `wait` newest. */
static void link_group_wait(rx_run *run, const rx_instance *instance, int at)
{
    const bool matrix = instance->steps[at].kind == RX_MATRIX_WAIT;
    int commits = 0;
    for (int p = at - 1; p >= 0; p--) {
        const rx_step *step = &instance->steps[p];
        if (step->kind == (matrix ? RX_MATRIX : RX_STORE) && commits > instance->steps[at].wait)
            link_return(run, instance, at, step);
        commits += step->kind == (matrix ? RX_MATRIX_COMMIT : RX_BULK_COMMIT);
    }
}

static void link_step(rx_run *run, const rx_instance *instance, int at)
{
    rx_step *step = &instance->steps[at];
    if (step->retired >= 0)
        push_moments(run, &run->events[step->retired].issues, instance, at);
    if (step->written >= 0)
        rx_push_number(&run->events[step->written].needs, step->retired);
    if (step->kind == RX_MEET) {
        push_moments(run, &run->events[rx_event_of(run, step->cell, step->number)].issues, instance,
                     at);
    } else if (step->kind == RX_MATRIX_WAIT || step->kind == RX_BULK_WAIT ||
               step->kind == RX_BULK_WAIT_READ) {
        link_group_wait(run, instance, at);
    } else if (step->cell >= 0 && step->kind != RX_MET) {
        link_phase(run, instance, at);
    }
    const bool returns = step->kind == RX_WAIT_PHASE || step->kind == RX_MET;
    if (returns && rx_event_of(run, step->cell, step->number) >= 0)
        rx_push_number(&step->needs, rx_event_of(run, step->cell, step->number));
}

/* Of a barrier: who has an operation on it. */
static int instances_at(rx_run *run, int cell)
{
    int count = 0;
    for (int i = 0; i < run->instance_count; i++) {
        const rx_instance *instance = &run->instances[i];
        bool there = !run->cells[cell].object;
        for (int p = 0; p < instance->count; p++)
            there |= instance->steps[p].cell == cell;
        count += there;
        run->cells[cell].threads += there ? RX_WARP * run->form.streams[instance->stream].warps : 0;
    }
    return count;
}

static void link_cell(rx_run *run, int number)
{
    const rx_cell *cell = &run->cells[number];
    const int parties = rx_is_mbarrier(cell) ? 0 : instances_at(run, number);
    for (int i = 0; i < cell->count; i++) {
        rx_event *event = &run->events[cell->first_event + i];
        if (!rx_is_mbarrier(cell)) {
            event->never = event->issues.count != parties * run->instances[0].threads;
            continue;
        }
        if (i == 0)
            continue;
        event->never = event->arrivals < cell->object->arrivals || event->brought < event->expected;
        rx_push_number(&event->needs, cell->first_event + i - 1);
    }
}

void rx_link_events(rx_run *run)
{
    number_events(run);
    for (int i = 0; i < run->instance_count; i++)
        for (int p = 0; p < run->instances[i].count; p++)
            link_step(run, &run->instances[i], p);
    for (int i = 0; i < run->cell_count; i++)
        link_cell(run, i);
}
