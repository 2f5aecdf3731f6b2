/* SPDX-License-Identifier: Apache-2.0 */
/* The C way to describe a loop. */
#include "base/require.h"
#include "ir/loop_dataflow.h"

#include <string.h>

struct swp_loop_builder {
    swp_context *ctx;
    const char *name;
    swp_status status; /* the first failure */
    struct {
        swp_problem_resource *items;
        size_t count;
        size_t capacity;
    } units;
    struct {
        swp_loop_value *items;
        size_t count;
        size_t capacity;
    } values;
    struct {
        swp_loop_op *items;
        size_t count;
        size_t capacity;
    } ops;
    struct {
        swp_loop_role *items;
        size_t count;
        size_t capacity;
    } roles;
    struct {
        bool *items;
        size_t count;
        size_t capacity;
    } rates;     /* of the units up to the last one that is a rate */
    int cluster; /* work groups; 0: not stated */
    int least_resident;
    int most_resident;
};

static void keep(swp_loop_builder *b, swp_status status)
{
    if (b->status == SWP_OK)
        b->status = status;
}

static const char *copy(swp_loop_builder *b, const char *name)
{
    char *out = NULL;
    keep(b, swp_copy_text(b->ctx, name ? name : "", name ? strlen(name) : 0, &out));
    return out ? out : "";
}

swp_loop_builder *swp_loop_new(swp_context *ctx, const char *name)
{
    SWP_REQUIRE_OR(NULL, ctx);
    swp_loop_builder *b = swp_context_take(ctx, sizeof *b);
    if (!b)
        return NULL;
    b->ctx = ctx;
    b->name = copy(b, name);
    return b;
}

int swp_loop_add_unit(swp_loop_builder *b, const char *name, int64_t capacity)
{
    SWP_REQUIRE_OR(0, b);
    const swp_problem_resource unit = {copy(b, name), capacity};
    keep(b, SWP_PUSH(b->ctx, &b->units, unit));
    return (int)b->units.count;
}

int swp_loop_add_rate(swp_loop_builder *b, const char *name, int64_t capacity)
{
    const bool no = false;
    SWP_REQUIRE_OR(0, b);
    const int unit = swp_loop_add_unit(b, name, capacity);
    while (b->status == SWP_OK && b->rates.count < b->units.count)
        keep(b, SWP_PUSH(b->ctx, &b->rates, no));
    if (b->status == SWP_OK)
        b->rates.items[unit - 1] = true;
    return unit;
}

int swp_loop_add_role(swp_loop_builder *b, swp_loop_role role)
{
    SWP_REQUIRE_OR(0, b);
    role.name = copy(b, role.name);
    keep(b, SWP_PUSH(b->ctx, &b->roles, role));
    return (int)b->roles.count;
}

int swp_loop_add_value(swp_loop_builder *b, swp_loop_value_args args)
{
    SWP_REQUIRE_OR(0, b);
    const swp_loop_value value = {.name = copy(b, args.name),
                                  .space = args.space,
                                  .bytes = args.bytes,
                                  .least_slots = args.least_slots ? args.least_slots : 1,
                                  .most_slots = args.most_slots,
                                  .bytes_of = args.bytes_of};
    keep(b, SWP_PUSH(b->ctx, &b->values, value));
    return (int)b->values.count;
}

static size_t count_numbers(const int *numbers)
{
    size_t count = 0;
    while (count < SWP_LOOP_OPERANDS && numbers[count] != 0)
        count++;
    return count;
}

static swp_status copy_numbers(swp_loop_builder *b, const int *numbers, const int **out,
                               size_t *count)
{
    int *copied = NULL;
    *count = count_numbers(numbers);
    SWP_TRY(SWP_TAKE(b->ctx, *count, &copied));
    for (size_t i = 0; i < *count; i++)
        copied[i] = numbers[i] - 1;
    *out = copied;
    return SWP_OK;
}

static swp_status copy_uses(swp_loop_builder *b, const swp_loop_op_args *args, swp_loop_op *op)
{
    swp_problem_use *uses = NULL;
    while (op->use_count < SWP_LOOP_USES && args->uses[op->use_count].unit != 0)
        op->use_count++;
    SWP_TRY(SWP_TAKE(b->ctx, op->use_count, &uses));
    for (size_t i = 0; i < op->use_count; i++)
        uses[i] = (swp_problem_use){args->uses[i].unit - 1,
                                    args->uses[i].amount ? args->uses[i].amount : 1,
                                    args->uses[i].cycles};
    op->uses = uses;
    return SWP_OK;
}

static swp_status copy_reads(swp_loop_builder *b, const swp_loop_op_args *args, swp_loop_op *op)
{
    swp_loop_read *reads = NULL;
    while (op->read_count < SWP_LOOP_OPERANDS && args->reads[op->read_count].value != 0)
        op->read_count++;
    SWP_TRY(SWP_TAKE(b->ctx, op->read_count, &reads));
    for (size_t i = 0; i < op->read_count; i++)
        reads[i] = (swp_loop_read){args->reads[i].value - 1, args->reads[i].distance,
                                   args->reads[i].latency};
    op->reads = reads;
    return SWP_OK;
}

static swp_status copy_update_latencies(swp_loop_builder *b, const swp_loop_op_args *args,
                                        swp_loop_op *op)
{
    int64_t *latencies = NULL;
    SWP_TRY(SWP_TAKE(b->ctx, op->update_count, &latencies));
    for (size_t i = 0; i < op->update_count; i++)
        latencies[i] = args->update_latencies[i];
    op->update_latencies = latencies;
    return SWP_OK;
}

static swp_status append(swp_loop_builder *b, const swp_loop_op_args *args)
{
    swp_loop_op op = {.name = copy(b, args->name),
                      .latency = args->latency,
                      .completion = args->completion,
                      .read_cycles = args->read_cycles,
                      .issue = args->issue,
                      .accesses = args->accesses ? args->accesses : 1,
                      .role = args->role ? args->role - 1 : 0,
                      .reads_global = args->reads_global,
                      .writes_global = args->writes_global,
                      .when = args->when,
                      .multicast = args->multicast,
                      .least_slots =
                          args->least_slots == 0 && args->most_slots > 0 ? 1 : args->least_slots,
                      .most_slots = args->most_slots,
                      .clock = args->clock};
    SWP_TRY(copy_numbers(b, args->roles, &op.roles, &op.role_count));
    if (op.role_count > 0)
        op.role = op.roles[0];
    SWP_TRY(copy_uses(b, args, &op));
    SWP_TRY(copy_reads(b, args, &op));
    SWP_TRY(copy_numbers(b, args->writes, &op.writes, &op.write_count));
    SWP_TRY(copy_numbers(b, args->updates, &op.updates, &op.update_count));
    SWP_TRY(copy_update_latencies(b, args, &op));
    return SWP_PUSH(b->ctx, &b->ops, op);
}

void swp_loop_add_op(swp_loop_builder *b, swp_loop_op_args args)
{
    SWP_REQUIRE_OR(, b);
    if (b->status == SWP_OK)
        keep(b, append(b, &args));
}

void swp_loop_set_cluster(swp_loop_builder *b, int work_groups)
{
    SWP_REQUIRE_OR(, b);
    b->cluster = work_groups;
}

void swp_loop_set_resident(swp_loop_builder *b, int least, int most)
{
    SWP_REQUIRE_OR(, b);
    b->least_resident = least;
    b->most_resident = most;
}

swp_status swp_loop_done(swp_loop_builder *b, swp_loop *out)
{
    SWP_REQUIRE(NULL, b && out);
    SWP_TRY(b->status);
    while (b->rates.count > 0 && b->rates.count < b->units.count)
        SWP_TRY(SWP_PUSH(b->ctx, &b->rates, false));
    *out = (swp_loop){.name = b->name,
                      .units = b->units.items,
                      .unit_count = b->units.count,
                      .rates = b->rates.items,
                      .values = b->values.items,
                      .value_count = b->values.count,
                      .ops = b->ops.items,
                      .op_count = b->ops.count,
                      .roles = b->roles.items,
                      .role_count = b->roles.count,
                      .cluster = b->cluster,
                      .least_resident = b->least_resident,
                      .most_resident = b->most_resident,
                      .objectives = {SWP_LEAST_SHARED, SWP_LEAST_REGISTERS, SWP_LEAST_STAGES}};
    return swp_check_loop(b->ctx, out);
}
