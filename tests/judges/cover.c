/* SPDX-License-Identifier: Apache-2.0 */
#include "cover.h"

#include "worse.h"

const char *cover_reason_meaning(cover_reason reason)
{
#define NAME(constant, meaning) meaning,
    static const char *const names[] = {COVER_REASONS_TABLE(NAME)};
#undef NAME
    return names[reason];
}

/* --- Other entries --- */

static bool same_entry(link_entry a, link_entry b)
{
    return a.phase == b.phase && a.entry == b.entry && a.pass == b.pass;
}

static bool other_retirement(const cover_example *e)
{
    return e->before.cause != e->after.cause || !same_entry(e->before.retired, e->after.retired);
}

static bool other_barrier(const cover_example *e, int side)
{
    return e->after.across &&
           (!e->before.across || !same_entry(e->before.barriers[side], e->after.barriers[side]));
}

static void note_reasons(cover *c, const cover_example *e)
{
    static const cover_reason reasons[] = {COVER_WAIT,    COVER_DRAIN, COVER_REGISTER,
                                           COVER_COUNTER, COVER_LDS,   COVER_UNOBSERVED};
    if (other_retirement(e))
        c->reasons[reasons[e->after.cause]] = true;
    if (other_barrier(e, 0) || other_barrier(e, 1))
        c->reasons[COVER_BARRIER] = true;
}

/* An entry whatever the pass. */
static bool alike(link_entry a, link_entry b)
{
    return a.phase == b.phase && a.entry == b.entry;
}

static bool covers_alike(const link *a, const link *b)
{
    return a->cause == b->cause && a->across == b->across && alike(a->retired, b->retired) &&
           alike(a->barriers[0], b->barriers[0]) && alike(a->barriers[1], b->barriers[1]);
}

static void compare_pair(cover *c, const link *before, const link *after)
{
    const cover_example e = {*before, *after};
    if (link_same_cover(before, after))
        return;
    note_reasons(c, &e);
    for (int i = 0; i < c->count; i++)
        if (covers_alike(&c->examples[i].after, after))
            return;
    if (c->count < COVER_MOST_EXAMPLES)
        c->examples[c->count++] = e;
}

/* --- No other entries --- */

static bool is_hint(const swp_schedule *base, swp_phase phase, int entry)
{
    return swp_schedule_phase(base, phase)->items[entry].op.role == SWP_FENCE;
}

static bool is_same_tile(const swp_schedule *base, const mutant *m)
{
    const swp_schedule *mutated = &m->program.schedule;
    return swp_k_multiple(swp_schedule_phase(base, m->phase)->items[m->entry].op.k_offset) ==
           swp_k_multiple(swp_schedule_phase(mutated, m->phase)->items[m->entry].op.k_offset);
}

static cover_reason reason_without_cover(const swp_schedule *base, const mutant *m)
{
    if (m->kind == MUTANT_K_OFFSET && is_same_tile(base, m))
        return COVER_SAME_TILE;
    if (m->kind == MUTANT_SWAP &&
        (is_hint(base, m->phase, m->entry) || is_hint(base, m->phase, m->entry + 1)))
        return COVER_HINT;
    if ((m->kind == MUTANT_DELETE_WAIT || m->kind == MUTANT_WEAKEN_WAIT) &&
        !links_wait_retires(base, m->phase, m->entry))
        return COVER_IDLE;
    return COVER_UNTOUCHED;
}

cover cover_of(const link_list *base, const link_list *mutated, const mutant *m,
               const swp_schedule *schedule)
{
    cover c = {.count = 0};
    size_t i = 0;
    size_t j = 0;
    bool gone = false;
    bool fresh = false;
    while (i < base->count || j < mutated->count) {
        const link *before = i < base->count ? &base->items[i] : NULL;
        const link *after = j < mutated->count ? &mutated->items[j] : NULL;
        const int order = !before ? 1 : !after ? -1 : link_compare(before, after);
        if (order == 0)
            compare_pair(&c, before, after);
        gone |= order < 0;
        fresh |= order > 0;
        i += order <= 0;
        j += order >= 0;
    }
    c.reasons[COVER_OTHER_PAIR] |= fresh;
    c.reasons[COVER_UNOBSERVED] |= gone && !fresh;
    if (c.count == 0 && !gone && !fresh)
        c.reasons[reason_without_cover(schedule, m)] = true;
    return c;
}

/* --- The judgement without the cover --- */

/* Puts a hint in the place of the base's entry, if it is still there. */
static void blank(program *p, const mutant *m, link_entry e)
{
    const swp_entry_list *entries = program_phase(p, e.phase);
    if (e.entry < 0)
        return;
    for (int i = 0; i < (int)entries->count; i++)
        if ((m && m->phase == e.phase ? m->order[i] : i) == e.entry)
            entries->items[i].op = swp_op_set_prio(0);
}

static program without_cover(const swp_schedule *schedule, const mutant *m, const cover_example *e)
{
    program p = program_copy(schedule);
    swp_machine *machine = &p.schedule.machine;
    for (int side = 0; side < 2; side++)
        if (other_barrier(e, side))
            blank(&p, m, e->after.barriers[side]);
    if (!other_retirement(e))
        return p;
    if (e->after.cause == CAUSE_WAIT)
        blank(&p, m, e->after.retired);
    if (e->after.cause == CAUSE_FENCED_BARRIER)
        machine->barrier = SWP_BARRIER_RAW;
    if (e->after.cause == CAUSE_REGISTER_USE)
        machine->registers = SWP_REGISTERS_RAW;
    if (e->after.cause == CAUSE_FULL_COUNTER)
        machine->vm_max = machine->lgkm_max = SWP_MOST_ACCESSES;
    return p;
}

static hazard_set judge_without(const swp_schedule *schedule, const mutant *m,
                                const swp_schedule *base, const cover_example *e, int most_tiles)
{
    program p = without_cover(schedule, m, e);
    judgement judged = unrolled_judge(&p.schedule, most_tiles);
    const hazard_set set = hazards_of_judgement(&judged, m, base);
    judgement_free(&judged);
    program_free(&p);
    return set;
}

bool cover_is_needed(const swp_schedule *base, const mutant *m, const cover *c, int most_tiles)
{
    for (int i = 0; i < c->count; i++) {
        const cover_example *e = &c->examples[i];
        const hazard_set before = judge_without(base, NULL, base, e, most_tiles);
        const hazard_set after = judge_without(&m->program.schedule, m, base, e, most_tiles);
        if (is_worse(&after, &before))
            return true;
    }
    return false;
}

/* --- As text --- */

static void print_entry(FILE *out, const swp_schedule *base, link_entry e)
{
    const swp_entry_list *entries = swp_schedule_phase(base, e.phase);
    if (e.entry < 0 || e.entry >= (int)entries->count)
        fprintf(out, "a barrier that is no entry");
    else
        fprintf(out, "%s %d (%s)", swp_phase_name(e.phase), e.entry,
                swp_schedule_op_name(base, entries->items[e.entry].op.tag));
    if (e.phase == SWP_KERNEL)
        fprintf(out, " of pass %d", e.pass);
}

static void print_order(FILE *out, const swp_schedule *base, const link *l)
{
    fprintf(out, "%s", link_cause_name(l->cause));
    if (l->cause == CAUSE_NONE || l->cause == CAUSE_LDS_ORDER)
        return;
    fprintf(out, " ");
    print_entry(out, base, l->retired);
    if (!l->across)
        return;
    fprintf(out, ", then barrier ");
    print_entry(out, base, l->barriers[0]);
    if (!same_entry(l->barriers[0], l->barriers[1])) {
        fprintf(out, ", for the other group ");
        print_entry(out, base, l->barriers[1]);
    }
}

static void print_example(FILE *out, const swp_schedule *base, const cover_example *e)
{
    fprintf(out, "      N = %d, %s from ", e->after.tiles, link_kind_name(e->after.kind));
    print_entry(out, base, e->after.from);
    fprintf(out, " to ");
    print_entry(out, base, e->after.to);
    fprintf(out, ": now by ");
    print_order(out, base, &e->after);
    fprintf(out, "; before by ");
    print_order(out, base, &e->before);
    fprintf(out, "\n");
}

void cover_print(FILE *out, const swp_schedule *base, const cover *c)
{
    const char *separator = "    ";
    for (int reason = 0; reason < COVER_REASONS; reason++)
        if (c->reasons[reason]) {
            fprintf(out, "%s%s", separator, cover_reason_meaning((cover_reason)reason));
            separator = "; ";
        }
    fprintf(out, "\n");
    for (int i = 0; i < c->count; i++)
        print_example(out, base, &c->examples[i]);
}
