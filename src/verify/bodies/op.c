/* SPDX-License-Identifier: Apache-2.0 */
/* Judges one op by its effects: its operands, the registers in flight, and what it makes. */
#include "verify/bodies/op.h"

#include "verify/bodies/access.h"
#include "verify/bodies/operands.h"
#include "verify/bodies/retire.h"

/* An op that issues. */
typedef struct issued {
    swp_followed_run *run;
    const swp_bodies_event *event;
    const swp_effect *effect;
} issued;

static swp_register_state *register_of(const issued *op, const swp_access *access)
{
    return &op->run->state->registers[access->where];
}

/* --- Registers that are not ready --- */

static const swp_effect *effect_of(const issued *op, const swp_bodies_event *event)
{
    return &op->run->state->model->effects.entries[event->ref.phase][event->ref.entry];
}

static bool updates(const swp_accesses *accesses, int where)
{
    for (size_t i = 0; i < accesses->count; i++)
        if (accesses->items[i].updates && !accesses->items[i].is_shared &&
            accesses->items[i].where == where)
            return true;
    return false;
}

/*
 * Matrix instructions in groups that follow each other in one accumulator do so in order; who reads it as a
 * factor besides is none of these.
 */
static bool accumulates(const issued *op, const swp_access *access, const swp_bodies_event *earlier)
{
    return access->updates && op->effect->in_order && effect_of(op, earlier)->in_order &&
           updates(&op->effect->reads, access->where) &&
           updates(&op->effect->writes, access->where);
}

/* Who has registers managed waits for the access that brings what the op reads. */
static bool waits_for(const issued *op, const swp_access *read)
{
    const swp_state *state = op->run->state;
    const swp_register_state *reg = read->is_shared ? NULL : register_of(op, read);
    const bool waits = state->model->machine->registers != SWP_REGISTERS_RAW
                           ? swp_rule_holds(state->model, SWP_RULE_MANAGED_USE)
                           : !swp_rule_holds(state->model, SWP_RULE_RAW_USE);
    return waits && reg && !swp_bodies_flight_retired(state, &reg->flight) &&
           effect_of(op, &reg->event)->is_awaited;
}

/* Where an op that may not run does run, it waits, but nothing comes of that for others. */
static bool waits_alone(const issued *op)
{
    return op->effect->may_not_run && swp_rule_holds(op->run->state->model, SWP_RULE_MAY_NOT_RUN);
}

static bool is_waited_for_alone(const issued *op, const swp_bodies_flight *flight)
{
    for (size_t i = 0; waits_alone(op) && i < op->effect->reads.count; i++) {
        const swp_access *read = &op->effect->reads.items[i];
        if (waits_for(op, read) &&
            swp_bodies_use_retires(op->run->state, &register_of(op, read)->flight, flight))
            return true;
    }
    return false;
}

static bool is_in_flight(const issued *op, const swp_bodies_flight *flight)
{
    return !swp_bodies_flight_retired(op->run->state, flight) && !is_waited_for_alone(op, flight);
}

static void wait_for_operands(const issued *op)
{
    for (size_t i = 0; !waits_alone(op) && i < op->effect->reads.count; i++) {
        const swp_access *read = &op->effect->reads.items[i];
        if (waits_for(op, read))
            swp_bodies_state_retire_through(op->run->state, &register_of(op, read)->flight);
    }
}

/* Once told of, what is in flight counts as done. */
static swp_status report_not_ready(const issued *op, const swp_access *access,
                                   const swp_bodies_event *other, swp_bodies_flight *flight)
{
    if (swp_rule_holds(op->run->state->model, SWP_RULE_REGISTER_TOLD))
        *flight = swp_bodies_flight_done();
    return swp_bodies_follow_report(op->run, SWP_REGISTER_NOT_READY, op->event, other,
                                    SWP_SITE_REGISTER, access->where);
}

static swp_status check_maker(const issued *op, const swp_access *access, swp_rule rule)
{
    swp_register_state *reg = register_of(op, access);
    if (!is_in_flight(op, &reg->flight) || accumulates(op, access, &reg->event) ||
        !swp_rule_holds(op->run->state->model, rule))
        return SWP_OK;
    return report_not_ready(op, access, &reg->event, &reg->flight);
}

/* Who manages registers sees to it that of two that make one the later one is found. */
static bool may_make_again(const issued *op, const swp_register_state *reg)
{
    return op->run->state->model->machine->registers != SWP_REGISTERS_RAW &&
           is_in_flight(op, &reg->flight) && effect_of(op, &reg->event)->is_awaited;
}

static swp_status check_result(const issued *op, const swp_access *write)
{
    swp_register_state *reg = register_of(op, write);
    if (!may_make_again(op, reg))
        SWP_TRY(check_maker(op, write, SWP_RULE_REGISTER_RELOADED));
    for (int c = 0; c < SWP_SYNC_OBJECTS; c++)
        if (is_in_flight(op, &reg->readers[c].flight))
            SWP_TRY(report_not_ready(op, write, &reg->readers[c].event, &reg->readers[c].flight));
    return SWP_OK;
}

static swp_status check_registers(const issued *op)
{
    for (size_t i = 0; i < op->effect->reads.count; i++)
        if (!op->effect->reads.items[i].is_shared)
            SWP_TRY(check_maker(op, &op->effect->reads.items[i], SWP_RULE_REGISTER_USED));
    for (size_t i = 0; i < op->effect->writes.count; i++)
        if (!op->effect->writes.items[i].is_shared)
            SWP_TRY(check_result(op, &op->effect->writes.items[i]));
    return SWP_OK;
}

/* --- What it reads --- */

/* Judges what a read that carries its tile has found before anybody says which it should be. */
static swp_status judge_unobserved(const issued *op, int slot)
{
    swp_state *state = op->run->state;
    const swp_read *read = &state->reads[slot];
    if (swp_rule_holds(state->model, SWP_RULE_OBSERVED) || read->writes.count == 0)
        return SWP_OK;
    return swp_bodies_judge_operand(
        op->run->findings, state, slot, op->effect->writes.items[0].where, op->event,
        read->writes.items[read->writes.count - 1].tile, op->run->passes);
}

static swp_status read_place(const issued *op, const swp_access *access, int *carried)
{
    swp_state *state = op->run->state;
    const int slot = swp_bodies_state_take_read(state);
    swp_read *read = &state->reads[slot];
    read->event = *op->event;
    read->place = access->where;
    read->flight = swp_bodies_flight_new(op->effect->object);
    read->order = swp_bodies_read_order(state->model, op->effect);
    read->held = SWP_NO_TILE;
    read->tile = SWP_NO_TILE;
    SWP_TRY(swp_bodies_follow_see(state, read));
    if (access->carries) {
        *carried = slot;
        return judge_unobserved(op, slot);
    }
    return swp_bodies_judge_read(op->run->findings, state, slot,
                                 swp_tile_in(&access->tiles, op->event->pass), op->run->passes);
}

static swp_status judge_register(const issued *op, const swp_access *access)
{
    swp_register_state *reg = register_of(op, access);
    const int tile = swp_tile_in(&access->tiles, op->event->pass);
    const int held = reg->held;
    const bool empty = reg->tile == SWP_NO_TILE;
    const swp_finding finding = {.kind = SWP_WRONG_TILE,
                                 .at = *op->event,
                                 .other = &reg->event,
                                 .site = SWP_SITE_REGISTER,
                                 .place = access->where,
                                 .wanted = tile,
                                 .found = reg->tile};
    if (empty && !swp_rule_holds(op->run->state->model, SWP_RULE_EMPTY_REGISTER))
        return SWP_OK;
    reg->held = tile;
    return tile == held || tile == reg->tile ? SWP_OK
                                             : swp_bodies_findings_add(op->run->findings, &finding);
}

/* What a fragment load carried must be what its first user wants, and then every other one. */
static swp_status read_register(const issued *op, const swp_access *access)
{
    swp_register_state *reg = register_of(op, access);
    if (op->effect->reads_in_flight)
        reg->readers[op->effect->object] =
            (swp_reader){*op->event, swp_bodies_flight_new(op->effect->object)};
    if (access->carries)
        return SWP_OK;
    if (reg->read < 0)
        return judge_register(op, access);
    return swp_bodies_judge_operand(op->run->findings, op->run->state, reg->read, access->where,
                                    op->event, swp_tile_in(&access->tiles, op->event->pass),
                                    op->run->passes);
}

static swp_status read_all(const issued *op, int *carried)
{
    for (size_t i = 0; i < op->effect->reads.count; i++) {
        const swp_access *read = &op->effect->reads.items[i];
        SWP_TRY(read->is_shared ? read_place(op, read, carried) : read_register(op, read));
    }
    return SWP_OK;
}

/* --- What it writes --- */

static void write_register(const issued *op, const swp_access *access, int carried)
{
    const int tile = access->carries ? SWP_NO_TILE : swp_tile_in(&access->tiles, op->event->pass);
    const swp_reader none = {.event = *op->event, .flight = swp_bodies_flight_done()};
    swp_register_state *reg = register_of(op, access);
    *reg = (swp_register_state){.read = access->carries ? carried : -1,
                                .tile = tile,
                                .held = tile,
                                .event = *op->event,
                                .flight = swp_bodies_flight_new(op->effect->object)};
    for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++)
        reg->readers[o] = none;
}

/* An op that may not run leaves the register to who made it; the version is the next one in any case. */
static void keep_register(const issued *op, const swp_access *access)
{
    swp_register_state *reg = register_of(op, access);
    reg->tile = swp_tile_in(&access->tiles, op->event->pass);
    reg->held = reg->tile;
    if (swp_bodies_flight_retired(op->run->state, &reg->flight))
        reg->event = *op->event;
}

static swp_status write_all(const issued *op, int carried)
{
    for (size_t i = 0; i < op->effect->writes.count; i++) {
        const swp_access *write = &op->effect->writes.items[i];
        if (write->is_shared)
            SWP_TRY(swp_bodies_follow_write(
                op->run, op->event, write->where,
                swp_bodies_written_tile(op->effect, write, op->event->pass), op->effect->object));
        else if (waits_alone(op))
            keep_register(op, write);
        else
            write_register(op, write, carried);
    }
    return SWP_OK;
}

swp_status swp_bodies_follow_op(swp_followed_run *run, const swp_bodies_event *event,
                                const swp_effect *effect)
{
    const issued op = {run, event, effect};
    int carried = -1; /* the read whose tile goes to a register */
    wait_for_operands(&op);
    if (effect->object != SWP_NO_OBJECT)
        SWP_TRY(swp_bodies_follow_issue(run, event, effect));
    SWP_TRY(check_registers(&op));
    SWP_TRY(read_all(&op, &carried));
    return write_all(&op, carried);
}
