/* SPDX-License-Identifier: Apache-2.0 */
/* Ops of every kind, and the words of the enumerations that ops and edges have. */
#include "swp/types.h"

#include "base/context.h"
#include "base/require.h"
#include "ir/type_names.h"

#include <stdio.h>

static const swp_name resource_names[] = {SWP_RESOURCES(SWP_NAME_ROW)};
static const swp_name role_names[] = {SWP_ROLES(SWP_NAME_ROW)};
static const swp_name k_offset_names[] = {SWP_K_OFFSETS(SWP_NAME_ROW)};
static const swp_name phase_names[] = {SWP_PHASES(SWP_NAME_ROW)};
static const swp_name dep_kind_names[] = {SWP_DEP_KINDS(SWP_NAME_ROW)};
static const swp_name threads_names[] = {SWP_THREADS(SWP_NAME_ROW)};
static const swp_name arrival_target_names[] = {SWP_ARRIVAL_TARGETS(SWP_NAME_ROW)};
static const swp_name clock_names[] = {SWP_ROLE_CLOCKS(SWP_NAME_ROW)};
static const swp_name tag_names[] = {SWP_INFRASTRUCTURE_TAGS(SWP_NAME_ROW)};

const swp_name_table swp_ir_resource_names = SWP_NAME_TABLE(resource_names);
const swp_name_table swp_ir_role_names = SWP_NAME_TABLE(role_names);
const swp_name_table swp_ir_k_offset_names = SWP_NAME_TABLE(k_offset_names);
const swp_name_table swp_ir_dep_kind_names = SWP_NAME_TABLE(dep_kind_names);
const swp_name_table swp_ir_threads_names = SWP_NAME_TABLE(threads_names);
const swp_name_table swp_ir_arrival_target_names = SWP_NAME_TABLE(arrival_target_names);
const swp_name_table swp_ir_clock_names = SWP_NAME_TABLE(clock_names);

const char *swp_resource_name(swp_resource resource)
{
    return swp_shown_name(resource_names, SWP_COUNT_OF(resource_names), (int)resource);
}

const char *swp_role_name(swp_role role)
{
    return swp_shown_name(role_names, SWP_COUNT_OF(role_names), (int)role);
}

const char *swp_k_offset_name(swp_k_offset k_offset)
{
    return swp_shown_name(k_offset_names, SWP_COUNT_OF(k_offset_names), (int)k_offset);
}

const char *swp_phase_name(swp_phase phase)
{
    return swp_shown_name(phase_names, SWP_COUNT_OF(phase_names), (int)phase);
}

const char *swp_dep_kind_name(swp_dep_kind kind)
{
    return swp_shown_name(dep_kind_names, SWP_COUNT_OF(dep_kind_names), (int)kind);
}

const char *swp_role_clock_name(swp_role_clock clock)
{
    return swp_shown_name(clock_names, SWP_COUNT_OF(clock_names), (int)clock);
}

const char *swp_threads_name(swp_threads threads)
{
    return swp_shown_name(threads_names, SWP_COUNT_OF(threads_names), (int)threads);
}

const char *swp_arrival_target_name(swp_arrival_target to)
{
    return swp_shown_name(arrival_target_names, SWP_COUNT_OF(arrival_target_names), (int)to);
}

bool swp_resource_from_name(const char *name, swp_resource *out)
{
    SWP_REQUIRE_OR(false, name && out);
    int number = 0;
    if (!swp_number_of(resource_names, SWP_COUNT_OF(resource_names), name, &number))
        return false;
    *out = (swp_resource)number;
    return true;
}

bool swp_role_from_name(const char *name, swp_role *out)
{
    SWP_REQUIRE_OR(false, name && out);
    int number = 0;
    if (!swp_number_of(role_names, SWP_COUNT_OF(role_names), name, &number))
        return false;
    *out = (swp_role)number;
    return true;
}

bool swp_k_offset_from_name(const char *name, swp_k_offset *out)
{
    SWP_REQUIRE_OR(false, name && out);
    int number = 0;
    if (!swp_number_of(k_offset_names, SWP_COUNT_OF(k_offset_names), name, &number))
        return false;
    *out = (swp_k_offset)number;
    return true;
}

bool swp_dep_kind_from_name(const char *name, swp_dep_kind *out)
{
    SWP_REQUIRE_OR(false, name && out);
    int number = 0;
    if (!swp_number_of(dep_kind_names, SWP_COUNT_OF(dep_kind_names), name, &number))
        return false;
    *out = (swp_dep_kind)number;
    return true;
}

swp_resource swp_role_resource(swp_role role)
{
    switch (role) {
    case SWP_GLOBAL_LOAD:
        return SWP_GLOBAL_MEM;
    case SWP_SHARED_STORE:
    case SWP_FRAGMENT_LOAD:
        return SWP_LDS;
    case SWP_COMPUTE:
        return SWP_MMA_UNIT;
    case SWP_VALU_COMPUTE:
        return SWP_VALU;
    case SWP_SYNC:
    case SWP_FENCE:
        return SWP_SCALAR;
    case SWP_ROLE_NONE:
        break;
    }
    return SWP_RESOURCE_NONE;
}

bool swp_role_has_stage(swp_role role)
{
    return role == SWP_GLOBAL_LOAD || role == SWP_SHARED_STORE || role == SWP_FRAGMENT_LOAD;
}

int swp_k_multiple(swp_k_offset k_offset)
{
    if (k_offset == SWP_K_NONE)
        return 0;
    if (k_offset == SWP_K_PREV)
        return -1;
    if (k_offset >= SWP_K_PREV2)
        return (int)SWP_K_PREV2 - (int)k_offset - 2;
    return k_offset < SWP_K_PREV ? (int)k_offset : (int)k_offset - (int)SWP_K3 + 3;
}

bool swp_k_offset_of(int multiple, swp_k_offset *out)
{
    SWP_REQUIRE_OR(false, out);
    for (size_t i = 0; i < SWP_COUNT_OF(k_offset_names); i++) {
        const swp_k_offset k_offset = (swp_k_offset)k_offset_names[i].number;
        if (k_offset == SWP_K_NONE || swp_k_multiple(k_offset) != multiple)
            continue;
        *out = k_offset;
        return true;
    }
    return false;
}

swp_op swp_op_none(void)
{
    return (swp_op){.tag = SWP_TAG_NONE,
                    .k_offset = SWP_K_NONE,
                    .resource = SWP_RESOURCE_NONE,
                    .role = SWP_ROLE_NONE,
                    .channel = -1,
                    .object = -1};
}

swp_op swp_op_logical(int tag, int channel, int stage, int subtile, swp_k_offset k_offset)
{
    swp_op op = swp_op_none();
    op.tag = tag;
    op.channel = channel;
    op.stage = stage;
    op.subtile = subtile;
    op.k_offset = k_offset;
    return op;
}

static swp_op infrastructure(int tag, swp_role role, int wait_value)
{
    swp_op op = swp_op_none();
    op.tag = tag;
    op.resource = SWP_SCALAR;
    op.role = role;
    op.wait_value = wait_value;
    return op;
}

swp_op swp_op_barrier(void)
{
    return infrastructure(SWP_TAG_BARRIER, SWP_SYNC, 0);
}

swp_op swp_op_wait_vm(int outstanding)
{
    return infrastructure(SWP_TAG_WAIT_VM, SWP_SYNC, outstanding);
}

swp_op swp_op_wait_lgkm(int outstanding)
{
    return infrastructure(SWP_TAG_WAIT_LGKM, SWP_SYNC, outstanding);
}

swp_op swp_op_set_prio(int priority)
{
    return infrastructure(SWP_TAG_SET_PRIO, SWP_FENCE, priority);
}

swp_op swp_op_schedule_barrier(void)
{
    return infrastructure(SWP_TAG_SCHEDULE_BARRIER, SWP_FENCE, 0);
}

swp_op swp_op_sched_group_barrier(int mask, int count)
{
    swp_op op = infrastructure(SWP_TAG_SCHED_GROUP_BARRIER, SWP_FENCE, count);
    op.subtile = mask;
    return op;
}

bool swp_op_present(const swp_op *op)
{
    SWP_REQUIRE_OR(false, op);
    return op->tag != SWP_TAG_NONE;
}

bool swp_op_is_prefetch(const swp_op *op)
{
    SWP_REQUIRE_OR(false, op);
    return swp_op_present(op) && op->k_offset != SWP_K_NONE && swp_k_multiple(op->k_offset) >= 0;
}

int swp_tag_of_loop_op(int op)
{
    return op < SWP_FIRST_INFRASTRUCTURE_TAG ? op
                                             : op + SWP_TAG_NONE + 1 - SWP_FIRST_INFRASTRUCTURE_TAG;
}

int swp_loop_op_of_tag(int tag)
{
    return tag <= SWP_TAG_NONE ? tag : tag - (SWP_TAG_NONE + 1 - SWP_FIRST_INFRASTRUCTURE_TAG);
}

const char *swp_infrastructure_name(int tag)
{
    return swp_name_of(tag_names, SWP_COUNT_OF(tag_names), tag);
}

bool swp_infrastructure_tag(const char *name, int *tag)
{
    SWP_REQUIRE_OR(false, name && tag);
    return swp_number_of(tag_names, SWP_COUNT_OF(tag_names), name, tag);
}

const char *swp_op_name(const swp_op_namer *namer, int tag, char buffer[SWP_OP_NAME_SIZE])
{
    SWP_REQUIRE_OR("", buffer);
    const char *name = swp_infrastructure_name(tag);
    if (!name && namer && namer->name)
        name = namer->name(namer->user, tag);
    if (name)
        return name;
    (void)snprintf(buffer, SWP_OP_NAME_SIZE, "op%d", tag);
    return buffer;
}

swp_status swp_op_list_push(swp_context *ctx, swp_op_list *list, swp_op op)
{
    SWP_REQUIRE(ctx, ctx && list);
    return SWP_PUSH(ctx, list, op);
}

swp_status swp_edge_list_push(swp_context *ctx, swp_edge_list *list, swp_edge edge)
{
    SWP_REQUIRE(ctx, ctx && list);
    return SWP_PUSH(ctx, list, edge);
}

swp_status swp_entry_list_push(swp_context *ctx, swp_entry_list *list, swp_entry entry)
{
    SWP_REQUIRE(ctx, ctx && list);
    return SWP_PUSH(ctx, list, entry);
}
