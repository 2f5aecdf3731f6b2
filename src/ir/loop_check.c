/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses what is no loop: sizes, names, values, ops and the versions that they read and write. */
#include "base/diag.h"
#include "base/require.h"
#include "base/text.h"
#include "ir/completions.h"
#include "ir/loop_condition.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_latencies.h"
#include "ir/loop_names.h"
#include "ir/roles.h"

#include <string.h>

static bool is_number(int64_t number, int64_t least)
{
    return number >= least && number <= SWP_PROBLEM_MOST;
}

static swp_status check_count(swp_context *ctx, const swp_loop *loop, size_t count, int most,
                              const char *what)
{
    if (count <= (size_t)most)
        return SWP_OK;
    return swp_error(ctx, SWP_E0320, loop->place, NULL,
                     "%zu %s are more than the %d that a loop may have", count, what, most);
}

static swp_status check_operands(swp_context *ctx, const swp_loop *loop)
{
    size_t operands = 0;
    for (size_t i = 0; i < loop->op_count; i++) {
        const swp_loop_op *op = &loop->ops[i];
        const size_t own = op->use_count + op->read_count + op->write_count + op->update_count;
        if (own > SWP_MOST_OP_OPERANDS)
            return swp_error(ctx, SWP_E0322, op->place, NULL,
                             "op %s: %zu uses, reads, writes and updates are more than the %d that "
                             "an op may have",
                             op->name ? op->name : "", own, SWP_MOST_OP_OPERANDS);
        operands += own;
    }
    return check_count(ctx, loop, operands, SWP_MOST_LOOP_OPERANDS,
                       "uses, reads, writes and updates");
}

static swp_status check_sizes(swp_context *ctx, const swp_loop *loop)
{
    if (loop->op_count == 0)
        return swp_error(ctx, SWP_E0320, loop->place, "list its ops in the order of one iteration",
                         "the loop has no ops");
    SWP_TRY(check_count(ctx, loop, loop->op_count, SWP_MOST_LOOP_OPS, "ops"));
    SWP_TRY(check_count(ctx, loop, loop->value_count, SWP_MOST_LOOP_VALUES, "values"));
    SWP_TRY(check_count(ctx, loop, loop->unit_count, SWP_MOST_LOOP_UNITS, "units"));
    SWP_TRY(check_count(ctx, loop, loop->role_count, SWP_MOST_LOOP_ROLES, "roles"));
    SWP_TRY(check_operands(ctx, loop));
    if (!is_number(loop->signal, 0) || !is_number(loop->shared_budget, 0))
        return swp_error(ctx, SWP_E0320, loop->place, "both are 0 or more",
                         "the loop states a signal of %lld cycles and a budget of %lld bytes",
                         (long long)loop->signal, (long long)loop->shared_budget);
    if (loop->lane_registers < 0 || loop->lane_registers > SWP_MOST_LANE_REGISTERS ||
        loop->lanes < 0)
        return swp_error(ctx, SWP_E0320, loop->place, "registers are 0 to 65536, lanes 0 or more",
                         "the loop states a budget of %d registers a lane, and %d lanes",
                         loop->lane_registers, loop->lanes);
    return SWP_OK;
}

static swp_status check_name(swp_context *ctx, swp_place place, const char *what, const char *name)
{
    if (swp_is_name(name))
        return SWP_OK;
    return swp_error(ctx, SWP_E0320, place, SWP_NAME_HINT, "no %s can be named `%s`", what,
                     name ? name : "");
}

/* They stand in every output, and in the macros of a header. */
static swp_status check_names(swp_context *ctx, const swp_loop *loop)
{
    if (!swp_is_utf8(loop->name))
        return swp_error(ctx, SWP_E0320, loop->place, "names are UTF-8",
                         "the loop has no name, or one that is not UTF-8");
    for (size_t i = 0; i < loop->unit_count; i++)
        SWP_TRY(check_name(ctx, loop->place, "unit", loop->units[i].name));
    for (size_t i = 0; i < loop->value_count; i++)
        SWP_TRY(check_name(ctx, loop->values[i].place, "value", loop->values[i].name));
    for (size_t i = 0; i < loop->op_count; i++)
        SWP_TRY(check_name(ctx, loop->ops[i].place, "op", loop->ops[i].name));
    for (size_t i = 0; i < loop->role_count; i++)
        SWP_TRY(check_name(ctx, loop->place, "role", loop->roles[i].name));
    return SWP_OK;
}

static bool is_named(const swp_name_table *table, int number)
{
    return swp_name_of(table->names, table->count, number) != NULL;
}

static swp_status check_warps(swp_context *ctx, const swp_loop *loop, const swp_loop_role *role)
{
    char *hint = NULL;
    if (role->warps >= 0 && role->warps <= SWP_MOST_ROLE_WARPS && role->instances >= 0 &&
        role->instances <= SWP_MOST_INSTANCES)
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &hint, "an instance has 1 to %d warps, a role 1 to %d instances",
                       SWP_MOST_ROLE_WARPS, SWP_MOST_INSTANCES));
    return swp_error(ctx, SWP_E0320, loop->place, hint, "role %s has %d instances of %d warps",
                     role->name, role->instances, role->warps);
}

static swp_status check_role(swp_context *ctx, const swp_loop *loop, const swp_loop_role *role)
{
    char *hint = NULL;
    SWP_TRY(check_warps(ctx, loop, role));
    if (role->registers == 0 || swp_ir_can_set_registers(role->registers))
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &hint, "%d to %d, in multiples of %d", SWP_LEAST_ROLE_REGISTERS,
                       SWP_MOST_ROLE_REGISTERS, SWP_ROLE_REGISTERS_STEP));
    return swp_error(ctx, SWP_E0320, loop->place, hint,
                     "role %s: a thread cannot have %d registers", role->name, role->registers);
}

static swp_status check_objectives(swp_context *ctx, const swp_loop *loop)
{
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++)
        if (!is_named(&swp_ir_objective_names, (int)loop->objectives[i]))
            return swp_error(ctx, SWP_E0320, loop->place, "take those of swp_objective",
                             "there is no objective %d", (int)loop->objectives[i]);
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++)
        for (int j = 0; j < i; j++)
            if (loop->objectives[i] == loop->objectives[j])
                return swp_error(
                    ctx, SWP_E0320, loop->place, "name each of shared, registers and stages once",
                    "the objective %s stands twice", swp_objective_name(loop->objectives[i]));
    return SWP_OK;
}

static swp_status check_words(swp_context *ctx, const swp_loop_value *v)
{
    if (is_named(&swp_ir_space_names, (int)v->space) &&
        is_named(&swp_ir_bytes_of_names, (int)v->bytes_of))
        return SWP_OK;
    return swp_error(ctx, SWP_E0321, v->place, "take one of swp_space, and of swp_bytes_of",
                     "value %s: there is no space %d, or no owner %d of its bytes", v->name,
                     (int)v->space, (int)v->bytes_of);
}

static swp_status refuse_numbers(swp_context *ctx, const swp_loop_value *v)
{
    char *hint = NULL;
    SWP_TRY(swp_format(ctx, &hint, "bytes from 0, slots from 1 to %d", SWP_MOST_SLOTS));
    return swp_error(ctx, SWP_E0321, v->place, hint, "value %s has %lld bytes, and %d to %d slots",
                     v->name, (long long)v->bytes, v->least_slots, v->most_slots);
}

static swp_status check_value(swp_context *ctx, const swp_loop *loop, int value)
{
    const swp_loop_value *v = &loop->values[value];
    const int least = swp_ir_loop_least_slots(loop, value);
    const int most = swp_ir_loop_most_slots(loop, value);
    SWP_TRY(check_words(ctx, v));
    if (!is_number(v->bytes, 0) || v->least_slots < 1 || v->most_slots < 0 ||
        v->least_slots > SWP_MOST_SLOTS || v->most_slots > SWP_MOST_SLOTS)
        return refuse_numbers(ctx, v);
    if (least <= most)
        return SWP_OK;
    return swp_error(ctx, SWP_E0321, v->place,
                     "a version that is read d iterations later needs d + 1 slots",
                     "value %s: it needs %d slots, but may have %d", v->name, least, most);
}

/* Another op that states slots of a value: an op of the tile's clock and one of the pass's may write one register value. */
static const swp_loop_op *find_other(const swp_loop *loop, const swp_loop_op *op, int value)
{
    for (size_t i = 0; i < loop->op_count; i++) {
        const swp_loop_op *other = &loop->ops[i];
        if (other != op && other->most_slots > 0 && swp_ir_loop_writes(other, value))
            return other;
    }
    return NULL;
}

static swp_status check_written_slots(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->write_count; i++) {
        const swp_loop_value *v = &loop->values[op->writes[i]];
        const swp_loop_op *other = find_other(loop, op, op->writes[i]);
        if (v->least_slots != 1 || v->most_slots != 0)
            return swp_error(ctx, SWP_E0322, op->place, "leave `slots` out of one of the two",
                             "op %s states the slots of all that it writes, but value %s states "
                             "its own",
                             op->name, v->name);
        if (other)
            return swp_error(ctx, SWP_E0322, op->place, "leave `slots` out of one of the two",
                             "op %s states the slots of all that it writes, but op %s states those "
                             "of %s",
                             op->name, other->name, v->name);
    }
    return SWP_OK;
}

static swp_status check_op_slots(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    char *hint = NULL;
    if (op->least_slots == 0 && op->most_slots == 0)
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &hint, "slots from 1 to %d", SWP_MOST_SLOTS));
    if (op->least_slots < 1 || op->most_slots < op->least_slots || op->most_slots > SWP_MOST_SLOTS)
        return swp_error(ctx, SWP_E0322, op->place, hint, "op %s states %d to %d slots", op->name,
                         op->least_slots, op->most_slots);
    if (op->write_count == 0)
        return swp_error(ctx, SWP_E0322, op->place,
                         "leave `slots` out, or name under `writes` what has them",
                         "op %s states slots, but writes no value that has any", op->name);
    SWP_TRY(check_written_slots(ctx, loop, op));
    const int least = swp_ir_loop_least_slots(loop, op->writes[0]);
    if (least <= op->most_slots)
        return SWP_OK;
    return swp_error(
        ctx, SWP_E0321, op->place, "a version that is read d iterations later needs d + 1 slots",
        "op %s: what it writes needs %d slots, but may have %d", op->name, least, op->most_slots);
}

static bool names_values(const swp_loop *loop, const int *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] < 0 || (size_t)values[i] >= loop->value_count)
            return false;
    return true;
}

/* What an op has of a unit with its use number `use`: all of its uses begin together. */
static int64_t amount_with(const swp_loop_op *op, size_t use)
{
    int64_t amount = op->uses[use].amount;
    for (size_t i = 0; i < use && op->uses[use].cycles > 0 && amount <= SWP_PROBLEM_MOST; i++)
        if (op->uses[i].resource == op->uses[use].resource && op->uses[i].cycles > 0)
            amount += op->uses[i].amount;
    return amount;
}

/* What names no unit is for the check of the problem to refuse. */
static swp_status check_uses(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->use_count; i++) {
        const int unit = op->uses[i].resource;
        const bool known = unit >= 0 && (size_t)unit < loop->unit_count;
        const int64_t capacity = known ? loop->units[unit].capacity : SWP_PROBLEM_MOST;
        const int64_t amount = amount_with(op, i);
        if (known && amount > capacity)
            return swp_error(ctx, SWP_E0322, op->place,
                             "let it use less, or give the unit more under `units`",
                             "op %s uses %lld of %s, whose capacity is %lld", op->name,
                             (long long)amount, loop->units[unit].name, (long long)capacity);
    }
    return SWP_OK;
}

/* Roles of the loop, each once; the op is in the first of them until one is found. */
static swp_status check_choice(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    bool fits = op->role_count == 0 || op->role == op->roles[0];
    for (size_t i = 0; i < op->role_count; i++) {
        fits = fits && op->roles[i] >= 0 && (size_t)op->roles[i] < loop->role_count;
        for (size_t j = 0; j < i; j++)
            fits = fits && op->roles[i] != op->roles[j];
    }
    if (fits)
        return SWP_OK;
    return swp_error(ctx, SWP_E0322, op->place, "name roles of the loop, each once",
                     "op %s lists a role that the loop does not have, or one twice", op->name);
}

static swp_status check_op(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    if (!is_number(op->latency, 0) || !is_number(op->read_cycles, 0) || !is_number(op->issue, 0) ||
        op->accesses < 1 || op->role < 0 || (op->role > 0 && (size_t)op->role >= loop->role_count))
        return swp_error(ctx, SWP_E0322, op->place, "latency from 0, accesses from 1",
                         "op %s has a latency of %lld, %d accesses and role %d of %zu", op->name,
                         (long long)op->latency, op->accesses, op->role, loop->role_count);
    if ((unsigned)op->completion >= SWP_COMPLETION_COUNT)
        return swp_error(ctx, SWP_E0322, op->place, "take one of swp_completion",
                         "op %s: there is no completion %d", op->name, (int)op->completion);
    bool known = names_values(loop, op->writes, op->write_count) &&
                 names_values(loop, op->updates, op->update_count);
    for (size_t i = 0; i < op->read_count; i++)
        known = known && names_values(loop, &op->reads[i].value, 1) && op->reads[i].distance >= 0 &&
                op->reads[i].distance < SWP_MOST_SLOTS;
    if (known) {
        SWP_TRY(check_op_slots(ctx, loop, op));
        return check_uses(ctx, loop, op);
    }
    char *hint = NULL;
    SWP_TRY(swp_format(ctx, &hint, "values and versions 0 to %d iterations before",
                       SWP_MOST_SLOTS - 1));
    return swp_error(ctx, SWP_E0322, op->place, hint,
                     "op %s reads or writes something that is no value of the loop", op->name);
}

/* A read of this iteration's version before an op of it makes one. */
static swp_status check_reads(swp_context *ctx, const swp_loop *loop, int index)
{
    const swp_loop_op *op = &loop->ops[index];
    for (size_t i = 0; i < op->read_count; i++) {
        const swp_loop_read *read = &op->reads[i];
        const bool made = swp_ir_loop_first_maker(loop, read->value) != SWP_NO_OP;
        const char *name = loop->values[read->value].name;
        if (!made && read->distance > 0)
            return swp_error(ctx, SWP_E0323, op->place, "an input has no versions",
                             "op %s reads %s of %d iterations before, but no op writes it",
                             op->name, name, read->distance);
        if (made && read->distance == 0 &&
            swp_ir_loop_maker_before(loop, read->value, index) == SWP_NO_OP)
            return swp_error(ctx, SWP_E0323, op->place,
                             swp_ir_loop_writes(op, read->value)
                                 ? "an op that changes a value names it under `updates` alone"
                                 : "read the version of 1 iteration before, or move the op",
                             "op %s reads %s before an op of the iteration writes it", op->name,
                             name);
    }
    return SWP_OK;
}

/* One op makes a version at once: a second time would be one of a version that is its own. */
static swp_status check_once(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                             const int *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (values[i] == values[j])
                return swp_error(ctx, SWP_E0323, op->place, "name it once", "op %s makes %s twice",
                                 op->name, loop->values[values[i]].name);
    return SWP_OK;
}

/* Whether an op before this one makes the same version. What a register holds before a tile's passes is none of theirs. */
static bool is_made_before(const swp_loop *loop, int value, int index)
{
    const bool may_clear = loop->values[value].space == SWP_SPACE_REGISTERS &&
                           loop->ops[index].clock == SWP_PASS_CLOCK;
    for (int i = 0; i < index; i++)
        if (swp_ir_loop_makes(&loop->ops[i], value) &&
            !(may_clear && loop->ops[i].clock == SWP_TILE_CLOCK))
            return true;
    return false;
}

/* A version begins with one write, or with an update of the version before. */
static swp_status check_writes(swp_context *ctx, const swp_loop *loop, int index)
{
    const swp_loop_op *op = &loop->ops[index];
    SWP_TRY(check_once(ctx, loop, op, op->writes, op->write_count));
    SWP_TRY(check_once(ctx, loop, op, op->updates, op->update_count));
    for (size_t i = 0; i < op->write_count; i++) {
        const int value = op->writes[i];
        if (is_made_before(loop, value, index) || swp_ir_loop_updates(op, value))
            return swp_error(ctx, SWP_E0323, op->place,
                             "let later ops update it, or give each its own value",
                             "op %s writes %s, which has this iteration's version already",
                             op->name, loop->values[value].name);
    }
    return SWP_OK;
}

swp_status swp_check_loop(swp_context *ctx, const swp_loop *loop)
{
    SWP_REQUIRE(ctx, ctx && loop);
    SWP_TRY(check_sizes(ctx, loop));
    SWP_TRY(check_names(ctx, loop));
    SWP_TRY(check_objectives(ctx, loop));
    for (size_t i = 0; i < loop->role_count; i++)
        SWP_TRY(check_role(ctx, loop, &loop->roles[i]));
    for (size_t i = 0; i < loop->op_count; i++) {
        SWP_TRY(check_op(ctx, loop, &loop->ops[i]));
        SWP_TRY(check_choice(ctx, loop, &loop->ops[i]));
    }
    for (int i = 0; i < (int)loop->op_count; i++) {
        SWP_TRY(check_reads(ctx, loop, i));
        SWP_TRY(check_writes(ctx, loop, i));
        SWP_TRY(swp_ir_loop_check_latencies(ctx, loop, i));
        SWP_TRY(swp_ir_loop_check_condition(ctx, loop, i));
    }
    for (int value = 0; value < (int)loop->value_count; value++)
        SWP_TRY(check_value(ctx, loop, value));
    SWP_TRY(swp_ir_loop_check_cluster(ctx, loop));
    SWP_TRY(swp_ir_check_completions(ctx, loop));
    swp_loop_problem problem;
    SWP_TRY(swp_loop_dependences(ctx, loop, NULL, &problem));
    return swp_problem_check(ctx, &problem.problem);
}
