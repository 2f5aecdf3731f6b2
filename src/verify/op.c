/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/op.h"

#include "verify/access.h"
#include "verify/operands.h"
#include "verify/retire.h"

/* An op that issues. */
typedef struct issued {
    swp_followed_run *run;
    const swp_event *event;
    const swp_step *step;
} issued;

static swp_register_state *register_of(const issued *op, const swp_access *access)
{
    return &op->run->state->registers[access->where];
}

/* --- Registers that are not ready --- */

/* LDS operations of one wave that follow each other in one accumulator do so in order. */
static bool accumulates(const issued *op, const swp_access *access, const swp_flight *maker)
{
    if (!access->updates || op->step->counter != SWP_LGKMCNT || maker->counter != SWP_LGKMCNT)
        return false;
    const swp_accesses *reads = &op->step->reads;
    const swp_accesses *writes = &op->step->writes;
    bool read = false;
    bool written = false;
    for (size_t i = 0; i < reads->count; i++)
        read = read || (reads->items[i].updates && !reads->items[i].is_shared &&
                        reads->items[i].where == access->where);
    for (size_t i = 0; i < writes->count; i++)
        written = written || (writes->items[i].updates && !writes->items[i].is_shared &&
                              writes->items[i].where == access->where);
    return read && written;
}

/* Calls `meet` for each access in flight that the op must not run into. */
typedef swp_status meeting(const issued *op, int where, const swp_event *other, swp_flight *flight);

static swp_status meet_maker(const issued *op, const swp_access *access, meeting *meet)
{
    swp_register_state *reg = register_of(op, access);
    if (swp_flight_retired(op->run->state, &reg->flight) || accumulates(op, access, &reg->flight))
        return SWP_OK;
    return meet(op, access->where, &reg->event, &reg->flight);
}

static swp_status meet_readers(const issued *op, const swp_access *access, meeting *meet)
{
    swp_register_state *reg = register_of(op, access);
    for (int c = 0; c < SWP_COUNTERS; c++)
        if (!swp_flight_retired(op->run->state, &reg->readers[c].flight))
            SWP_TRY(meet(op, access->where, &reg->readers[c].event, &reg->readers[c].flight));
    return SWP_OK;
}

static swp_status meet_all(const issued *op, meeting *meet)
{
    for (size_t i = 0; i < op->step->reads.count; i++)
        if (!op->step->reads.items[i].is_shared)
            SWP_TRY(meet_maker(op, &op->step->reads.items[i], meet));
    for (size_t i = 0; i < op->step->writes.count; i++) {
        const swp_access *write = &op->step->writes.items[i];
        if (write->is_shared)
            continue;
        SWP_TRY(meet_maker(op, write, meet));
        SWP_TRY(meet_readers(op, write, meet));
    }
    return SWP_OK;
}

/* Managed registers: a compiler waits. */
static swp_status wait_for(const issued *op, int where, const swp_event *other, swp_flight *flight)
{
    (void)where;
    (void)other;
    swp_state_retire_through(op->run->state, flight);
    return SWP_OK;
}

/* Raw ones had better be there; once told of, they count as it. */
static swp_status report_not_ready(const issued *op, int where, const swp_event *other,
                                   swp_flight *flight)
{
    if (swp_rule_holds(op->run->state->model, SWP_RULE_REGISTER_TOLD))
        *flight = swp_flight_done();
    return swp_follow_report(op->run, SWP_REGISTER_NOT_READY, op->event, other, SWP_SITE_REGISTER,
                             where);
}

/* --- What it reads --- */

static swp_status read_place(const issued *op, const swp_access *access)
{
    swp_state *state = op->run->state;
    const int slot = swp_state_take_read(state);
    swp_read *read = &state->reads[slot];
    read->event = *op->event;
    read->place = access->where;
    read->flight = swp_flight_new(op->step->counter);
    read->held = SWP_NO_TILE;
    swp_follow_see(state, read);
    return swp_judge_read(op->run->findings, state, slot,
                          swp_tile_in(&access->tiles, op->event->pass), op->run->passes);
}

static swp_status read_register(const issued *op, const swp_access *access)
{
    swp_register_state *reg = register_of(op, access);
    const int tile = swp_tile_in(&access->tiles, op->event->pass);
    const int held = reg->held;
    const swp_finding finding = {.kind = SWP_WRONG_TILE,
                                 .at = *op->event,
                                 .other = &reg->event,
                                 .site = SWP_SITE_REGISTER,
                                 .place = access->where,
                                 .wanted = tile,
                                 .found = reg->tile};
    if (op->step->counter != SWP_NO_COUNTER)
        reg->readers[op->step->counter] =
            (swp_reader){*op->event, swp_flight_new(op->step->counter)};
    reg->held = tile;
    return tile == held || tile == reg->tile ? SWP_OK
                                             : swp_findings_add(op->run->findings, &finding);
}

static swp_status read_all(const issued *op)
{
    for (size_t i = 0; i < op->step->reads.count; i++) {
        const swp_access *read = &op->step->reads.items[i];
        SWP_TRY(read->is_shared ? read_place(op, read) : read_register(op, read));
    }
    return SWP_OK;
}

/* --- What it writes --- */

static void write_register(const issued *op, const swp_access *access)
{
    const int tile = swp_tile_in(&access->tiles, op->event->pass);
    swp_register_state *reg = register_of(op, access);
    const swp_reader none = {.event = *op->event, .flight = swp_flight_done()};
    *reg = (swp_register_state){.read = -1,
                                .tile = tile,
                                .held = tile,
                                .event = *op->event,
                                .flight = swp_flight_new(op->step->counter),
                                .readers = {none, none}};
}

static swp_status write_all(const issued *op)
{
    for (size_t i = 0; i < op->step->writes.count; i++) {
        const swp_access *write = &op->step->writes.items[i];
        if (write->is_shared)
            SWP_TRY(swp_follow_write(op->run, op->event, write->where,
                                     swp_tile_in(&write->tiles, op->event->pass),
                                     op->step->counter));
        else
            write_register(op, write);
    }
    return SWP_OK;
}

swp_status swp_follow_op(swp_followed_run *run, const swp_event *event, const swp_step *step)
{
    const issued op = {run, event, step};
    const bool managed = run->state->model->machine->registers == SWP_REGISTERS_MANAGED;
    if (managed)
        SWP_TRY(meet_all(&op, wait_for));
    if (step->counter != SWP_NO_COUNTER)
        SWP_TRY(swp_follow_issue(run, event, step));
    if (!managed)
        SWP_TRY(meet_all(&op, report_not_ready));
    SWP_TRY(read_all(&op));
    return write_all(&op);
}
