/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_edits.h"

#include "editor.h"

enum { FAR = 4 };

static bool is_wait(const editor *e, const swp_op *op)
{
    (void)e;
    return op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
}

static bool drop_sync(const editor *e)
{
    return editor_drop(e, editor_is_sync);
}

static bool weaken_wait(const editor *e)
{
    const int at = editor_choose(e, is_wait);
    if (at >= 0)
        e->list->items[at].op.wait_value += random_int(e->random, 1, 3);
    return at >= 0;
}

static bool strengthen_wait(const editor *e)
{
    const int at = editor_choose(e, is_wait);
    if (at < 0 || e->list->items[at].op.wait_value == 0)
        return false;
    e->list->items[at].op.wait_value--;
    return true;
}

static bool add_sync(const editor *e)
{
    const int at = random_int(e->random, 0, (int)e->list->count);
    switch (random_int(e->random, 0, 2)) {
    case 0:
        editor_insert(e, at, swp_op_wait_vm(random_int(e->random, 0, 3)));
        break;
    case 1:
        editor_insert(e, at, swp_op_wait_lgkm(random_int(e->random, 0, 3)));
        break;
    default:
        editor_insert(e, at, swp_op_barrier());
    }
    return true;
}

static bool move(const editor *e, editor_filter *takes)
{
    const int from = editor_choose(e, takes);
    if (from < 0)
        return false;
    const int last = (int)e->list->count - 1;
    const int to = from + random_int(e->random, -FAR, FAR);
    if (to < 0 || to > last || to == from)
        return false;
    editor_insert(e, to, editor_remove_at(e, from));
    return true;
}

static bool move_sync(const editor *e)
{
    return move(e, editor_is_sync);
}

static bool move_work(const editor *e)
{
    return move(e, editor_is_work);
}

static bool change_iteration(const editor *e)
{
    const int at = editor_choose(e, editor_is_work);
    const int by = random_chance(e->random, 50) ? 1 : e->schedule->loop.tiles_per_pass;
    if (at >= 0)
        e->list->items[at].op.iteration += random_chance(e->random, 50) ? by : -by;
    return at >= 0;
}

static bool drop_work(const editor *e)
{
    return editor_drop(e, editor_is_work);
}

static bool repeat_work(const editor *e)
{
    const int at = editor_choose(e, editor_is_work);
    if (at < 0)
        return false;
    editor_insert(e, random_int(e->random, at, (int)e->list->count), e->list->items[at].op);
    return true;
}

static bool change_machine(const editor *e)
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
    bool (*apply)(const editor *e);
} kind_of_edit;

static const kind_of_edit kinds[] = {
    {"drop a wait or barrier", 22, drop_sync},
    {"weaken a wait", 10, weaken_wait},
    {"strengthen a wait", 4, strengthen_wait},
    {"add a wait or barrier", 12, add_sync},
    {"move a wait or barrier", 16, move_sync},
    {"move an op", 8, move_work},
    {"swap neighbours", 14, editor_swap},
    {"change an iteration", 4, change_iteration},
    {"drop an op", 1, drop_work},
    {"repeat an op", 2, repeat_work},
    {"change the machine", 10, change_machine},
};

const char *loop_edit(swp_context *ctx, swp_schedule *schedule, test_random *random)
{
    for (;;) {
        editor e = {.ctx = ctx, .schedule = schedule, .random = random};
        swp_stream *stream = &schedule->streams[0];
        int dice = random_int(random, 1, 103);
        size_t kind = 0;
        const bool any = random_chance(random, 40);
        editor_take_list(&e, stream,
                         any ? random_int(random, 0, stream_lists(stream) - 1) : SWP_KERNEL);
        while (dice > kinds[kind].weight)
            dice -= kinds[kind++].weight;
        if (kinds[kind].apply(&e))
            return kinds[kind].name;
    }
}
