/* SPDX-License-Identifier: Apache-2.0 */
/* Derives the edges of a loop's scheduling problem from its reads, writes and updates. */
#include "certify/loop_edges.h"

#include "certify/loop_instances.h"

enum { NOBODY = -1 };

/*
 * The ops of an iteration that make a value: the first, the last, and the nearest ones before and
 * after an op.
 */
typedef struct makers {
    int first;
    int last;
    int before;
    int after;
} makers;

static bool has(const int *values, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] == value)
            return true;
    return false;
}

static bool is_updated_by(const swp_loop_op *op, int value)
{
    return has(op->updates, op->update_count, value);
}

static makers makers_of(const swp_loop *loop, int value, int around)
{
    makers m = {NOBODY, NOBODY, NOBODY, NOBODY};
    for (int o = 0; o < (int)loop->op_count; o++) {
        const swp_loop_op *op = &loop->ops[o];
        if (!has(op->writes, op->write_count, value) && !is_updated_by(op, value))
            continue;
        m.first = m.first == NOBODY ? o : m.first;
        m.last = o;
        if (o < around)
            m.before = o;
        if (o > around && m.after == NOBODY)
            m.after = o;
    }
    return m;
}

int swp_certify_slots_with(const swp_loop *loop, int value)
{
    for (size_t o = 0; o < loop->op_count; o++) {
        const swp_loop_op *op = &loop->ops[o];
        if (op->most_slots > 0 && has(op->writes, op->write_count, value))
            return op->writes[0];
    }
    return value;
}

/* An op that states slots gives them to all that it writes, and what one of these needs at least, all have. */
static void range_of_ops(const swp_loop *loop, int *least, int *most)
{
    for (size_t o = 0; o < loop->op_count; o++) {
        const swp_loop_op *op = &loop->ops[o];
        int needed = op->least_slots;
        for (size_t i = 0; i < op->write_count; i++)
            needed = least[op->writes[i]] > needed ? least[op->writes[i]] : needed;
        for (size_t i = 0; i < op->write_count && op->most_slots > 0; i++) {
            least[op->writes[i]] = needed;
            most[op->writes[i]] = op->most_slots;
        }
    }
}

swp_status swp_certify_slot_range(swp_context *ctx, const swp_loop *loop, int **least, int **most)
{
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, least));
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, most));
    for (int v = 0; v < (int)loop->value_count; v++)
        (*least)[v] = loop->values[v].least_slots;
    for (size_t o = 0; o < loop->op_count; o++)
        for (size_t r = 0; r < loop->ops[o].read_count; r++) {
            const swp_loop_read *read = &loop->ops[o].reads[r];
            if (read->distance >= (*least)[read->value])
                (*least)[read->value] = read->distance + 1;
        }
    for (int v = 0; v < (int)loop->value_count; v++) {
        const int first = makers_of(loop, v, NOBODY).first;
        const bool stays = first == NOBODY || is_updated_by(&loop->ops[first], v);
        (*most)[v] = loop->values[v].most_slots > 0 ? loop->values[v].most_slots
                     : stays                        ? (*least)[v]
                                                    : SWP_MOST_SLOTS;
    }
    range_of_ops(loop, *least, *most);
    return SWP_OK;
}

typedef struct edge_list {
    swp_problem_edge *items;
    size_t count;
    size_t capacity;
} edge_list;

typedef struct deriver {
    swp_context *ctx;
    const swp_loop *loop;
    const int *slots;
    const int *most; /* most slots of each value */
    edge_list edges;
} deriver;

static swp_status depend(deriver *d, int producer, int consumer, int64_t distance, int64_t delay)
{
    const swp_loop *loop = d->loop;
    const bool across = loop->ops[producer].role != loop->ops[consumer].role;
    for (int i = 0; i < swp_certify_instances_of(loop, producer); i++)
        for (int j = 0; j < swp_certify_instances_of(loop, consumer); j++) {
            const swp_problem_edge edge = {swp_certify_op_of_instance(loop, producer, i),
                                           swp_certify_op_of_instance(loop, consumer, j), distance,
                                           across ? delay + loop->signal : delay};
            if (across || i == j)
                SWP_TRY(SWP_PUSH(d->ctx, &d->edges, edge));
        }
    return SWP_OK;
}

static bool is_counted(const swp_loop_op *op)
{
    return op->completion == SWP_COMPLETION_COUNTER || op->completion == SWP_COMPLETION_VMCNT ||
           op->completion == SWP_COMPLETION_LGKMCNT;
}

static int64_t reading_time(const swp_loop *loop, const swp_loop_op *op, int value)
{
    if (op->read_cycles > 0)
        return op->read_cycles;
    if (op->completion == SWP_COMPLETION_UNSTATED || op->completion == SWP_COMPLETION_NONE)
        return 0;
    return is_counted(op) && loop->values[value].space == SWP_SPACE_REGISTERS ? 0 : op->latency;
}

static bool accesses_shared(const swp_loop *loop, const int *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (loop->values[values[i]].space == SWP_SPACE_SHARED)
            return true;
    return false;
}

/* Hardware does matrix ops in order: an op says so itself, or its group reads shared memory and writes none. */
static bool is_matrix_op(const swp_loop *loop, const swp_loop_op *op)
{
    bool reads_shared = false;
    for (size_t r = 0; r < op->read_count; r++)
        reads_shared |= accesses_shared(loop, &op->reads[r].value, 1);
    if (accesses_shared(loop, op->writes, op->write_count) ||
        accesses_shared(loop, op->updates, op->update_count))
        return false;
    return op->completion == SWP_COMPLETION_MATRIX_GROUP ||
           (op->completion == SWP_COMPLETION_GROUP && reads_shared);
}

/*
 * If two matrix ops of a role update one register, the second may issue next, and lands no sooner
 * than the first.
 */
static int64_t time_in_order(const swp_loop *loop, const swp_loop_op *one, const swp_loop_op *two)
{
    if (one->role != two->role || !is_matrix_op(loop, one) || !is_matrix_op(loop, two))
        return 0;
    return one->latency > two->latency ? one->latency - two->latency : 1;
}

/* Returns how long after the op before it an update may issue; 0: once that has landed. */
static int64_t latency_of_update(const deriver *d, int maker, int then, int value, bool in_place)
{
    const swp_loop_op *op = &d->loop->ops[then];
    for (size_t u = 0; u < op->update_count; u++) {
        if (op->updates[u] != value)
            continue;
        const int64_t stated = op->update_latencies ? op->update_latencies[u] : 0;
        return stated > 0 || !in_place ? stated : time_in_order(d->loop, &d->loop->ops[maker], op);
    }
    return 0;
}

/* More slots must not be worse than one, so only a value that cannot have more counts as having one. */
static bool has_one_slot(const deriver *d, int value)
{
    return d->slots[value] <= 1 && d->most[value] == 1;
}

/* A reader may state itself when a version can be read. */
static int64_t own_or(int64_t latency, const swp_loop_op *maker)
{
    return latency > 0 ? latency : maker->latency;
}

static swp_status derive_read(deriver *d, int op, const swp_loop_read *read)
{
    const makers m = makers_of(d->loop, read->value, op);
    const int slots = d->slots[read->value];
    const int64_t reading = reading_time(d->loop, &d->loop->ops[op], read->value);
    const int maker = read->distance > 0 ? m.last : m.before;
    if (maker == NOBODY)
        return SWP_OK; /* the value is an input */
    SWP_TRY(depend(d, maker, op, read->distance, own_or(read->latency, &d->loop->ops[maker])));
    if (read->distance == 0 && m.after != NOBODY)
        SWP_TRY(depend(d, op, m.after, 0, reading));
    return slots > 0 ? depend(d, op, m.first, slots - read->distance, reading) : SWP_OK;
}

/*
 * Of two updates in one slot, the second lands after the first, which has then read, unless the
 * first states that it reads longer.
 */
static int64_t replacing_time(const deriver *d, int op, int value, int next)
{
    const int64_t reading = reading_time(d->loop, &d->loop->ops[op], value);
    const int64_t own = latency_of_update(d, op, next, value, true);
    return own > 0 && own < reading && reading <= d->loop->ops[op].latency ? own : reading;
}

static swp_status derive_update(deriver *d, int op, int value)
{
    const makers m = makers_of(d->loop, value, op);
    const int slots = d->slots[value];
    const int64_t reading = reading_time(d->loop, &d->loop->ops[op], value);
    const bool is_first = m.before == NOBODY;
    const int maker = is_first ? m.last : m.before;
    const bool in_place = !is_first || has_one_slot(d, value);
    SWP_TRY(depend(d, maker, op, is_first,
                   own_or(latency_of_update(d, maker, op, value, in_place), &d->loop->ops[maker])));
    if (is_first && slots != 1) /* it reads one slot and makes another */
        return slots > 0 ? depend(d, op, op, slots - 1, reading) : SWP_OK;
    if (m.after != NOBODY)
        return depend(d, op, m.after, 0, replacing_time(d, op, value, m.after));
    if (slots == 0)
        return SWP_OK;
    return depend(d, op, m.first, slots,
                  has_one_slot(d, value) ? replacing_time(d, op, value, m.first) : reading);
}

static bool is_asynchronous(const swp_loop_op *op)
{
    return op->completion != SWP_COMPLETION_UNSTATED && op->completion != SWP_COMPLETION_NONE;
}

static bool is_read(const swp_loop *loop, int value)
{
    bool read = false;
    for (size_t o = 0; o < loop->op_count; o++) {
        read |= is_updated_by(&loop->ops[o], value);
        for (size_t r = 0; r < loop->ops[o].read_count; r++)
            read |= loop->ops[o].reads[r].value == value;
    }
    return read;
}

/*
 * Returns whether a version may still be on its way when the next one is issued. That holds for a
 * counted op with one result in registers. Without roles it also holds for any asynchronous op that
 * makes a shared value without readers.
 */
static bool may_be_in_flight(const deriver *d, int value, int maker)
{
    const swp_loop_op *op = &d->loop->ops[maker];
    if (d->loop->values[value].space == SWP_SPACE_SHARED)
        return is_asynchronous(op) && d->loop->role_count == 0 && !is_read(d->loop, value);
    return is_counted(op) && op->write_count + op->update_count == 1;
}

/* Where a value has one slot, the first update of an iteration states how long it follows the last one. */
static int64_t remaking_time(const deriver *d, int value, const makers *m)
{
    if (may_be_in_flight(d, value, m->last))
        return 0;
    const int64_t own =
        has_one_slot(d, value) ? latency_of_update(d, m->last, m->first, value, true) : 0;
    return own_or(own, &d->loop->ops[m->last]);
}

static swp_status derive_dataflow(deriver *d)
{
    const swp_loop *loop = d->loop;
    for (int o = 0; o < (int)loop->op_count; o++) {
        for (size_t r = 0; r < loop->ops[o].read_count; r++)
            SWP_TRY(derive_read(d, o, &loop->ops[o].reads[r]));
        for (size_t u = 0; u < loop->ops[o].update_count; u++)
            SWP_TRY(derive_update(d, o, loop->ops[o].updates[u]));
    }
    for (int v = 0; v < (int)loop->value_count; v++) {
        const makers m = makers_of(loop, v, NOBODY);
        if (m.first != NOBODY && d->slots[v] > 0)
            SWP_TRY(depend(d, m.last, m.first, d->slots[v], remaking_time(d, v, &m)));
    }
    return SWP_OK;
}

/* The op that marks the iteration is none of the loop's, so it has no role. */
static swp_status derive_stages(deriver *d, int mark, int stages)
{
    for (int o = 0; o < (int)d->loop->op_count && stages > 0; o++) {
        SWP_TRY(SWP_PUSH(d->ctx, &d->edges, ((swp_problem_edge){mark, o, 0, 0})));
        SWP_TRY(SWP_PUSH(d->ctx, &d->edges, ((swp_problem_edge){o, mark, stages, 1})));
    }
    return SWP_OK;
}

swp_status swp_certify_problem_of_loop(swp_context *ctx, const swp_loop *loop, const int *slots,
                                       int stages, swp_problem *out)
{
    deriver d = {.ctx = ctx, .loop = loop, .slots = slots};
    swp_problem_op *ops = NULL;
    int *least = NULL;
    int *most = NULL;
    SWP_TRY(swp_certify_slot_range(ctx, loop, &least, &most));
    d.most = most;
    const int count = swp_certify_op_of_instance(loop, (int)loop->op_count, 0);
    SWP_TRY(SWP_TAKE(ctx, (size_t)count + 1, &ops));
    for (int o = 0; o < (int)loop->op_count; o++)
        for (int i = 0; i < swp_certify_instances_of(loop, o); i++)
            SWP_TRY(swp_certify_op_of_loop(ctx, loop, o, i,
                                           &ops[swp_certify_op_of_instance(loop, o, i)]));
    ops[count].name = "iteration";
    SWP_TRY(derive_dataflow(&d));
    SWP_TRY(derive_stages(&d, count, stages));
    *out = (swp_problem){.name = loop->name,
                         .kind = SWP_PROBLEM_MODULO,
                         .ops = ops,
                         .op_count = (size_t)count + (stages > 0),
                         .edges = d.edges.items,
                         .edge_count = d.edges.count,
                         .place = loop->place};
    return swp_certify_units_of_loop(ctx, loop, out);
}
