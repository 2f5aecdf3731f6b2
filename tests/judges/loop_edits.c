/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_edits.h"

#include "loop_programs.h"

typedef struct editor {
    swp_context *ctx;
    swp_schedule *schedule;
    test_random *random;
    int list;
    swp_entry_list *entries;
} editor;

enum { TRIES = 20, FAR = 4 };

static bool is_wait(const swp_op *op)
{
    return op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
}

static bool is_sync(const swp_op *op)
{
    return op->tag >= SWP_FIRST_INFRASTRUCTURE_TAG && op->tag <= SWP_TAG_NONE;
}

static bool is_work(const swp_op *op)
{
    return !is_sync(op);
}

/* An entry that a predicate takes; -1: none was found. */
static int choose(const editor *e, bool (*takes)(const swp_op *))
{
    for (int i = 0; i < TRIES && e->entries->count > 0; i++) {
        const int at = random_int(e->random, 0, (int)e->entries->count - 1);
        if (takes(&e->entries->items[at].op))
            return at;
    }
    return -1;
}

static void insert(const editor *e, int at, swp_op op)
{
    loop_program_insert(e->ctx, e->schedule, e->list, at, op);
}

static bool drop_sync(editor *e)
{
    const int at = choose(e, is_sync);
    if (at >= 0)
        loop_program_remove(e->schedule, e->list, at);
    return at >= 0;
}

static bool weaken_wait(editor *e)
{
    const int at = choose(e, is_wait);
    if (at >= 0)
        e->entries->items[at].op.wait_value += random_int(e->random, 1, 3);
    return at >= 0;
}

static bool strengthen_wait(editor *e)
{
    const int at = choose(e, is_wait);
    if (at < 0 || e->entries->items[at].op.wait_value == 0)
        return false;
    e->entries->items[at].op.wait_value--;
    return true;
}

static bool add_sync(editor *e)
{
    const int at = random_int(e->random, 0, (int)e->entries->count);
    switch (random_int(e->random, 0, 2)) {
    case 0:
        insert(e, at, swp_op_wait_vm(random_int(e->random, 0, 3)));
        break;
    case 1:
        insert(e, at, swp_op_wait_lgkm(random_int(e->random, 0, 3)));
        break;
    default:
        insert(e, at, swp_op_barrier());
    }
    return true;
}

static bool move(editor *e, bool (*takes)(const swp_op *))
{
    const int from = choose(e, takes);
    if (from < 0)
        return false;
    const int last = (int)e->entries->count - 1;
    const int to = from + random_int(e->random, -FAR, FAR);
    const swp_op op = e->entries->items[from].op;
    if (to < 0 || to > last || to == from)
        return false;
    loop_program_remove(e->schedule, e->list, from);
    insert(e, to, op);
    return true;
}

static bool move_sync(editor *e)
{
    return move(e, is_sync);
}

static bool move_work(editor *e)
{
    return move(e, is_work);
}

static bool swap(editor *e)
{
    if (e->entries->count < 2)
        return false;
    const int at = random_int(e->random, 0, (int)e->entries->count - 2);
    const swp_op op = e->entries->items[at].op;
    loop_program_remove(e->schedule, e->list, at);
    insert(e, at + 1, op);
    return true;
}

static bool change_iteration(editor *e)
{
    const int at = choose(e, is_work);
    const int by = random_chance(e->random, 50) ? 1 : e->schedule->loop.tiles_per_pass;
    if (at >= 0)
        e->entries->items[at].op.iteration += random_chance(e->random, 50) ? by : -by;
    return at >= 0;
}

static bool drop_work(editor *e)
{
    const int at = choose(e, is_work);
    if (at >= 0)
        loop_program_remove(e->schedule, e->list, at);
    return at >= 0;
}

static bool repeat_work(editor *e)
{
    const int at = choose(e, is_work);
    if (at < 0)
        return false;
    insert(e, random_int(e->random, at, (int)e->entries->count), e->entries->items[at].op);
    return true;
}

static bool change_machine(editor *e)
{
    swp_machine *m = &e->schedule->machine;
    switch (random_int(e->random, 0, 8)) {
    case 0:
        m->registers =
            m->registers == SWP_REGISTERS_RAW ? SWP_REGISTERS_MANAGED : SWP_REGISTERS_RAW;
        return true;
    case 1:
        m->barrier = m->barrier == SWP_BARRIER_RAW ? SWP_BARRIER_FENCED : SWP_BARRIER_RAW;
        return true;
    case 2:
        if (m->registers == SWP_REGISTERS_SCOREBOARD)
            m->registers = SWP_REGISTERS_MANAGED; /* its counters do not wrap */
        m->counter_full =
            m->counter_full == SWP_COUNTER_WRAPS ? SWP_COUNTER_STALLS : SWP_COUNTER_WRAPS;
        return true;
    case 3:
        m->waves_per_group = 3 - m->waves_per_group;
        return true;
    case 4:
        m->vm_max = random_int(e->random, 1, 6);
        return true;
    case 5:
        m->lgkm_max = random_int(e->random, 1, 6);
        return true;
    case 6:
        m->lag_end_barrier = !m->lag_end_barrier;
        return m->lag;
    case 7:
        e->schedule->drops_loop_barrier = !e->schedule->drops_loop_barrier;
        return true;
    default:
        m->lag = m->groups == 2 ? 1 - m->lag : 0;
        return m->groups == 2;
    }
}

typedef struct kind_of_edit {
    const char *name;
    int weight;
    bool (*apply)(editor *e);
} kind_of_edit;

static const kind_of_edit kinds[] = {
    {"drop a wait or barrier", 22, drop_sync},
    {"weaken a wait", 10, weaken_wait},
    {"strengthen a wait", 4, strengthen_wait},
    {"add a wait or barrier", 12, add_sync},
    {"move a wait or barrier", 16, move_sync},
    {"move an op", 8, move_work},
    {"swap neighbours", 14, swap},
    {"change an iteration", 4, change_iteration},
    {"drop an op", 1, drop_work},
    {"repeat an op", 2, repeat_work},
    {"change the machine", 10, change_machine},
};

const char *loop_edit(swp_context *ctx, swp_schedule *schedule, test_random *random)
{
    for (;;) {
        editor e = {.ctx = ctx, .schedule = schedule, .random = random, .list = SWP_KERNEL};
        int dice = random_int(random, 1, 103);
        size_t kind = 0;
        if (random_chance(random, 40))
            e.list = random_int(random, 0, loop_program_lists(schedule) - 1);
        e.entries = loop_program_list(schedule, e.list);
        while (dice > kinds[kind].weight)
            dice -= kinds[kind++].weight;
        if (kinds[kind].apply(&e))
            return kinds[kind].name;
    }
}
