/* SPDX-License-Identifier: Apache-2.0 */
#include "random_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, UNITS = 2, MOST_DISTANCE = 2, NAME_SIZE = 16 };

typedef struct maker {
    swp_context *ctx;
    test_random *random;
    test_random conditions; /* apart, so that the loops without any are what they were */
    const loop_shape *shape;
    swp_loop_op *ops;
    swp_loop_value *values;
    int op_count;
    int value_count;
    int first[MOST]; /* op that makes each value first in an iteration; op_count: none */
} maker;

static void *take(maker *m, size_t bytes)
{
    void *memory = swp_context_take(m->ctx, bytes + 1);
    if (!memory)
        abort();
    return memory;
}

static int *list_with(maker *m, const int *list, size_t count, int value)
{
    int *longer = take(m, (count + 1) * sizeof *longer);
    for (size_t i = 0; i < count; i++)
        longer[i] = list[i];
    longer[count] = value;
    return longer;
}

/* One op writes a value, or nobody; or one or two update it. */
static void choose_makers(maker *m, int value)
{
    const int op = random_int(m->random, 0, m->op_count - 1);
    swp_loop_op *first = &m->ops[op];
    m->first[value] = m->op_count;
    if (random_chance(m->random, 10))
        return;
    m->first[value] = op;
    if (random_chance(m->random, 60)) {
        first->writes = list_with(m, first->writes, first->write_count, value);
        first->write_count++;
    } else {
        first->updates = list_with(m, first->updates, first->update_count, value);
        first->update_count++;
    }
    const int second = random_int(m->random, op, m->op_count - 1);
    if (second == op || random_chance(m->random, 60))
        return;
    m->ops[second].updates =
        list_with(m, m->ops[second].updates, m->ops[second].update_count, value);
    m->ops[second].update_count++;
}

static void add_read(maker *m, int op, int value, int distance)
{
    swp_loop_op *reader = &m->ops[op];
    swp_loop_read *reads = take(m, (reader->read_count + 1) * sizeof *reads);
    for (size_t i = 0; i < reader->read_count; i++)
        reads[i] = reader->reads[i];
    reads[reader->read_count] = (swp_loop_read){.value = value, .distance = distance};
    reader->reads = reads;
    reader->read_count++;
}

static void choose_reads(maker *m, int op)
{
    for (int value = 0; value < m->value_count; value++) {
        const bool input = m->first[value] == m->op_count;
        const int least = input || m->first[value] < op ? 0 : 1;
        const int most = input ? 0 : MOST_DISTANCE;
        if (random_chance(m->random, 35))
            add_read(m, op, value, random_int(m->random, least, most < least ? least : most));
    }
}

static void choose_op(maker *m, int op)
{
    swp_problem_use *uses = take(m, UNITS * sizeof *uses);
    char *name = take(m, NAME_SIZE);
    swp_loop_op *out = &m->ops[op];
    (void)snprintf(name, NAME_SIZE, "op%d", op);
    out->name = name;
    out->uses = uses;
    for (int unit = 0; unit < UNITS; unit++)
        if (random_chance(m->random, 60))
            uses[out->use_count++] =
                (swp_problem_use){unit, random_int(m->random, 1, unit + 1),
                                  random_int(m->random, 0, m->shape->most_cycles)};
    out->latency =
        random_int(m->random, 0, m->shape->most_cycles * (random_chance(m->random, 25) ? 4 : 1));
    out->completion = random_chance(m->random, 50) ? SWP_COMPLETION_NONE : SWP_COMPLETION_COUNTER;
    out->read_cycles =
        random_chance(m->random, 20) ? random_int(m->random, 1, m->shape->most_cycles) : 0;
    out->reads_global = random_chance(m->random, 10);
    out->writes_global = random_chance(m->random, 10);
    out->accesses = 1;
    out->role = random_int(m->random, 0, 1);
}

static bool makes(const swp_loop_op *op, int value)
{
    for (size_t w = 0; w < op->write_count; w++)
        if (op->writes[w] == value)
            return true;
    for (size_t u = 0; u < op->update_count; u++)
        if (op->updates[u] == value)
            return true;
    return false;
}

/* All ops that make the value are done when their latency has passed, so that less than it has a meaning. */
static bool is_timed(const maker *m, int value)
{
    for (int op = 0; op < m->op_count; op++)
        if (makes(&m->ops[op], value) && m->ops[op].completion != SWP_COMPLETION_NONE)
            return false;
    return true;
}

/* An update's result lands no sooner than those of the others, whichever it takes early. */
static int least_early(const maker *m, int op, int value)
{
    int least = 1;
    for (int other = 0; other < m->op_count; other++) {
        const int more = (int)(m->ops[other].latency - m->ops[op].latency);
        least = makes(&m->ops[other], value) && more > least ? more : least;
    }
    return least;
}

/* Nobody has it later than after its maker's latency. */
static int most_early(const maker *m, int value)
{
    int most = m->shape->most_cycles;
    for (int op = 0; op < m->op_count; op++)
        if (makes(&m->ops[op], value) && m->ops[op].latency < most)
            most = (int)m->ops[op].latency;
    return most;
}

/* 0, the maker's, where there is nothing to choose from. */
static int choose_early(maker *m, int value, int least, int percent)
{
    const int most = most_early(m, value);
    return is_timed(m, value) && random_chance(m->random, percent) && least <= most
               ? random_int(m->random, least, most)
               : 0;
}

/* Latencies of single dependences, in some loops. */
static void choose_latencies(maker *m)
{
    for (int o = 0; o < m->op_count; o++) {
        swp_loop_op *op = &m->ops[o];
        int64_t *latencies = take(m, op->update_count * sizeof *latencies);
        for (size_t r = 0; r < op->read_count; r++)
            ((swp_loop_read *)op->reads)[r].latency = choose_early(m, op->reads[r].value, 1, 20);
        for (size_t u = 0; u < op->update_count; u++)
            latencies[u] = choose_early(m, op->updates[u], least_early(m, o, op->updates[u]), 30);
        op->update_latencies = latencies;
    }
}

/* Slots that the readers allow, bounded in half of the cases. */
static void choose_slots(maker *m, int value)
{
    char *name = take(m, NAME_SIZE);
    int least = 1;
    (void)snprintf(name, NAME_SIZE, "v%d", value);
    for (int op = 0; op < m->op_count; op++)
        for (size_t r = 0; r < m->ops[op].read_count; r++)
            if (m->ops[op].reads[r].value == value && m->ops[op].reads[r].distance + 1 > least)
                least = m->ops[op].reads[r].distance + 1;
    m->values[value] = (swp_loop_value){.name = name,
                                        .space = random_chance(m->random, 50) ? SWP_SPACE_SHARED
                                                                              : SWP_SPACE_REGISTERS,
                                        .bytes = random_int(m->random, 0, 3),
                                        .least_slots = 1};
    if (random_chance(m->random, 50) && least <= m->shape->most_slots)
        m->values[value].most_slots = random_int(m->random, least, m->shape->most_slots);
}

static bool is_shared(const swp_loop *loop, int value)
{
    return loop->values[value].space == SWP_SPACE_SHARED;
}

/* Whether nothing that is stated says what counts the op's accesses (docs/loops.md, "What counts an access"). */
static bool is_open(const swp_loop *loop, const swp_loop_op *op)
{
    bool makes_shared = false;
    bool reads_shared = false;
    for (size_t w = 0; w < op->write_count; w++)
        makes_shared |= is_shared(loop, op->writes[w]);
    for (size_t r = 0; r < op->read_count; r++)
        reads_shared |= is_shared(loop, op->reads[r].value);
    for (size_t u = 0; u < op->update_count; u++)
        reads_shared |= is_shared(loop, op->updates[u]);
    const bool reads = op->read_count + op->update_count > 0;
    const bool makes = op->write_count + op->update_count > 0;
    if (op->reads_global || op->writes_global)
        return reads_shared || (makes_shared && !op->reads_global);
    return reads && makes && !reads_shared;
}

void state_counters(swp_loop *loop, test_random *random)
{
    static const swp_completion stated[][2] = {
        [SWP_COMPLETION_COUNTER] = {SWP_COMPLETION_VMCNT, SWP_COMPLETION_LGKMCNT},
        [SWP_COMPLETION_GROUP] = {SWP_COMPLETION_COPY_GROUP, SWP_COMPLETION_MATRIX_GROUP},
        [SWP_COMPLETION_MBARRIER] = {SWP_COMPLETION_COPY_MBARRIER, SWP_COMPLETION_MATRIX_MBARRIER}};
    for (size_t i = 0; i < loop->op_count; i++) {
        swp_loop_op *op = (swp_loop_op *)&loop->ops[i];
        const bool is_kind = op->completion == SWP_COMPLETION_COUNTER ||
                             op->completion == SWP_COMPLETION_GROUP ||
                             op->completion == SWP_COMPLETION_MBARRIER;
        if (is_kind && (is_open(loop, op) || random_chance(random, 10)))
            op->completion = stated[op->completion][random_int(random, 0, 1)];
    }
}

static bool may_be_conditional(const maker *m, const swp_loop_op *op)
{
    for (size_t r = 0; r < op->read_count; r++)
        if (m->values[op->reads[r].value].space != SWP_SPACE_REGISTERS)
            return false;
    for (size_t u = 0; u < op->update_count; u++) {
        const swp_loop_value *v = &m->values[op->updates[u]];
        if (v->space != SWP_SPACE_REGISTERS ||
            (m->first[op->updates[u]] == op - m->ops && v->most_slots != 1))
            return false;
    }
    return op->write_count == 0 && op->update_count > 0 && !op->reads_global && !op->writes_global;
}

/* In half of the cases its values become what lets it be left out, as far as others allow. */
static void suit_condition(maker *m, swp_loop_op *op)
{
    for (size_t r = 0; r < op->read_count; r++)
        m->values[op->reads[r].value].space = SWP_SPACE_REGISTERS;
    for (size_t u = 0; u < op->update_count; u++) {
        const int value = op->updates[u];
        int distance = 0;
        for (int other = 0; other < m->op_count; other++)
            for (size_t r = 0; r < m->ops[other].read_count; r++)
                if (m->ops[other].reads[r].value == value && m->ops[other].reads[r].distance > 0)
                    distance = m->ops[other].reads[r].distance;
        m->values[value].space = SWP_SPACE_REGISTERS;
        if (m->first[value] == op - m->ops && distance == 0)
            m->values[value].most_slots = 1;
    }
}

static swp_loop_when random_when(test_random *random)
{
    swp_loop_when when = {.kind = (swp_when)random_int(random, SWP_WHEN_USER, SWP_WHEN_EVERY)};
    if (when.kind != SWP_WHEN_EVERY)
        return when;
    when.every = random_int(random, 2, 5);
    when.offset = random_int(random, 0, when.every - 1);
    return when;
}

static void choose_condition(maker *m, swp_loop_op *op)
{
    if (op->write_count > 0 || op->update_count == 0 || random_chance(&m->conditions, 50))
        return;
    if (random_chance(&m->conditions, 60))
        suit_condition(m, op);
    if (!may_be_conditional(m, op))
        return;
    op->completion = SWP_COMPLETION_NONE;
    op->when = random_when(&m->conditions);
}

static bool makes_register(const maker *m, const swp_loop_op *op)
{
    return op->write_count == 1 && op->update_count == 0 &&
           m->values[op->writes[0]].space == SWP_SPACE_REGISTERS;
}

static void *copy_with_room(maker *m, const void *items, int count, size_t size)
{
    char *copy = take(m, (size_t)(count + 1) * size);
    memcpy(copy, items, (size_t)count * size);
    return copy;
}

/* A mask: the last op of an iteration, which changes what a load brings, or adds to a sum of its own. */
static void add_mask(maker *m, int load)
{
    const int loaded = m->ops[load].writes[0];
    int made = loaded;
    m->ops = copy_with_room(m, m->ops, m->op_count, sizeof *m->ops);
    swp_loop_op *mask = &m->ops[m->op_count];
    m->ops[load].completion = SWP_COMPLETION_COUNTER;
    *mask = (swp_loop_op){.name = "mask",
                          .latency = random_int(&m->conditions, 0, m->shape->most_cycles),
                          .accesses = 1,
                          .when = random_when(&m->conditions)};
    if (random_chance(&m->conditions, 50)) {
        m->values = copy_with_room(m, m->values, m->value_count, sizeof *m->values);
        made = m->value_count++;
        m->values[made] = (swp_loop_value){
            .name = "sum", .space = SWP_SPACE_REGISTERS, .least_slots = 1, .most_slots = 1};
        add_read(m, m->op_count, loaded, 0);
    }
    mask->updates = list_with(m, NULL, 0, made);
    mask->update_count = 1;
    m->op_count++;
}

static void add_conditions(maker *m)
{
    const int ops = m->op_count;
    m->conditions = random_for_case(m->random->state, 0);
    for (int op = 0; op < ops; op++)
        choose_condition(m, &m->ops[op]);
    for (int op = 0; op < ops; op++)
        if (makes_register(m, &m->ops[op]) && random_chance(&m->conditions, 60)) {
            add_mask(m, op);
            return;
        }
}

/* Some sums in registers, of ops that write no shared memory, are wgmmas'. */
static void add_wgmmas(maker *m)
{
    for (int value = 0; value < m->value_count; value++) {
        if (m->values[value].space != SWP_SPACE_REGISTERS || random_chance(&m->conditions, 50))
            continue;
        for (int o = 0; o < m->op_count; o++) {
            swp_loop_op *op = &m->ops[o];
            bool makes_shared = op->when.kind != SWP_WHEN_ALWAYS || !makes(op, value);
            for (int other = 0; other < m->value_count; other++)
                makes_shared |= makes(op, other) && m->values[other].space == SWP_SPACE_SHARED;
            if (makes_shared || random_chance(&m->conditions, 20))
                continue;
            op->completion = SWP_COMPLETION_MATRIX_GROUP;
            op->read_cycles = 0;
        }
    }
}

static void add_issues(maker *m)
{
    for (int op = 0; op < m->op_count; op++)
        if (random_chance(&m->conditions, 25))
            m->ops[op].issue = random_int(&m->conditions, 1, m->shape->most_cycles);
}

swp_loop random_loop(swp_context *ctx, test_random *random, const loop_shape *shape)
{
    static const swp_loop_role roles[] = {{.name = "producer"}, {.name = "consumer"}};
    static const swp_problem_resource units[UNITS] = {{"one", 1}, {"two", 2}};
    maker m = {.ctx = ctx, .random = random, .shape = shape};
    m.op_count = random_int(random, 1, shape->most_ops);
    m.value_count = random_int(random, 1, shape->most_values);
    m.ops = take(&m, (size_t)m.op_count * sizeof *m.ops);
    m.values = take(&m, (size_t)m.value_count * sizeof *m.values);
    for (int op = 0; op < m.op_count; op++)
        choose_op(&m, op);
    for (int value = 0; value < m.value_count; value++)
        choose_makers(&m, value);
    for (int op = 0; op < m.op_count; op++)
        choose_reads(&m, op);
    for (int value = 0; value < m.value_count; value++)
        choose_slots(&m, value);
    add_conditions(&m);
    if (shape->has_wgmmas)
        add_wgmmas(&m);
    if (shape->has_issues)
        add_issues(&m);
    if (shape->most_cycles > 0 && random_chance(random, 30))
        choose_latencies(&m);
    swp_loop loop = {.name = "random",
                     .units = units,
                     .unit_count = UNITS,
                     .values = m.values,
                     .value_count = (size_t)m.value_count,
                     .ops = m.ops,
                     .op_count = (size_t)m.op_count,
                     .roles = roles,
                     .role_count = 2,
                     .signal = random_int(random, 0, 2),
                     .objectives = {SWP_LEAST_SHARED, SWP_LEAST_REGISTERS, SWP_LEAST_STAGES}};
    state_counters(&loop, random);
    return loop;
}

void for_random_loops(const loop_shape *shape, uint64_t seed, size_t cases,
                      void (*check)(loop_case *c, void *tally), void *tally)
{
    for (size_t i = 0; i < cases; i++) {
        loop_case c = {
            .index = i, .ctx = swp_context_new(NULL), .random = random_for_case(seed, i)};
        c.loop = random_loop(c.ctx, &c.random, shape);
        check(&c, tally);
        swp_context_free(c.ctx);
    }
}

void print_loop(const swp_loop *loop)
{
    for (size_t v = 0; v < loop->value_count; v++)
        (void)printf("%s: %s, %d bytes, slots %d..%d\n", loop->values[v].name,
                     swp_space_name(loop->values[v].space), (int)loop->values[v].bytes,
                     loop->values[v].least_slots, loop->values[v].most_slots);
    for (size_t i = 0; i < loop->op_count; i++) {
        const swp_loop_op *op = &loop->ops[i];
        (void)printf("%s: latency %d, %s, role %d, read_cycles %d, uses", op->name,
                     (int)op->latency, swp_completion_name(op->completion), op->role,
                     (int)op->read_cycles);
        for (size_t u = 0; u < op->use_count; u++)
            (void)printf(" %d:%dx%d", op->uses[u].resource, (int)op->uses[u].amount,
                         (int)op->uses[u].cycles);
        (void)printf(", reads");
        for (size_t r = 0; r < op->read_count; r++)
            (void)printf(" v%d-%d/%d", op->reads[r].value, op->reads[r].distance,
                         (int)op->reads[r].latency);
        (void)printf(", writes");
        for (size_t w = 0; w < op->write_count; w++)
            (void)printf(" v%d", op->writes[w]);
        (void)printf(", updates");
        for (size_t u = 0; u < op->update_count; u++)
            (void)printf(" v%d/%d", op->updates[u],
                         op->update_latencies ? (int)op->update_latencies[u] : 0);
        if (op->when.kind != SWP_WHEN_ALWAYS)
            (void)printf(", when %s %d %d", swp_when_name(op->when.kind), op->when.every,
                         op->when.offset);
        (void)printf("\n");
    }
    (void)printf("signal %d, budget %d\n", (int)loop->signal, (int)loop->shared_budget);
}
