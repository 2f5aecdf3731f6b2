/* SPDX-License-Identifier: Apache-2.0 */
#include "aims.h"

#include "editor.h"
#include "edits.h"
#include "loop_edits.h"
#include "traits.h"

enum { TRIES = 24, MOST_EDITS = 3 };

/* Those that random programs seldom have, and none for as many as for two of them. */
static answers_trait choose(test_random *random)
{
    static const answers_trait rare[] = {
        ANSWERS_WRAPS,      ANSWERS_STALLS,      ANSWERS_GROWS,           ANSWERS_GROWS,
        ANSWERS_TAIL,       ANSWERS_TAIL,        ANSWERS_UNUSED_PROLOGUE, ANSWERS_UNOBSERVED,
        ANSWERS_SCOREBOARD, ANSWERS_TRAIT_COUNT, ANSWERS_TRAIT_COUNT};
    return rare[random_int(random, 0, (int)(sizeof rare / sizeof *rare) - 1)];
}

/* The counters of a scoreboard do not wrap. */
static void set_counters(swp_machine *m, answers_trait aim, test_random *random)
{
    const bool wraps = aim == ANSWERS_WRAPS || (aim == ANSWERS_GROWS && random_chance(random, 40));
    if (wraps && m->registers == SWP_REGISTERS_SCOREBOARD)
        m->registers = SWP_REGISTERS_MANAGED;
    m->counter_full = wraps ? SWP_COUNTER_WRAPS : SWP_COUNTER_STALLS;
    if (aim == ANSWERS_GROWS) {
        static const int most[] = {63, 127, 1023, 65535};
        m->vm_max = most[random_int(random, 0, 3)];
    } else {
        m->vm_max = random_int(random, 1, 12);
        m->lgkm_max = random_int(random, 1, 12);
    }
}

static void set_machine(swp_machine *m, answers_trait aim, test_random *random)
{
    if (aim == ANSWERS_WRAPS || aim == ANSWERS_STALLS || aim == ANSWERS_GROWS)
        set_counters(m, aim, random);
    if (aim != ANSWERS_SCOREBOARD)
        return;
    m->registers = SWP_REGISTERS_SCOREBOARD;
    m->counter_full = SWP_COUNTER_STALLS;
}

/* What a wait leaves in flight grows past what a pass issues. */
static void weaken(const swp_entry_list *list, test_random *random)
{
    const int most = random_chance(random, 30) ? 60000 : 60;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].op.tag == SWP_TAG_WAIT_VM && random_chance(random, 80))
            list->items[i].op.wait_value += random_int(random, 20, most);
}

/* A fragment load twice, or once more in the prologue: nothing reads what the first one read. */
static bool repeat_fragment(program *p, answers_trait aim, test_random *random)
{
    const swp_entry_list *kernel = &p->schedule.streams[0].kernel;
    const bool first = aim == ANSWERS_UNUSED_PROLOGUE;
    const int at = random_int(random, 0, (int)kernel->count - 1);
    const swp_op op = kernel->items[at].op;
    if (op.role != SWP_FRAGMENT_LOAD)
        return false;
    program_insert(p, first ? SWP_PROLOGUE : SWP_KERNEL,
                   first ? (int)p->schedule.streams[0].prologue.count : at, op);
    return true;
}

/* The place of a load, or the tile that it brings. */
static bool shift_load(program *p, test_random *random)
{
    const swp_entry_list *kernel = &p->schedule.streams[0].kernel;
    swp_op *op = &kernel->items[random_int(random, 0, (int)kernel->count - 1)].op;
    if (op->role != SWP_GLOBAL_LOAD || p->schedule.loop.placement != SWP_PLACE_K_OFFSET)
        return false;
    op->k_offset = (swp_k_offset)random_int(random, SWP_K0, SWP_K_PREV);
    return true;
}

static void edit_body(program *p, answers_trait aim, test_random *random)
{
    const int edits = random_int(random, 1, MOST_EDITS);
    set_machine(&p->schedule.machine, aim, random);
    if (aim == ANSWERS_GROWS)
        weaken(&p->schedule.streams[0].kernel, random);
    for (int i = 0; i < edits; i++) {
        const bool made = (aim == ANSWERS_TAIL && shift_load(p, random)) ||
                          ((aim == ANSWERS_UNUSED_PROLOGUE || aim == ANSWERS_UNOBSERVED) &&
                           repeat_fragment(p, aim, random));
        if (!made && aim != ANSWERS_GROWS)
            (void)random_edit(p, random);
    }
}

static bool has_meaning(const swp_schedule *schedule)
{
    swp_context *ctx = swp_context_new(NULL);
    const bool has = ctx && swp_schedule_check_loop(ctx, schedule) == SWP_OK;
    swp_context_free(ctx);
    return has;
}

static bool is_reached(const swp_schedule *schedule, answers_trait aim)
{
    return has_meaning(schedule) && answers_has(answers_traits(schedule), aim);
}

void answers_aim_body(program *p, test_random *random)
{
    const answers_trait aim = choose(random);
    if (aim == ANSWERS_TRAIT_COUNT)
        return;
    for (int i = 0; i < TRIES; i++) {
        program other = program_copy(&p->schedule);
        edit_body(&other, aim, random);
        if (is_reached(&other.schedule, aim)) {
            program_free(p);
            *p = other;
            return;
        }
        program_free(&other);
    }
}

/* An op once more, in the prologue or right before itself. */
static void repeat_op(loop_program *p, swp_schedule *schedule, answers_trait aim,
                      test_random *random)
{
    const swp_entry_list *kernel = &schedule->streams[0].kernel;
    const bool first = aim == ANSWERS_UNUSED_PROLOGUE;
    if (kernel->count == 0)
        return;
    const int at = random_int(random, 0, (int)kernel->count - 1);
    const int end = (int)schedule->streams[0].prologue.count;
    editor e = {.ctx = p->ctx, .schedule = schedule};
    editor_take_list(&e, &schedule->streams[0], first ? SWP_PROLOGUE : SWP_KERNEL);
    editor_insert(&e, first ? end : at, kernel->items[at].op);
}

static void edit_loop(loop_program *p, swp_schedule *schedule, answers_trait aim,
                      test_random *random)
{
    const int edits = random_int(random, 1, MOST_EDITS);
    set_machine(&schedule->machine, aim, random);
    if (aim == ANSWERS_GROWS)
        weaken(&schedule->streams[0].kernel, random);
    if (aim == ANSWERS_UNUSED_PROLOGUE || aim == ANSWERS_UNOBSERVED)
        repeat_op(p, schedule, aim, random);
    for (int i = 0; i < edits && aim != ANSWERS_GROWS; i++)
        (void)loop_edit(p->ctx, schedule, random);
}

void answers_aim_loop(loop_program *p, test_random *random)
{
    const answers_trait aim = choose(random);
    if (aim == ANSWERS_TRAIT_COUNT)
        return;
    for (int i = 0; i < TRIES; i++) {
        swp_schedule other = loop_program_copy(p->ctx, &p->schedule);
        edit_loop(p, &other, aim, random);
        if (is_reached(&other, aim)) {
            p->schedule = other;
            return;
        }
    }
}
