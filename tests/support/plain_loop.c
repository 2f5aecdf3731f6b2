/* SPDX-License-Identifier: Apache-2.0 */
#include "plain_loop.h"

#include "random.h"

#include <string.h>

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = a * UINT64_C(0x9e3779b97f4a7c15) + b + UINT64_C(0x7f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) | 1;
}

/* What stands in a value before the first iteration. */
static uint64_t initial(int value, int version)
{
    return mix((uint64_t)value + 1000, (uint64_t)version + 1000);
}

static bool contains(const int *list, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

static bool makes(const swp_loop_op *op, int value)
{
    return contains(op->writes, op->write_count, value) ||
           contains(op->updates, op->update_count, value);
}

static bool is_made(const swp_loop *loop, int value)
{
    for (size_t i = 0; i < loop->op_count; i++)
        if (makes(&loop->ops[i], value))
            return true;
    return false;
}

/* History of a value: its content after each iteration, and now. */
typedef struct history {
    uint64_t after[PLAIN_MOST_RUN];
    uint64_t now;
} history;

static uint64_t version_of(const swp_loop *loop, const history *h, int value, int iteration)
{
    if (!is_made(loop, value))
        return initial(value, 0);
    return iteration < 0 ? initial(value, iteration) : h->after[iteration];
}

void plain_run(const swp_loop *loop, int n, plain_results *out)
{
    history histories[PLAIN_MOST_VALUES];
    memset(histories, 0, sizeof histories);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < n; i++) {
        for (int v = 0; v < (int)loop->value_count; v++)
            histories[v].now = version_of(loop, &histories[v], v, i - 1);
        for (int o = 0; o < (int)loop->op_count; o++) {
            const swp_loop_op *op = &loop->ops[o];
            uint64_t result = mix((uint64_t)o, (uint64_t)i);
            for (size_t r = 0; r < op->read_count; r++) {
                const swp_loop_read *read = &op->reads[r];
                const history *h = &histories[read->value];
                result = mix(result, read->distance == 0 && is_made(loop, read->value)
                                         ? h->now
                                         : version_of(loop, h, read->value, i - read->distance));
            }
            for (size_t u = 0; u < op->update_count; u++)
                result = mix(result, histories[op->updates[u]].now);
            for (int v = 0; v < (int)loop->value_count; v++)
                if (makes(op, v))
                    histories[v].now = mix(result, (uint64_t)v);
            out->of[i][o] = result;
        }
        for (int v = 0; v < (int)loop->value_count; v++)
            histories[v].after[i] = histories[v].now;
    }
}

static int slot_of(const plain_machine *m, int value, int iteration)
{
    const int slots = m->slots[value];
    return (iteration % slots + slots) % slots;
}

void plain_start(plain_machine *m, const swp_loop *loop, const int *slots)
{
    *m = (plain_machine){.loop = loop, .slots = slots};
    for (int v = 0; v < (int)loop->value_count; v++)
        for (int version = -slots[v]; version < 0; version++)
            m->held[v][slot_of(m, v, version)] = initial(v, version);
}

/* Whether this op is the first of an iteration that makes the value. */
static bool is_first(const swp_loop *loop, int op, int value)
{
    for (int i = 0; i < op; i++)
        if (makes(&loop->ops[i], value))
            return false;
    return true;
}

void plain_do(plain_machine *m, int index, int iteration)
{
    const swp_loop_op *op = &m->loop->ops[index];
    uint64_t result = mix((uint64_t)index, (uint64_t)iteration);
    if (iteration < 0 || iteration >= PLAIN_MOST_RUN) {
        m->fault = "an iteration that does not exist";
        return;
    }
    if (m->results.of[iteration][index] != 0)
        m->fault = "an op is done twice";
    for (size_t r = 0; r < op->read_count; r++) {
        const swp_loop_read *read = &op->reads[r];
        const bool made = is_made(m->loop, read->value);
        const int from = iteration - read->distance;
        result = mix(result, made ? m->held[read->value][slot_of(m, read->value, from)]
                                  : initial(read->value, 0));
    }
    for (size_t u = 0; u < op->update_count; u++) {
        const int v = op->updates[u];
        const int from = is_first(m->loop, index, v) ? iteration - 1 : iteration;
        result = mix(result, m->held[v][slot_of(m, v, from)]);
    }
    for (int v = 0; v < (int)m->loop->value_count; v++)
        if (makes(op, v))
            m->held[v][slot_of(m, v, iteration)] = mix(result, (uint64_t)v);
    m->results.of[iteration][index] = result;
}

/* One making of a value: which iteration's, and which of the iteration's makers. */
typedef struct making {
    int iteration;
    int op;
    int64_t begins;
    int64_t ends;
} making;

typedef struct clock {
    const swp_loop *loop;
    const int *slots;
    const int64_t *times;
    int64_t interval;
    int n;
} clock;

static making making_of(const clock *c, int iteration, int op)
{
    const int64_t at = c->times[op] + c->interval * iteration;
    return (making){iteration, op, at, at + c->loop->ops[op].latency};
}

static int64_t signal(const clock *c, int a, int b)
{
    return c->loop->ops[a].role == c->loop->ops[b].role ? 0 : c->loop->signal;
}

static bool is_after(const making *a, int iteration, int op)
{
    return a->iteration != iteration ? a->iteration > iteration : a->op > op;
}

static bool is_register_of_counted(const swp_loop *loop, const swp_loop_op *op, int value)
{
    return loop->values[value].space == SWP_SPACE_REGISTERS &&
           (op->completion == SWP_COMPLETION_COUNTER || op->completion == SWP_COMPLETION_VMCNT ||
            op->completion == SWP_COMPLETION_LGKMCNT);
}

static int64_t reads_for(const swp_loop *loop, const swp_loop_op *op, int value)
{
    if (op->read_cycles > 0)
        return op->read_cycles;
    const bool is_done =
        op->completion == SWP_COMPLETION_UNSTATED || op->completion == SWP_COMPLETION_NONE;
    return is_done || is_register_of_counted(loop, op, value) ? 0 : op->latency;
}

/* Of `matrix_group`, or a `group` that reads shared memory; it makes registers. */
static bool is_wgmma(const swp_loop *loop, const swp_loop_op *op)
{
    bool reads_shared = false;
    for (int v = 0; v < (int)loop->value_count; v++) {
        if (loop->values[v].space != SWP_SPACE_SHARED)
            continue;
        if (makes(op, v))
            return false;
        for (size_t r = 0; r < op->read_count; r++)
            reads_shared = reads_shared || op->reads[r].value == v;
    }
    return op->completion == SWP_COMPLETION_MATRIX_GROUP ||
           (op->completion == SWP_COMPLETION_GROUP && reads_shared);
}

/* The version of the next iteration cannot be anywhere else. */
static bool stays_in_slot(const clock *c, int value)
{
    int most = c->loop->values[value].most_slots;
    for (size_t o = 0; o < c->loop->op_count; o++)
        for (size_t r = 0; r < c->loop->ops[o].read_count; r++) {
            const swp_loop_read *read = &c->loop->ops[o].reads[r];
            most = read->value == value && read->distance > 0 ? 2 : most;
        }
    return c->slots[value] == 1 && (most > 0 ? most : c->loop->values[value].least_slots) == 1;
}

/* So many cycles after the maker an update of the same slot may begin; 0: when the maker has landed. */
static int64_t own_latency(const clock *c, int maker, int update, int value)
{
    const swp_loop_op *before = &c->loop->ops[maker];
    const swp_loop_op *op = &c->loop->ops[update];
    const bool in_place = stays_in_slot(c, value) || !is_first(c->loop, update, value);
    for (size_t u = 0; u < op->update_count; u++) {
        if (op->updates[u] != value)
            continue;
        if (op->update_latencies && op->update_latencies[u] > 0)
            return op->update_latencies[u];
        if (!in_place || !is_wgmma(c->loop, before) || !is_wgmma(c->loop, op) ||
            before->role != op->role)
            return 0;
        /* Results of wgmmas in one accumulator land in order. */
        return before->latency - op->latency > 1 ? before->latency - op->latency : 1;
    }
    return 0;
}

/* Until the next maker may begin: of two updates in one slot the second lands, and so reads, behind the first. */
static int64_t holds_for(const clock *c, int value, int reader, int next, bool update)
{
    const swp_loop_op *ops = c->loop->ops;
    const int64_t reading = reads_for(c->loop, &ops[reader], value);
    const bool in_place = update && (stays_in_slot(c, value) || !is_first(c->loop, next, value));
    const int64_t own = in_place ? own_latency(c, reader, next, value) : 0;
    const bool reads_on = reading > ops[reader].latency;
    return own > 0 && own < reading && !reads_on ? own : reading;
}

/* Of accesses the machine asks no more than the order of their issue, where nobody waits until they have landed. */
static bool lands_whenever(const clock *c, int value, int maker)
{
    const swp_loop_op *op = &c->loop->ops[maker];
    if (op->completion == SWP_COMPLETION_UNSTATED || op->completion == SWP_COMPLETION_NONE)
        return false;
    if (c->loop->values[value].space == SWP_SPACE_REGISTERS)
        return (op->completion == SWP_COMPLETION_COUNTER ||
                op->completion == SWP_COMPLETION_VMCNT ||
                op->completion == SWP_COMPLETION_LGKMCNT) &&
               op->write_count + op->update_count == 1;
    for (size_t o = 0; o < c->loop->op_count; o++) {
        const swp_loop_op *other = &c->loop->ops[o];
        for (size_t r = 0; r < other->read_count; r++)
            if (other->reads[r].value == value)
                return false;
        for (size_t u = 0; u < other->update_count; u++)
            if (other->updates[u] == value)
                return false;
    }
    return c->loop->role_count == 0;
}

/*
 * A read of what maker (iteration, op) left: that has landed, or is as far as the reader needs (`latency`), and whatever is made
 * later in the same slot begins when the read is over, of an `update` or another op. `op` is -1 where the version is older than the run. What
 * was made there before has landed too, unless it lands in order before what the reader takes early.
 */
static const char *check_read(const clock *c, int value, int reader, int at, int iteration, int op,
                              int64_t latency, bool update)
{
    const int64_t begins = c->times[reader] + c->interval * at;
    const int slots = c->slots[value];
    for (int i = 0; i < c->n; i++)
        for (int o = 0; o < (int)c->loop->op_count; o++) {
            if (!makes(&c->loop->ops[o], value) || (i - iteration) % slots != 0)
                continue;
            const making m = making_of(c, i, o);
            if (is_after(&m, iteration, op)) {
                const bool itself = o == reader && i == at;
                if (!itself && m.begins < begins + holds_for(c, value, reader, o, update) +
                                              signal(c, reader, o))
                    return "a version is replaced before it is read";
            } else if ((latency > 0 || lands_whenever(c, value, o)) &&
                       (i != iteration || o != op)) {
                continue;
            } else if ((latency > 0 ? m.begins + latency : m.ends) + signal(c, o, reader) >
                       begins) {
                return "a version is read before it is there";
            }
        }
    return NULL;
}

static int last_maker(const swp_loop *loop, int value, int before)
{
    for (int o = before - 1; o >= 0; o--)
        if (makes(&loop->ops[o], value))
            return o;
    return -1;
}

static const char *check_op(const clock *c, int index, int iteration)
{
    const swp_loop_op *op = &c->loop->ops[index];
    const int count = (int)c->loop->op_count;
    const char *fault = NULL;
    for (size_t r = 0; r < op->read_count && !fault; r++) {
        const swp_loop_read *read = &op->reads[r];
        if (is_made(c->loop, read->value))
            fault =
                check_read(c, read->value, index, iteration, iteration - read->distance,
                           last_maker(c->loop, read->value, read->distance == 0 ? index : count),
                           read->latency, false);
    }
    for (size_t u = 0; u < op->update_count && !fault; u++) {
        const int value = op->updates[u];
        const int before = last_maker(c->loop, value, index);
        const int maker = before < 0 ? last_maker(c->loop, value, count) : before;
        fault = check_read(c, value, index, iteration, before < 0 ? iteration - 1 : iteration,
                           maker, own_latency(c, maker, index, value), true);
    }
    return fault;
}

/* What nobody reads must not land after what replaces it either. */
static const char *check_rewriting(const clock *c, int value)
{
    const int count = (int)c->loop->op_count;
    const int last = last_maker(c->loop, value, count);
    int first = 0;
    if (last < 0)
        return NULL;
    while (!makes(&c->loop->ops[first], value))
        first++;
    /* In one slot updates land one after the other, so that the next one may begin as early as it may read. */
    const int64_t early = stays_in_slot(c, value) ? own_latency(c, last, first, value) : 0;
    for (int i = 0; i + c->slots[value] < c->n; i++) {
        const making old = making_of(c, i, last);
        const making new = making_of(c, i + c->slots[value], first);
        const int64_t own = early > 0 ? old.begins + early : old.ends;
        const int64_t there = lands_whenever(c, value, last) ? old.begins : own;
        if (new.begins < there + signal(c, last, first))
            return "a version lands after the one that replaces it begins";
    }
    return NULL;
}

const char *plain_timing_fault(const swp_loop *loop, const int *slots, const int64_t *times,
                               int64_t interval, int n)
{
    const clock c = {loop, slots, times, interval, n};
    for (int i = 0; i < n; i++)
        for (int o = 0; o < (int)loop->op_count; o++) {
            const char *fault = check_op(&c, o, i);
            if (fault)
                return fault;
        }
    for (int v = 0; v < (int)loop->value_count; v++) {
        const char *fault = check_rewriting(&c, v);
        if (fault)
            return fault;
    }
    return NULL;
}

int64_t plain_held(const swp_loop *loop, int op, int unit, int64_t time, int64_t interval,
                   int64_t cycle)
{
    const swp_loop_op *o = &loop->ops[op];
    int64_t held = 0;
    for (size_t u = 0; u < o->use_count; u++)
        for (int64_t k = 0; k < o->uses[u].cycles; k++)
            if (o->uses[u].resource == unit && (time + k) % interval == cycle)
                held += o->uses[u].amount;
    return held;
}

bool plain_fits(const swp_loop *loop, const int64_t *times, int64_t interval)
{
    for (int unit = 0; unit < (int)loop->unit_count; unit++)
        for (int64_t cycle = 0; cycle < interval; cycle++) {
            int64_t held = 0;
            for (int o = 0; o < (int)loop->op_count; o++)
                held += plain_held(loop, o, unit, times[o], interval, cycle);
            if (held > loop->units[unit].capacity)
                return false;
        }
    return true;
}
