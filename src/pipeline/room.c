/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the bytes that the values of a loop may take, and checks that their fewest slots fit. */
#include "pipeline/room.h"

#include "base/diag.h"
#include "base/text.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_registers.h"
#include "ir/loop_resident.h"

/* Lists the values that need several slots: " (3 slots of A, 2 of B)". */
static swp_status text_of_slots(swp_context *ctx, const swp_loop *loop, swp_space space, char **out)
{
    swp_text text = {.ctx = ctx};
    int named = 0;
    for (int v = 0; v < (int)loop->value_count; v++) {
        const int least = swp_ir_loop_least_slots(loop, v);
        if (loop->values[v].space != space || least == 1 || loop->values[v].bytes == 0)
            continue;
        swp_text_format(&text, named ? ", %d of %s" : " (%d slots of %s", least,
                        loop->values[v].name);
        named++;
    }
    swp_text_format(&text, named ? ")" : "");
    return swp_text_end(&text, out, NULL);
}

static int64_t least_bytes(const swp_loop *loop, int v)
{
    return loop->values[v].bytes * swp_ir_loop_least_slots(loop, v);
}

/* Returns the place of the value that takes most of the space. Values of built-in loops have none. */
static swp_place place_of_largest(const swp_loop *loop, swp_space space)
{
    int largest = -1;
    for (int v = 0; v < (int)loop->value_count; v++)
        if (loop->values[v].space == space &&
            (largest < 0 || least_bytes(loop, v) > least_bytes(loop, largest)))
            largest = v;
    return largest >= 0 && loop->values[largest].place.line > 0 ? loop->values[largest].place
                                                                : loop->place;
}

static swp_status report_infeasible(swp_loop_search *s, swp_space space, int64_t bytes)
{
    const swp_loop *loop = s->loop;
    const swp_place place = place_of_largest(loop, space);
    char *slots = NULL;
    SWP_TRY(text_of_slots(s->ctx, loop, space, &slots));
    const bool one = *slots == '\0';
    const char *who = one ? "a slot of each value" : "the fewest slots of the values";
    const char *take = one ? "takes" : "take";
    const char *hint =
        swp_ir_loop_resident(loop) > 1
            ? "let fewer work groups share a multiprocessor (`resident_work_groups`), or make the "
              "tiles smaller"
        : space == SWP_SPACE_SHARED
            ? "make the tiles smaller, or allow more bytes if the target has them"
            : "make the tiles smaller, let more waves share them (machine.waves_per_group), or "
              "allow more registers if the target has them";
    const swp_status status =
        space == SWP_SPACE_SHARED
            ? swp_error(s->ctx, SWP_E0325, place, hint,
                        "%s of %s %s %lld bytes of shared memory%s, and the budget is %lld", who,
                        loop->name, take, (long long)bytes, slots, (long long)s->room[space])
            : swp_error(s->ctx, SWP_E0325, place, hint,
                        "%s of %s %s %lld bytes of registers%s, %lld registers a lane, and the "
                        "budget is %d a lane of %d",
                        who, loop->name, take, (long long)bytes, slots,
                        (long long)swp_ir_loop_registers(loop, bytes), loop->lane_registers,
                        loop->lanes);
    return status == SWP_INVALID ? SWP_INFEASIBLE : status;
}

static swp_status check_room(swp_loop_search *s, swp_space space)
{
    const swp_loop *loop = s->loop;
    int64_t bytes = 0;
    for (int v = 0; v < (int)loop->value_count; v++)
        if (loop->values[v].space == space)
            bytes += least_bytes(loop, v);
    return s->room[space] >= 0 && bytes > s->room[space] ? report_infeasible(s, space, bytes)
                                                         : SWP_OK;
}

/* One slot of each value may already exceed what a role may have. */
static swp_status check_roles(swp_loop_search *s)
{
    const swp_loop *loop = s->loop;
    const int role = swp_pipeline_role_over(loop, s->least);
    if (role == SWP_NO_ROLE)
        return SWP_OK;
    const swp_loop_role *r = &loop->roles[role];
    const int64_t bytes = swp_pipeline_role_bytes(loop, s->least, role);
    const swp_status status = swp_error(
        s->ctx, SWP_E0325, loop->place,
        "give the role more registers, or more instances, each with less of the work",
        "the fewest slots of the values of role %s take %lld bytes, %lld registers in each of its "
        "%d threads, and it has %d",
        r->name, (long long)bytes, (long long)swp_ir_loop_role_registers(loop, role, bytes),
        swp_ir_loop_role_threads(loop, role), r->registers);
    return status == SWP_INVALID ? SWP_INFEASIBLE : status;
}

swp_status swp_pipeline_set_room(swp_loop_search *s)
{
    const swp_loop *loop = s->loop;
    const int64_t registers = swp_ir_loop_register_bytes(loop);
    s->room[SWP_SPACE_SHARED] = loop->shared_budget > 0 ? loop->shared_budget : -1;
    s->room[SWP_SPACE_REGISTERS] = registers > 0 ? registers : -1;
    SWP_TRY(check_room(s, SWP_SPACE_SHARED));
    SWP_TRY(check_room(s, SWP_SPACE_REGISTERS));
    SWP_TRY(SWP_TAKE(s->ctx, loop->value_count, &s->least));
    for (int v = 0; v < (int)loop->value_count; v++)
        s->least[v] = swp_ir_loop_least_slots(loop, v);
    return check_roles(s);
}
