/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_explorer_rules.h"

#include "roles_explorer_touches.h"

static void rule(rx_step *step, swp_hazard_kind kind, int event, rx_moment moment)
{
    step->rules =
        rx_grown(step->rules, step->rule_count, &step->rule_capacity, sizeof *step->rules);
    step->rules[step->rule_count++] = (rx_rule){kind, event, moment.thread, moment.step};
}

static const rx_moment nowhere = {-1, -1};

/* --- Phases and meetings --- */

static void state_phase_rules(const rx_run *run, rx_step *step)
{
    const int before = rx_event_of(run, step->cell, step->number - 1);
    const bool waits = step->kind == RX_WAIT_PHASE;
    const swp_hazard_kind kind = waits ? SWP_PHASE_ALIAS : SWP_ARRIVALS;
    if (step->number < (waits ? -1 : 0))
        rule(step, kind, -1, nowhere);
    if (step->number < 1)
        return;
    rule(step, kind, before, nowhere);
    if (step->kind == RX_ARRIVE)
        rule(step, SWP_UNOBSERVED_PHASE, before, nowhere);
}

static void state_object_rules(const rx_run *run, rx_step *step)
{
    if (step->cell < 0)
        return;
    if (rx_is_mbarrier(&run->cells[step->cell]))
        state_phase_rules(run, step);
    else if (step->kind == RX_MEET && run->cells[step->cell].object && step->number > 0)
        rule(step, SWP_NAMED_BARRIER, rx_event_of(run, step->cell, step->number - 1), nowhere);
}

/* --- Shared places --- */

/* That one step is over before another issues. */
static void state_over(const rx_run *run, rx_step *later, swp_hazard_kind kind,
                       const rx_instance *instance, int earlier)
{
    const rx_step *step = &instance->steps[earlier];
    if (step->retired >= 0) {
        rule(later, kind, step->retired, nowhere);
        return;
    }
    for (int t = 0; t < instance->threads; t++)
        if (rx_executes(&run->threads[instance->first_thread + t], step))
            rule(later, kind, -1, (rx_moment){instance->first_thread + t, earlier});
}

/* That each thread that executes the ordinary instruction has a fence after it and before the later op. */
static void state_fenced(const rx_run *run, rx_step *later, const rx_instance *instance,
                         int earlier)
{
    if (later->retired < 0 || instance->steps[earlier].kind != RX_ORDINARY)
        return;
    for (int t = 0; t < instance->threads; t++) {
        const rx_thread *thread = &run->threads[instance->first_thread + t];
        if (!rx_executes(thread, &instance->steps[earlier]))
            continue;
        int fence = earlier + 1;
        while (fence < instance->count && !(instance->steps[fence].kind == RX_FENCE_ASYNC &&
                                            rx_executes(thread, &instance->steps[fence])))
            fence++;
        rule(later, SWP_UNFENCED, -1,
             fence < instance->count ? (rx_moment){instance->first_thread + t, fence} : nowhere);
    }
}

static void state_pair(const rx_run *run, rx_step *step, const rx_touch *own,
                       const rx_instance *instance, int other)
{
    const rx_touches touches = rx_touches_of(run, &instance->steps[other]);
    const int replaced = own->makes ? rx_replaced_tile(run, own) : 0;
    for (int i = 0; i < touches.count; i++) {
        const rx_touch *its = &touches.items[i];
        if (its->value != own->value)
            continue;
        if (!own->makes && its->makes && its->tile == own->tile) {
            state_over(run, step, SWP_STALE_READ, instance, other);
            state_fenced(run, step, instance, other);
        } else if (own->makes && its->tile == replaced) {
            if (!its->makes || rx_is_read(run, own->value))
                state_over(run, step, its->makes ? SWP_WRITE_RACE : SWP_OVERWRITTEN, instance,
                           other);
            if (its->makes || run->schedule->machine.fence_reads)
                state_fenced(run, step, instance, other);
        }
    }
}

static void state_shared_rules(const rx_run *run, const rx_instance *instance, rx_step *step)
{
    const rx_touches touches = rx_touches_of(run, step);
    for (int t = 0; t < touches.count; t++) {
        const rx_touch *own = &touches.items[t];
        if (own->input || !rx_is_shared(run, own->value))
            continue;
        for (int i = 0; i < run->instance_count; i++)
            for (int p = 0; p < run->instances[i].count; p++)
                if (rx_meet_in(run, instance, &run->instances[i], own->value))
                    state_pair(run, step, own, &run->instances[i], p);
    }
}

/* --- Registers of wgmmas in flight --- */

static bool meet_in_flight(const rx_run *run, const rx_step *matrix, const rx_step *later)
{
    const rx_touches a = rx_touches_of(run, matrix);
    const rx_touches b = rx_touches_of(run, later);
    for (int i = 0; i < a.count; i++)
        for (int j = 0; j < b.count; j++) {
            const rx_touch *early = &a.items[i];
            const rx_touch *late = &b.items[j];
            const bool in_order = later->kind == RX_MATRIX && (early->updates || early->makes) &&
                                  (late->updates || late->makes);
            if (early->value == late->value && !rx_is_shared(run, early->value) &&
                rx_slot_of(run, early->value, early->version) ==
                    rx_slot_of(run, late->value, late->version) &&
                (early->makes || late->makes) && !in_order)
                return true;
        }
    return false;
}

static void state_register_rules(const rx_run *run, const rx_instance *instance, int at)
{
    rx_step *step = &instance->steps[at];
    for (int p = 0; p < at && step->op >= 0; p++)
        if (instance->steps[p].kind == RX_MATRIX && meet_in_flight(run, &instance->steps[p], step))
            rule(step, SWP_ACCUMULATOR_IN_FLIGHT, instance->steps[p].retired, nowhere);
}

void rx_state_rules(rx_run *run)
{
    for (int i = 0; i < run->instance_count; i++) {
        const rx_instance *instance = &run->instances[i];
        for (int p = 0; p < instance->count; p++) {
            state_object_rules(run, &instance->steps[p]);
            state_shared_rules(run, instance, &instance->steps[p]);
            state_register_rules(run, instance, p);
        }
    }
}
