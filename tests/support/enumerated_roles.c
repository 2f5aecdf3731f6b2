/* SPDX-License-Identifier: Apache-2.0 */
#include "enumerated_roles.h"

enum { MOST_SLOTS = 2, MOST_INSTANCES = 3, NONE = -1000, LEAST_REGISTERS = 24 };

/* ---- Random loops ---- */

static const char *const names[] = {"a", "b", "c", "d"};

static void choose_reads(test_random *random, small_loop *l, int op)
{
    swp_loop_op *o = &l->ops[op];
    o->reads = l->reads[op];
    for (int value = 0; value < l->value_count; value++) {
        const int least = value < op ? 0 : 1;
        if (value == op || l->ops[value].update_count > 0 || !random_chance(random, 45))
            continue;
        const int distance = random_int(random, least, 1);
        if (l->values[value].most_slots > distance)
            l->reads[op][o->read_count++] = (swp_loop_read){.value = value, .distance = distance};
    }
}

static void choose_op(test_random *random, small_loop *l, int op)
{
    swp_loop_op *o = &l->ops[op];
    const bool updates = random_chance(random, 30);
    *o = (swp_loop_op){.name = names[op],
                       .latency = random_int(random, 0, 4),
                       .completion = SWP_COMPLETION_NONE,
                       .read_cycles = random_chance(random, 40) ? random_int(random, 1, 3) : 0,
                       .accesses = 1,
                       .role = random_int(random, 0, SMALL_ROLES - 1),
                       .uses = l->uses[op]};
    l->made[op] = op;
    if (updates) {
        o->updates = &l->made[op];
        o->update_count = 1;
    } else {
        o->writes = &l->made[op];
        o->write_count = 1;
    }
    for (int unit = 0; unit < SMALL_UNITS; unit++)
        if (random_chance(random, 55))
            l->uses[op][o->use_count++] = (swp_problem_use){unit, 1, random_int(random, 1, 3)};
    const bool shared = random_chance(random, 60);
    l->values[op] = (swp_loop_value){.name = names[op],
                                     .space = shared ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS,
                                     .bytes = 1024 * random_int(random, 0, 2),
                                     .least_slots = 1,
                                     .most_slots = updates ? 1 : random_int(random, 1, MOST_SLOTS)};
}

/* Either order of both roles: the search may look at them in any. */
static void leave_role_open(test_random *random, small_loop *l, int op)
{
    l->may[op][0] = l->ops[op].role;
    l->may[op][1] = 1 - l->ops[op].role;
    l->ops[op].roles = l->may[op];
    l->ops[op].role_count = random_chance(random, 40) ? SMALL_ROLES : 0;
}

void make_small_loop(test_random *random, small_loop *l)
{
    l->op_count = random_int(random, 2, SMALL_OPS);
    l->value_count = l->op_count;
    for (int r = 0; r < SMALL_ROLES; r++)
        l->roles[r] = (swp_loop_role){.name = names[r],
                                      .warps = 1,
                                      .instances = 1,
                                      .registers = random_chance(random, 40) ? LEAST_REGISTERS : 0};
    l->roles[1].instances = random_int(random, 1, l->op_count < SMALL_OPS ? MOST_INSTANCES : 2);
    for (int unit = 0; unit < SMALL_UNITS; unit++)
        l->units[unit] = (swp_problem_resource){names[unit], random_int(random, 1, 2)};
    for (int op = 0; op < l->op_count; op++)
        choose_op(random, l, op);
    for (int op = 0; op < l->op_count; op++)
        choose_reads(random, l, op);
    bool open = false;
    for (int op = 0; op < l->op_count; op++) {
        leave_role_open(random, l, op);
        open |= l->ops[op].role_count > 0;
    }
    /* A loop that says all roles is taken at its word, though two may touch the same registers. */
    for (int value = 0; value < l->value_count && !open; value++)
        l->values[value].space = SWP_SPACE_SHARED;
    l->loop = (swp_loop){.name = "small",
                         .units = l->units,
                         .unit_count = SMALL_UNITS,
                         .values = l->values,
                         .value_count = (size_t)l->value_count,
                         .ops = l->ops,
                         .op_count = (size_t)l->op_count,
                         .roles = l->roles,
                         .role_count = SMALL_ROLES,
                         .signal = random_int(random, 0, 2),
                         .objectives = {SWP_LEAST_SHARED, SWP_LEAST_REGISTERS, SWP_LEAST_STAGES}};
    for (int value = 0; value < l->value_count; value++)
        if (l->values[value].space == SWP_SPACE_SHARED)
            l->loop.shared_budget += MOST_SLOTS * l->values[value].bytes;
    l->loop.shared_budget -= random_chance(random, 40) && l->loop.shared_budget > 0;
    const bool issues = random_chance(random, 40);
    for (int op = 0; op < l->op_count && issues; op++)
        l->ops[op].issue = random_int(random, 0, 3);
}

/* ---- Enumeration ---- */

/* A choice of all that there is to choose. */
typedef struct choice {
    const small_loop *small;
    int interval;
    int role[SMALL_OPS];
    int slots[SMALL_OPS];
    int shift[SMALL_ROLES][MOST_INSTANCES];
    int cycle[SMALL_OPS]; /* of the interval */
} choice;

/* An op issued `delay` cycles behind another one, less so many intervals. */
typedef struct order {
    int before;
    int after;
    int delay;
    int distance;
} order;

static int floor_divided(int a, int b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

static int instances_of(const choice *c, int op)
{
    return c->small->roles[c->role[op]].instances;
}

/* Intervals from the one's to the other's, at least, as any of their instances want it. */
static int least_intervals(const choice *c, const order *o)
{
    const bool same = c->role[o->before] == c->role[o->after];
    int least = NONE;
    for (int i = 0; i < instances_of(c, o->before); i++)
        for (int j = 0; j < instances_of(c, o->after); j++) {
            if (same && i != j)
                continue;
            const int cycles = o->delay + (same ? 0 : (int)c->small->loop.signal) +
                               c->cycle[o->before] + c->shift[c->role[o->before]][i] -
                               c->cycle[o->after] - c->shift[c->role[o->after]][j];
            const int intervals = -floor_divided(-cycles, c->interval) - o->distance;
            least = intervals > least ? intervals : least;
        }
    return least;
}

enum { MOST_ORDERS = 64 };

/* What a value asks for: its readers behind its maker, and who makes its slot again behind both. */
static int list_orders_of(const choice *c, int value, order *out)
{
    const swp_loop_op *maker = &c->small->ops[value];
    const int latency = (int)maker->latency;
    const int slots = c->slots[value];
    int count = 0;
    out[count++] = (order){value, value, latency, slots};
    if (maker->update_count > 0) {
        out[count++] = (order){value, value, latency, 1};
        out[count++] = (order){value, value, (int)maker->read_cycles, 1};
    }
    for (int op = 0; op < c->small->op_count; op++)
        for (size_t r = 0; r < c->small->ops[op].read_count; r++) {
            const swp_loop_read *read = &c->small->ops[op].reads[r];
            if (read->value != value)
                continue;
            out[count++] = (order){value, op, latency, read->distance};
            out[count++] =
                (order){op, value, (int)c->small->ops[op].read_cycles, slots - read->distance};
        }
    return count;
}

/* Whether ops can be put so many intervals apart: no circle asks for more than none. */
static bool orders_hold(const choice *c)
{
    order orders[MOST_ORDERS];
    int interval_of[SMALL_OPS] = {0};
    int count = 0;
    bool changed = true;
    for (int value = 0; value < c->small->value_count; value++)
        count += list_orders_of(c, value, orders + count);
    for (int round = 0; round <= c->small->op_count && changed; round++) {
        changed = false;
        for (int i = 0; i < count; i++) {
            const int least = interval_of[orders[i].before] + least_intervals(c, &orders[i]);
            if (interval_of[orders[i].after] >= least)
                continue;
            interval_of[orders[i].after] = least;
            changed = true;
        }
    }
    return !changed;
}

static bool units_hold(const choice *c, int ops)
{
    int held[SMALL_UNITS][SMALL_INTERVAL + 1] = {{0}};
    for (int op = 0; op < ops; op++)
        for (size_t u = 0; u < c->small->ops[op].use_count; u++) {
            const swp_problem_use *use = &c->small->ops[op].uses[u];
            for (int i = 0; i < instances_of(c, op); i++)
                for (int k = 0; k < (int)use->cycles; k++) {
                    const int issue = c->cycle[op] + c->shift[c->role[op]][i] + c->interval;
                    const int cycle = (issue + k) % c->interval;
                    if (++held[use->resource][cycle] > c->small->units[use->resource].capacity)
                        return false;
                }
        }
    return true;
}

/* Of ops before `ops`: an instance issues one at a time, each for a cycle where only others say for how long. */
static bool issues_hold(const choice *c, int ops)
{
    bool held[SMALL_ROLES][SMALL_INTERVAL] = {{false}};
    int longest = 0;
    for (int op = 0; op < c->small->op_count; op++)
        longest = c->small->ops[op].issue > longest ? (int)c->small->ops[op].issue : longest;
    for (int op = 0; op < ops && longest > 0; op++) {
        const int own = (int)c->small->ops[op].issue;
        for (int k = 0; k < (own > 0 ? own : 1); k++) {
            bool *cycle = &held[c->role[op]][(c->cycle[op] + k) % c->interval];
            if (*cycle)
                return false;
            *cycle = true;
        }
    }
    return true;
}

static bool touches(const swp_loop_op *op, int value)
{
    for (size_t r = 0; r < op->read_count; r++)
        if (op->reads[r].value == value)
            return true;
    return (op->write_count > 0 ? op->writes[0] : op->updates[0]) == value;
}

/* Shared memory holds all; the threads of a role, 32 of an instance, its registers of 4 bytes. */
static bool bytes_fit(const choice *c)
{
    const small_loop *l = c->small;
    int shared = 0;
    int registers[SMALL_ROLES] = {0};
    for (int value = 0; value < l->value_count; value++) {
        const int bytes = c->slots[value] * (int)l->values[value].bytes;
        if (l->values[value].space == SWP_SPACE_SHARED)
            shared += bytes;
        else
            registers[c->role[value]] += bytes;
    }
    bool fits = l->loop.shared_budget == 0 || shared <= l->loop.shared_budget;
    for (int r = 0; r < SMALL_ROLES; r++)
        fits = fits && (l->roles[r].registers == 0 ||
                        registers[r] <= l->roles[r].registers * 4 * 32 * l->roles[r].instances);
    return fits;
}

/* What touches a register is of the role that makes it. */
static bool roles_fit(const choice *c)
{
    for (int value = 0; value < c->small->value_count; value++)
        for (int op = 0; op < c->small->op_count; op++)
            if (c->small->values[value].space == SWP_SPACE_REGISTERS &&
                touches(&c->small->ops[op], value) && c->role[op] != c->role[value])
                return false;
    return true;
}

static bool any_slots(choice *c, int value)
{
    const small_loop *l = c->small;
    if (value == l->value_count)
        return bytes_fit(c) && orders_hold(c);
    int least = 1;
    for (int op = 0; op < l->op_count; op++)
        for (size_t r = 0; r < l->ops[op].read_count; r++)
            if (l->ops[op].reads[r].value == value && l->ops[op].reads[r].distance >= least)
                least = l->ops[op].reads[r].distance + 1;
    for (int slots = least; slots <= l->values[value].most_slots; slots++) {
        c->slots[value] = slots;
        if (any_slots(c, value + 1))
            return true;
    }
    return false;
}

static bool any_cycles(choice *c, int op)
{
    if (!units_hold(c, op) || !issues_hold(c, op))
        return false;
    if (op == c->small->op_count)
        return any_slots(c, 0);
    /* All cycles together may be turned by any number. */
    const int end = op == 0 ? 1 : c->interval;
    for (c->cycle[op] = 0; c->cycle[op] < end; c->cycle[op]++)
        if (any_cycles(c, op + 1))
            return true;
    return false;
}

/* The first instances are not shifted; the others may be earlier or later by up to an interval. */
static bool any_shifts(choice *c, int instance)
{
    if (instance == c->small->roles[1].instances)
        return any_cycles(c, 0);
    for (int shift = -c->interval; shift <= c->interval; shift++) {
        c->shift[1][instance] = shift;
        if (any_shifts(c, instance + 1))
            return true;
    }
    return false;
}

static bool any_roles(choice *c, int op)
{
    if (op == c->small->op_count)
        return roles_fit(c) && any_shifts(c, 1);
    for (int role = 0; role < SMALL_ROLES; role++) {
        c->role[op] = role;
        if ((role == c->small->ops[op].role || c->small->ops[op].role_count > 0) &&
            any_roles(c, op + 1))
            return true;
    }
    return false;
}

int enumerated_interval(const small_loop *small)
{
    choice c = {.small = small};
    for (c.interval = 1; c.interval <= SMALL_INTERVAL; c.interval++)
        if (any_roles(&c, 0))
            break;
    return c.interval;
}
