/* SPDX-License-Identifier: Apache-2.0 */
#include "explorer_report.h"

void report_at(const reporter *r, int at, swp_hazard_kind kind)
{
    const step *s = &r->list->items[at];
    judgement_add(r->judged, (judged_hazard){.kind = kind,
                                             .phase = s->phase,
                                             .entry = s->entry,
                                             .smallest_n = r->list->n});
}

/* --- Registers --- */

static bool uses_early(const step *user, int load)
{
    return (user->reloads && user->rewrites == load) ||
           (user->early[0] && user->producers[0] == load) ||
           (user->early[1] && user->producers[1] == load);
}

/* The first step that used a register before this load of it was done. */
static void report_early_use(const reporter *r, int load)
{
    for (int i = load + 1; i < r->list->count; i++)
        if (r->list->items[i].issued && uses_early(&r->list->items[i], load)) {
            report_at(r, i, SWP_REGISTER_NOT_READY);
            return;
        }
}

/* The COMPUTEs that read a register before anything was loaded to it. */
static void report_empty_register(const reporter *r, int operand)
{
    int held = NO_TILE;
    for (int i = 0; i < r->list->count; i++) {
        const step *s = &r->list->items[i];
        for (int k = 0; k < 2; k++)
            if (s->operands[k] == operand && s->kind == STEP_COMPUTE && s->counts && s->issued &&
                s->producers[k] < 0 && s->tile != held) {
                report_at(r, i, SWP_WRONG_TILE);
                held = s->tile;
            }
    }
}

/* --- What a step shows by itself --- */

static void report_step(const reporter *r, int at)
{
    const step *s = &r->list->items[at];
    if (s->stuck)
        report_at(r, at, SWP_DEADLOCK);
    if (s->kind == STEP_COMPUTE && !s->counts)
        report_at(r, at, SWP_DOUBLE_WORK);
    if (!s->issued)
        return;
    if (s->kind == STEP_LOAD && (s->tile < 0 || s->tile >= r->list->n))
        report_at(r, at, SWP_OUT_OF_RANGE);
    if (s->overflows[0] || s->overflows[1])
        report_at(r, at, SWP_COUNTER);
    report_early_use(r, at);
    for (int k = 0; k < 2 && s->kind == STEP_COMPUTE; k++)
        if (s->operands[k] >= 0)
            report_empty_register(r, s->operands[k]);
}

/* --- Products that no COMPUTE adds --- */

/* The k-slices of a tile that a single buffer has. */
static int slices(const swp_schedule *schedule)
{
    int count = 0;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
        for (size_t i = 0; i < entries->count; i++)
            if (entries->items[i].op.role == SWP_COMPUTE && entries->items[i].op.subtile >= count)
                count = entries->items[i].op.subtile + 1;
    }
    return count;
}

static bool is_work_missing(const step_list *list, const swp_schedule *schedule)
{
    const swp_loop_shape *loop = &schedule->loop;
    const int accumulators =
        loop->placement == SWP_PLACE_NEXT_TILE ? slices(schedule) : loop->m_mmas * loop->n_mmas;
    int products = 0;
    for (int i = 0; i < list->count; i++)
        products += list->items[i].kind == STEP_COMPUTE && list->items[i].counts;
    return products < accumulators * list->n;
}

/* --- All hazards, and whether there is any --- */

/* Takes back what happens behind a barrier at which a wave waits for ever. */
static void stop_at_barrier(step_list *list)
{
    bool stuck = false;
    for (int i = 0; i < list->count; i++) {
        stuck |= list->items[i].stuck;
        list->items[i].issued &= !stuck;
    }
}

void report_hazards(step_list *list, const swp_schedule *schedule, judgement *judged)
{
    const reporter r = {list, judged};
    stop_at_barrier(list);
    for (int i = 0; i < list->count; i++)
        report_step(&r, i);
    report_reads(&r);
    if (is_work_missing(list, schedule))
        judgement_add(judged, (judged_hazard){.kind = SWP_MISSING_WORK,
                                              .phase = SWP_EPILOGUE,
                                              .entry = (int)schedule->streams[0].epilogue.count,
                                              .smallest_n = list->n});
}

/* Whether some execution gave a COMPUTE another tile than its own. */
static bool gets_wrong_tile(const step_list *list, const step *compute)
{
    for (int k = 0; k < 2; k++) {
        if (compute->operands[k] >= 0 && compute->producers[k] < 0)
            return true;
        const sight_list *seen =
            compute->operands[k] >= 0 ? &list->items[compute->producers[k]].seen : NULL;
        for (size_t i = 0; seen && i < seen->count; i++)
            if (seen->items[i].source < 0 ||
                list->items[seen->items[i].source].tile != compute->tile)
                return true;
    }
    return false;
}

bool is_anything_wrong(const step_list *list, const swp_schedule *schedule)
{
    for (int i = 0; i < list->count; i++) {
        const step *s = &list->items[i];
        const bool outside = s->kind == STEP_LOAD && (s->tile < 0 || s->tile >= list->n);
        const bool full = s->overflows[0] || s->overflows[1];
        const bool early = s->early[0] || s->early[1] || s->reloads;
        const bool wrong = s->kind == STEP_COMPUTE && (!s->counts || gets_wrong_tile(list, s));
        if (s->stuck || (s->issued && (outside || full || early || wrong)))
            return true;
    }
    return is_work_missing(list, schedule);
}
