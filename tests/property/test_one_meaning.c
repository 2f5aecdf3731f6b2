/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random loops of stores and wgmmas without warp roles, and the same lists as those of one role, as the manual says what
 * each entry means (docs/loops-proof.md, docs/roles-reference.md). Both have the same verdict, least N and cycles, and what is told
 * without roles is told of the role.
 * SWP_SEED replays a run, SWP_CASES scales it.
 */
#include "fixture.h"

#include "random.h"

#include "swp/loop_compile.h"
#include "swp/simulate.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOPS = 30,
    EDITS = 5,
    MOST_LISTS = 16,
    WARP_GROUP = 4,
    THREADS = 128,
    MOST_TILES = 3,
    MOST_COUNT = 65535,
    MOST_EDITS = 5
};

/* --- The loop --- */

static void add_store(swp_loop_builder *l, test_random *random, int tile, int number)
{
    static const char *const names[] = {"ST0", "ST1", "ST2"};
    const int from = swp_value(l, names[number] + 2, .space = SWP_SPACE_REGISTERS, .bytes = 512);
    swp_work(l, names[number], .latency = random_int(random, 20, 70),
             .completion = SWP_COMPLETION_NONE, .reads = {{.value = from}}, .writes = {tile});
}

static void add_reader(swp_loop_builder *l, test_random *random, const int *tiles, int count,
                       int number)
{
    static const char *const wgmmas[] = {"MM0", "MM1", "MM2"};
    static const char *const loads[] = {"LD0", "LD1", "LD2"};
    static const char *const sums[] = {"C0", "C1", "C2"};
    const int tile = tiles[random_int(random, 0, count - 1)];
    const int distance = random_chance(random, 20) ? random_int(random, 1, 2) : 0;
    const int sum =
        swp_value(l, sums[number], .space = SWP_SPACE_REGISTERS, .bytes = 512, .most_slots = 1);
    if (random_chance(random, 60))
        swp_work(l, wgmmas[number], .latency = random_int(random, 40, 160),
                 .completion = SWP_COMPLETION_MATRIX_GROUP,
                 .reads = {{.value = tile, .distance = distance}}, .updates = {sum});
    else
        swp_work(l, loads[number], .latency = 30, .completion = SWP_COMPLETION_NONE,
                 .reads = {{.value = tile, .distance = distance}}, .updates = {sum});
}

static swp_loop random_stores(swp_context *ctx, test_random *random)
{
    static const char *const names[] = {"X0", "X1", "X2"};
    swp_loop_builder *l = swp_loop_new(ctx, "stores");
    int tiles[MOST_TILES];
    swp_loop loop;
    const int count = random_int(random, 1, MOST_TILES);
    const int readers = random_int(random, 1, MOST_TILES);
    for (int i = 0; i < count; i++)
        tiles[i] = swp_value(l, names[i], .space = SWP_SPACE_SHARED, .bytes = 1024,
                             .most_slots = random_int(random, 3, 4));
    for (int i = 0; i < count; i++)
        add_store(l, random, tiles[i], i);
    for (int i = 0; i < readers; i++)
        add_reader(l, random, tiles, count, i);
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

/* --- The same lists as a role's --- */

typedef struct listed {
    swp_entry_list list;
    int *place; /* of each entry of the other form, and of its end */
} listed;

static swp_entry_list *list_of(swp_schedule *schedule, int number)
{
    swp_stream *s = &schedule->streams[0];
    swp_entry_list *const first[] = {&s->prologue, &s->kernel, &s->epilogue};
    const int tails = number - 3;
    if (number < 3)
        return first[number];
    if (tails < (int)s->tails.epilogue_count)
        return &s->tails.epilogues[tails];
    return tails - (int)s->tails.epilogue_count < (int)s->tails.straight_count
               ? &s->tails.straight[tails - (int)s->tails.epilogue_count]
               : NULL;
}

static void put(swp_entry_list *list, swp_op op)
{
    op.object = op.tag == SWP_TAG_NAMED_SYNC ? 0 : -1;
    op.by = SWP_ALL_THREADS;
    op.instances = 0;
    list->items[list->count++] = (swp_entry){.op = op};
}

static void put_sync(swp_entry_list *list, int tag, int wait)
{
    swp_op op = swp_op_none();
    op.tag = tag;
    op.role = SWP_SYNC;
    op.wait_value = wait;
    put(list, op);
}

/* The header's barrier has the fence. */
static void put_barrier(swp_entry_list *list)
{
    put_sync(list, SWP_TAG_FENCE_ASYNC, 0);
    put_sync(list, SWP_TAG_NAMED_SYNC, 0);
}

static bool is_wgmma(const swp_loop *loop, int tag)
{
    const int op = swp_loop_op_of_tag(tag);
    return (tag < SWP_TAG_BARRIER || tag > SWP_TAG_NONE) &&
           loop->ops[op].completion == SWP_COMPLETION_MATRIX_GROUP;
}

/* An entry that means nothing to a role, such as a wait for what the loop has none of, leaves its place to the next. */
static void put_entry(const swp_loop *loop, const swp_op *op, listed *out)
{
    switch (op->tag) {
    case SWP_TAG_BARRIER:
        put_barrier(&out->list);
        break;
    case SWP_TAG_WAIT_LGKM:
        put_sync(&out->list, SWP_TAG_MATRIX_WAIT, op->wait_value);
        break;
    case SWP_TAG_WAIT_VM:
        break;
    default:
        if (is_wgmma(loop, op->tag))
            put_sync(&out->list, SWP_TAG_MATRIX_FENCE, 0);
        put(&out->list, *op);
        if (is_wgmma(loop, op->tag))
            put_sync(&out->list, SWP_TAG_MATRIX_COMMIT, 0);
        break;
    }
}

static listed list_again(const swp_loop *loop, const swp_entry_list *from, bool meets, bool ends)
{
    enum { MOST_FOR_ONE = 3, MORE = 4 };
    listed out = {.place = calloc(from->count + 1, sizeof *out.place)};
    out.list.capacity = MOST_FOR_ONE * from->count + MORE;
    out.list.items = calloc(out.list.capacity, sizeof *out.list.items);
    assert_non_null(out.place);
    assert_non_null(out.list.items);
    for (size_t i = 0; i < from->count; i++) {
        const swp_op *op = &from->items[i].op;
        put_entry(loop, op, &out);
        out.place[i] = (int)out.list.count - 1 - is_wgmma(loop, op->tag);
    }
    out.place[from->count] = (int)out.list.count;
    if (meets)
        put_barrier(&out.list);
    if (ends)
        put_sync(&out.list, SWP_TAG_MATRIX_WAIT, 0);
    return out;
}

typedef struct as_role {
    swp_schedule schedule;
    swp_role_object turns;
    swp_entry_list tails[MOST_LISTS];
    listed lists[MOST_LISTS];
    int count;
} as_role;

static void write_as_role(swp_schedule *flat, as_role *out)
{
    swp_stream *s = &out->schedule.streams[0];
    out->schedule = *flat;
    out->turns = (swp_role_object){
        .name = "turns", .kind = SWP_OBJECT_NAMED_BARRIER, .slots = 1, .threads = THREADS};
    out->schedule.objects = &out->turns;
    out->schedule.object_count = 1;
    out->schedule.drops_loop_barrier = false;
    out->schedule.pipeline = NULL;
    out->schedule.kept_pipeline = NULL;
    s->name = "all";
    s->warps = WARP_GROUP;
    s->instances = 1;
    s->tails.epilogues = out->tails;
    s->tails.straight = out->tails + s->tails.epilogue_count;
    for (out->count = 0; list_of(flat, out->count); out->count++) {
        const bool meets = out->count == 0 && !flat->drops_loop_barrier;
        assert_true(out->count < MOST_LISTS);
        out->lists[out->count] =
            list_again(flat->dataflow->loop, list_of(flat, out->count), meets, out->count >= 2);
        *list_of(&out->schedule, out->count) = out->lists[out->count].list;
    }
}

static void free_role(as_role *role)
{
    for (int i = 0; i < role->count; i++) {
        free(role->lists[i].list.items);
        free(role->lists[i].place);
    }
}

/* --- Edits --- */

static bool is_sync(const swp_op *op)
{
    return op->tag == SWP_TAG_BARRIER || op->tag == SWP_TAG_WAIT_LGKM;
}

/* One entry is removed, exchanged with the next, or weakened. */
static void edit(swp_schedule *schedule, test_random *random)
{
    swp_entry_list *list = list_of(schedule, random_int(random, 0, 2));
    if (list->count < 2)
        return;
    size_t i = (size_t)random_int(random, 0, (int)list->count - 2);
    while (i + 2 < list->count && !is_sync(&list->items[i].op) && random_chance(random, 80))
        i++;
    swp_entry *e = &list->items[i];
    const swp_entry kept = *e;
    if (e->op.tag == SWP_TAG_WAIT_LGKM && random_chance(random, 40)) {
        e->op.wait_value++;
    } else if (is_sync(&e->op) && random_chance(random, 60)) {
        memmove(e, e + 1, (list->count - i - 1) * sizeof *e);
        list->count--;
    } else {
        *e = list->items[i + 1];
        list->items[i + 1] = kept;
    }
}

/* --- What both say --- */

typedef struct tally {
    test_random random;
    size_t programs, unsafe, compared, differ;
} tally;

static int least_n(const swp_verdict *verdict)
{
    int least = -1;
    for (size_t i = 0; i < verdict->hazards.count; i++)
        if (least < 0 || verdict->hazards.items[i].smallest_n < least)
            least = verdict->hazards.items[i].smallest_n;
    return least;
}

/* The kinds are named apart: a wgmma's register, and a fence that an entry has or the barrier. */
static swp_hazard_kind as_of_role(swp_hazard_kind kind)
{
    return kind == SWP_REGISTER_NOT_READY ? SWP_ACCUMULATOR_IN_FLIGHT : kind;
}

static bool has(const swp_verdict *of_role, swp_hazard_kind kind, swp_phase phase, int entry, int n)
{
    for (size_t i = 0; i < of_role->hazards.count; i++) {
        const swp_hazard *h = &of_role->hazards.items[i];
        if (h->kind == kind && h->at.phase == phase && h->at.entry == entry && h->smallest_n <= n)
            return true;
    }
    return false;
}

static int list_number(const swp_schedule *schedule, const swp_hazard *h)
{
    const int form = swp_schedule_form_of(schedule, h->smallest_n);
    return h->at.phase == SWP_PROLOGUE ? 0
           : h->at.phase == SWP_KERNEL ? 1
           : form == 0                 ? 2
                                       : form + 2;
}

/* Before stale_read a run with roles ends with its first kind; there the least N alone is compared. */
static bool tells_all(const swp_verdict *of_role)
{
    for (size_t i = 0; i < of_role->hazards.count; i++)
        if (of_role->hazards.items[i].kind == SWP_UNFENCED ||
            of_role->hazards.items[i].kind == SWP_ACCUMULATOR_IN_FLIGHT)
            return false;
    return true;
}

/*
 * Without roles what was told of a write or a read counts as done, so that what else it does is not told, or from a larger N.
 * With roles all is told.
 */
static bool have_same_hazards(const swp_schedule *flat, const as_role *role,
                              const swp_verdict *of_flat, const swp_verdict *of_role)
{
    if (of_flat->hazards.count > of_role->hazards.count)
        return false;
    for (size_t i = 0; i < of_flat->hazards.count; i++) {
        const swp_hazard *h = &of_flat->hazards.items[i];
        const int entry = role->lists[list_number(flat, h)].place[h->at.entry];
        if (!has(of_role, as_of_role(h->kind), h->at.phase, entry, h->smallest_n))
            return false;
    }
    return true;
}

/* Where issues take no time, as a role has more entries. */
static int64_t cycles_of(swp_context *ctx, const swp_schedule *schedule)
{
    swp_simulate_options options = {0};
    swp_simulation out = {0};
    swp_schedule at_once = *schedule;
    at_once.machine.issue_cycles = 0;
    assert_ok(ctx, swp_simulate(ctx, &at_once, &options, &out));
    return out.cycles * 1000 / out.passes;
}

static void tell(const swp_verdict *verdict, const char *who)
{
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *h = &verdict->hazards.items[i];
        print_message("  %s: %s, list %d, entry %d, N %d\n", who, swp_hazard_name(h->kind),
                      (int)h->at.phase, h->at.entry, h->smallest_n);
    }
}

static void compare(swp_context *ctx, swp_schedule *flat, tally *t)
{
    as_role role = {.count = 0};
    swp_verdict verdicts[2] = {{0}};
    write_as_role(flat, &role);
    assert_ok(ctx, swp_verify(ctx, flat, NULL, 0, &verdicts[0]));
    assert_ok(ctx, swp_verify(ctx, &role.schedule, NULL, 0, &verdicts[1]));
    bool agree = least_n(&verdicts[0]) == least_n(&verdicts[1]);
    t->programs++;
    t->unsafe += !verdicts[0].safe;
    if (agree && tells_all(&verdicts[1])) {
        t->compared++;
        agree = have_same_hazards(flat, &role, &verdicts[0], &verdicts[1]);
    }
    if (agree && verdicts[0].safe && flat->loop.tiles_per_pass > 0) {
        const int64_t cycles[] = {cycles_of(ctx, flat), cycles_of(ctx, &role.schedule)};
        agree = cycles[0] == cycles[1];
        if (!agree)
            print_message("%lld and %lld thousandths of a cycle\n", (long long)cycles[0],
                          (long long)cycles[1]);
    }
    if (!agree) {
        t->differ++;
        tell(&verdicts[0], "without roles");
        tell(&verdicts[1], "as one role");
    }
    free_role(&role);
}

static void a_loop_means_the_same_as_one_role(void **state)
{
    const uint64_t seed = random_seed(43);
    const size_t cases = random_sample(LOOPS);
    tally t = {.differ = 0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        const swp_loop_options options = {.target = "sm_90",
                                          .machine = {.groups = 1,
                                                      .waves_per_group = WARP_GROUP,
                                                      .vm_max = MOST_COUNT,
                                                      .lgkm_max = MOST_COUNT,
                                                      .barrier = SWP_BARRIER_FENCED,
                                                      .registers = SWP_REGISTERS_SCOREBOARD}};
        const swp_limits limits = {.work = 300};
        swp_context *ctx = swp_context_new(NULL);
        t.random = random_for_case(seed, i);
        swp_context_set_limits(ctx, &limits);
        const swp_loop loop = random_stores(ctx, &t.random);
        const size_t before = t.differ;
        for (int k = 0; k <= EDITS; k++) {
            swp_schedule *schedule = NULL;
            assert_ok(ctx, swp_compile_loop(ctx, &loop, &options, &schedule));
            assert_int_equal(schedule->object_count, 0);
            for (int edits = k > 0 ? random_int(&t.random, 1, MOST_EDITS) : 0; edits > 0; edits--)
                edit(schedule, &t.random);
            compare(ctx, schedule, &t);
            swp_schedule_free(schedule);
        }
        if (t.differ > before)
            print_message("case %zu\n", i);
        swp_context_free(ctx);
    }
    print_message("%zu programs, %zu unsafe, hazards compared of %zu\n", t.programs, t.unsafe,
                  t.compared);
    assert_int_equal(t.differ, 0);
    assert_true(t.unsafe * 10 >= t.programs * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_means_the_same_as_one_role),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
