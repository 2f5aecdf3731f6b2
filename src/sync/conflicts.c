/* SPDX-License-Identifier: Apache-2.0 */
/* One walk along a list, which remembers since when each place has been touched. */
#include "sync/conflicts.h"

#include "ir/effects.h"
#include "ir/schedule.h"

/* Places and registers each begin a stretch of their own, so that neither moves where the other needs one. */
typedef struct walk {
    int *touched; /* stretch in which a place was last read or written */
    int *written;
    int stretch; /* entries since the last conflict; from 1 */
    bool is_shared;
} walk;

static bool is_in_conflict(const walk *w, const swp_effect *effect)
{
    for (size_t i = 0; i < effect->reads.count; i++)
        if (effect->reads.items[i].is_shared == w->is_shared &&
            w->written[effect->reads.items[i].where] == w->stretch)
            return true;
    for (size_t i = 0; i < effect->writes.count; i++)
        if (effect->writes.items[i].is_shared == w->is_shared &&
            w->touched[effect->writes.items[i].where] == w->stretch)
            return true;
    return false;
}

static void touch(walk *w, const swp_accesses *accesses, bool writes)
{
    for (size_t i = 0; i < accesses->count; i++)
        if (accesses->items[i].is_shared == w->is_shared) {
            w->touched[accesses->items[i].where] = w->stretch;
            if (writes)
                w->written[accesses->items[i].where] = w->stretch;
        }
}

/* Whether a later use of the register that it makes has to be behind a wait of the schedule. */
static bool is_unmanaged(const swp_machine *machine, const swp_effect *effect)
{
    return effect->object != SWP_NO_OBJECT &&
           (machine->registers == SWP_REGISTERS_RAW || !effect->is_awaited);
}

/* Whether the entry is in conflict with one of its stretch; then it begins another one. */
static bool step(walk *w, const swp_machine *machine, const swp_effect *effect)
{
    const bool conflict = is_in_conflict(w, effect);
    w->stretch += conflict;
    if (w->is_shared || effect->reads_in_flight)
        touch(w, &effect->reads, false);
    if (w->is_shared || is_unmanaged(machine, effect))
        touch(w, &effect->writes, true);
    return conflict;
}

static swp_status walk_new(swp_context *ctx, int places, bool is_shared, walk *out)
{
    *out = (walk){.stretch = 1, .is_shared = is_shared};
    SWP_TRY(SWP_TAKE(ctx, (size_t)places, &out->touched));
    return SWP_TAKE(ctx, (size_t)places, &out->written);
}

swp_status swp_sync_find_conflicts(swp_context *ctx, const swp_schedule *schedule, swp_phase phase,
                                   bool **conflicts)
{
    swp_effects effects = {0};
    walk places;
    walk registers;
    SWP_TRY(swp_ir_effects(ctx, schedule, &effects));
    SWP_TRY(walk_new(ctx, effects.place_count, true, &places));
    SWP_TRY(walk_new(ctx, effects.register_count, false, &registers));
    SWP_TRY(SWP_TAKE(ctx, (size_t)effects.lengths[phase], conflicts));
    bool is_first = true;
    for (int i = 0; i < effects.lengths[phase]; i++) {
        const swp_effect *effect = &effects.entries[phase][i];
        const bool of_places = step(&places, &schedule->machine, effect);
        const bool of_registers = step(&registers, &schedule->machine, effect);
        if (effect->kind != SWP_EFFECT_WORK)
            continue;
        (*conflicts)[i] = is_first || of_places || of_registers;
        is_first = false;
    }
    return SWP_OK;
}
