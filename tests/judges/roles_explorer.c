/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All interleavings of a run, by the order of docs/roles-reference.md, "Before and after". "A does not come before B" is
 * seen in a state in which B can happen while A is still to come.
 *
 * A thread goes from one release (what somebody else may wait for) to the next in one step, waits and all. What is
 * in between only comes before that release or after those waits, so any execution can have it as late as the
 * release, and its rules are asked as soon as the thread gets there alone. Likewise an event (a phase's completion,
 * a meeting's opening, a retirement) happens when somebody returns for whom it has to. `every_moment` does neither.
 *
 * Threads of an instance that are not elected run the same steps, so of two such states one is followed.
 */
#include "roles_explorer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "roles_explorer_rules.h"

/* A state: the next step of each thread, then a byte for each event that has happened. */
typedef struct explorer {
    rx_run run;
    bool every_moment;
    rx_states seen;
    unsigned char *now;
    unsigned char *next;
    const rx_step **waits; /* of each thread: where it cannot go on */
    roles_exploration out;
} explorer;

static int position(const unsigned char *state, int thread)
{
    uint16_t at;
    memcpy(&at, state + 2 * thread, sizeof at);
    return at;
}

static void set_position(unsigned char *state, int thread, int step)
{
    const uint16_t at = (uint16_t)step;
    memcpy(state + 2 * thread, &at, sizeof at);
}

static unsigned char *happened(const explorer *x, unsigned char *state, int event)
{
    return state + 2 * x->run.thread_count + event;
}

static bool is_past(const unsigned char *state, rx_moment moment)
{
    return position(state, moment.thread) > moment.step;
}

static bool is_past_any(const unsigned char *state, const rx_moments *moments)
{
    for (int i = 0; i < moments->count; i++)
        if (is_past(state, moments->items[i]))
            return true;
    return false;
}

/* --- Events --- */

static bool happen(const explorer *x, unsigned char *state, int event);

static bool require(const explorer *x, unsigned char *state, int event)
{
    return *happened(x, state, event) || (!x->every_moment && happen(x, state, event));
}

/* Lets an event happen, if it can. */
static bool happen(const explorer *x, unsigned char *state, int event)
{
    const rx_event *e = &x->run.events[event];
    if (e->never)
        return false;
    for (int i = 0; i < e->issues.count; i++)
        if (!is_past(state, e->issues.items[i]))
            return false;
    for (int i = 0; i < e->needs.count; i++)
        if (!require(x, state, e->needs.items[i]))
            return false;
    *happened(x, state, event) = 1;
    return true;
}

/* --- Watchers --- */

static void report(explorer *x, swp_hazard_kind kind, const rx_instance *instance,
                   const rx_step *step)
{
    rx_add_hazard(&x->out, (roles_hazard){kind, instance->stream, step->phase, step->entry});
}

static bool holds(const explorer *x, const rx_rule *rule, unsigned char *state, int thread)
{
    if (rule->kind == SWP_UNOBSERVED_PHASE)
        return is_past_any(state, &x->run.events[rule->event].returns);
    if (rule->event >= 0)
        return *happened(x, state, rule->event);
    /* What a thread reads and writes in one op is in order. */
    return rule->thread >= 0 && (is_past(state, (rx_moment){rule->thread, rule->step}) ||
                                 (rule->thread == thread && rule->step == position(state, thread)));
}

/* The thread's next step can issue. */
static void watch_issue(explorer *x, unsigned char *state, int thread, rx_step *step)
{
    step->reached = true;
    for (int i = 0; i < step->rule_count; i++)
        if (!holds(x, &step->rules[i], state, thread))
            report(x, step->rules[i].kind, x->run.threads[thread].instance, step);
}

/* The phase can be complete: who waits for the one before has to be back. */
static void watch_completion(explorer *x, const unsigned char *state, int event)
{
    const rx_moments *returns = &x->run.events[event - 1].returns;
    for (int i = 0; i < returns->count; i++)
        if (!is_past(state, returns->items[i])) {
            const rx_thread *thread = &x->run.threads[returns->items[i].thread];
            thread->instance->steps[returns->items[i].step].passed_over = true;
        }
}

static void watch_completions(explorer *x, const unsigned char *state)
{
    memcpy(x->next, state, x->seen.width);
    for (int i = 0; i < x->run.cell_count; i++) {
        const rx_cell *cell = &x->run.cells[i];
        for (int k = 1; k < cell->count && rx_is_mbarrier(cell); k++) {
            const int event = cell->first_event + k;
            if (*happened(x, x->next, event))
                continue;
            if (!happen(x, x->next, event))
                break;
            watch_completion(x, state, event);
        }
    }
}

static void watch_end(explorer *x, unsigned char *state)
{
    for (int i = 0; i < x->run.instance_count; i++)
        for (int p = 0; p < x->run.instances[i].count; p++) {
            const rx_step *step = &x->run.instances[i].steps[p];
            if (step->retired >= 0 && !*happened(x, state, step->retired))
                report(x, SWP_LOST_PEER, &x->run.instances[i], step);
        }
}

/* --- Threads --- */

static bool is_release(rx_kind kind)
{
    return kind == RX_COPY || kind == RX_MATRIX || kind == RX_ARRIVE || kind == RX_MEET;
}

static int skip_others(const explorer *x, int thread, int step)
{
    const rx_thread *t = &x->run.threads[thread];
    while (step < t->instance->count && !rx_executes(t, &t->instance->steps[step]))
        step++;
    return step;
}

/* Takes the thread to behind its next release. @return false where a wait keeps it */
static bool walk(explorer *x, unsigned char *state, int thread)
{
    const rx_instance *instance = x->run.threads[thread].instance;
    for (int at = position(state, thread); at < instance->count; at = position(state, thread)) {
        rx_step *step = &instance->steps[at];
        watch_issue(x, state, thread, step);
        x->waits[thread] = step;
        for (int i = 0; i < step->needs.count; i++)
            if (!require(x, state, step->needs.items[i]))
                return false;
        set_position(state, thread, skip_others(x, thread, at + 1));
        if (is_release(step->kind) || x->every_moment)
            break;
    }
    return true;
}

/* Of threads that are not elected the one that is further behind comes first. */
static void sort_others(unsigned char *state, const rx_instance *instance)
{
    for (int a = instance->first_thread + 1; a < instance->first_thread + instance->threads; a++)
        for (int b = a;
             b > instance->first_thread + 1 && position(state, b - 1) > position(state, b); b--) {
            const int ahead = position(state, b - 1);
            set_position(state, b - 1, position(state, b));
            set_position(state, b, ahead);
        }
}

static void follow(explorer *x)
{
    for (int i = 0; i < x->run.instance_count; i++)
        sort_others(x->next, &x->run.instances[i]);
    rx_states_add(&x->seen, x->next);
}

/* --- States --- */

static bool take_threads(explorer *x, bool *ended)
{
    bool moved = false;
    *ended = true;
    for (int t = 0; t < x->run.thread_count; t++) {
        if (position(x->now, t) >= x->run.threads[t].instance->count)
            continue;
        *ended = false;
        memcpy(x->next, x->now, x->seen.width);
        if (walk(x, x->next, t)) {
            follow(x);
            moved = true;
        }
    }
    return moved;
}

static bool take_events(explorer *x)
{
    bool moved = false;
    for (int e = 0; e < x->run.event_count && x->every_moment; e++) {
        memcpy(x->next, x->now, x->seen.width);
        if (!*happened(x, x->now, e) && happen(x, x->next, e)) {
            follow(x);
            moved = true;
        }
    }
    return moved;
}

static void visit(explorer *x, size_t index)
{
    bool ended = false;
    memcpy(x->now, rx_states_at(&x->seen, index), x->seen.width);
    watch_completions(x, x->now);
    const bool moved = take_threads(x, &ended);
    if (ended)
        watch_end(x, x->now);
    if (take_events(x) || moved || ended)
        return;
    for (int t = 0; t < x->run.thread_count; t++)
        if (position(x->now, t) < x->run.threads[t].instance->count)
            report(x, SWP_DEADLOCK, x->run.threads[t].instance, x->waits[t]);
}

static void start(explorer *x)
{
    x->seen.width = 2 * (size_t)x->run.thread_count + (size_t)x->run.event_count;
    x->now = rx_allocate(x->seen.width, 1);
    x->next = rx_allocate(x->seen.width, 1);
    x->waits = rx_allocate((size_t)x->run.thread_count, sizeof *x->waits);
    for (int t = 0; t < x->run.thread_count; t++)
        set_position(x->next, t, skip_others(x, t, 0));
    follow(x);
}

static void report_passed_over(explorer *x)
{
    for (int i = 0; i < x->run.instance_count; i++)
        for (int p = 0; p < x->run.instances[i].count; p++) {
            const rx_step *step = &x->run.instances[i].steps[p];
            if (step->passed_over && step->reached)
                report(x, SWP_PHASE_ALIAS, &x->run.instances[i], step);
        }
}

roles_exploration roles_explore(const swp_schedule *schedule, int n,
                                const roles_explorer_options *options)
{
    const roles_explorer_options o = options ? *options : (roles_explorer_options){0};
    const size_t most = o.most_states ? o.most_states : 1000000;
    explorer x = {.every_moment = o.every_moment};
    if (!rx_run_fill(&x.run, schedule, n, o.others ? o.others : 2)) {
        x.out.no_run = true;
        return x.out;
    }
    rx_state_rules(&x.run);
    rx_judge_lists(&x.run, &x.out);
    start(&x);
    for (size_t i = 0; i < x.seen.count && !x.out.undecided; i++) {
        visit(&x, i);
        x.out.undecided = x.seen.count > most;
    }
    report_passed_over(&x);
    if (!o.every_kind)
        rx_keep_first_kind(&x.out);
    x.out.states = x.seen.count;
    rx_states_free(&x.seen);
    free(x.now);
    free(x.next);
    free(x.waits);
    rx_run_free(&x.run);
    return x.out;
}
