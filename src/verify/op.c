/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/op.h"

#include "verify/access.h"
#include "verify/operands.h"
#include "verify/retire.h"

/* An op that issues. */
typedef struct issued {
    swp_followed_run *run;
    const swp_verify_event *event;
    const swp_verify_step *step;
} issued;

static swp_register_state *register_of(const issued *op, const swp_access *access)
{
    return &op->run->state->registers[access->where];
}

/* --- Registers that are not ready --- */

static const swp_verify_step *step_of(const issued *op, const swp_verify_event *event)
{
    return &op->run->state->model->steps[event->ref.phase][event->ref.entry];
}

static bool updates(const swp_accesses *accesses, int where)
{
    for (size_t i = 0; i < accesses->count; i++)
        if (accesses->items[i].updates && !accesses->items[i].is_shared &&
            accesses->items[i].where == where)
            return true;
    return false;
}

/* Matrix instructions in groups that follow each other in one accumulator do so in order. */
static bool accumulates(const issued *op, const swp_access *access, const swp_verify_event *earlier)
{
    return op->step->in_order && step_of(op, earlier)->in_order &&
           updates(&op->step->reads, access->where) && updates(&op->step->writes, access->where);
}

static bool is_in_flight(const issued *op, const swp_verify_flight *flight)
{
    return !swp_verify_flight_retired(op->run->state, flight);
}

/* Who has registers managed waits for the access that brings what the op reads. */
static void wait_for_operands(const issued *op)
{
    for (size_t i = 0; i < op->step->reads.count; i++) {
        const swp_access *read = &op->step->reads.items[i];
        swp_register_state *reg = read->is_shared ? NULL : register_of(op, read);
        if (reg && is_in_flight(op, &reg->flight) && step_of(op, &reg->event)->is_awaited)
            swp_verify_state_retire_through(op->run->state, &reg->flight);
    }
}

/* Once told of, what is in flight counts as done. */
static swp_status report_not_ready(const issued *op, const swp_access *access,
                                   const swp_verify_event *other, swp_verify_flight *flight)
{
    if (swp_rule_holds(op->run->state->model, SWP_RULE_REGISTER_TOLD))
        *flight = swp_verify_flight_done();
    return swp_verify_follow_report(op->run, SWP_REGISTER_NOT_READY, op->event, other,
                                    SWP_SITE_REGISTER, access->where);
}

static swp_status check_maker(const issued *op, const swp_access *access)
{
    swp_register_state *reg = register_of(op, access);
    if (!is_in_flight(op, &reg->flight) || accumulates(op, access, &reg->event))
        return SWP_OK;
    return report_not_ready(op, access, &reg->event, &reg->flight);
}

/* Who manages registers sees to it that of two that make one the later one is found. */
static bool may_make_again(const issued *op, const swp_register_state *reg)
{
    return op->run->state->model->machine->registers != SWP_REGISTERS_RAW &&
           is_in_flight(op, &reg->flight) && step_of(op, &reg->event)->is_awaited;
}

static swp_status check_result(const issued *op, const swp_access *write)
{
    swp_register_state *reg = register_of(op, write);
    if (!may_make_again(op, reg))
        SWP_TRY(check_maker(op, write));
    for (int c = 0; c < SWP_COUNTERS; c++)
        if (is_in_flight(op, &reg->readers[c].flight))
            SWP_TRY(report_not_ready(op, write, &reg->readers[c].event, &reg->readers[c].flight));
    return SWP_OK;
}

static swp_status check_registers(const issued *op)
{
    for (size_t i = 0; i < op->step->reads.count; i++)
        if (!op->step->reads.items[i].is_shared)
            SWP_TRY(check_maker(op, &op->step->reads.items[i]));
    for (size_t i = 0; i < op->step->writes.count; i++)
        if (!op->step->writes.items[i].is_shared)
            SWP_TRY(check_result(op, &op->step->writes.items[i]));
    return SWP_OK;
}

/* --- What it reads --- */

static swp_status read_place(const issued *op, const swp_access *access)
{
    swp_state *state = op->run->state;
    const int slot = swp_verify_state_take_read(state);
    swp_read *read = &state->reads[slot];
    read->event = *op->event;
    read->place = access->where;
    read->flight = swp_verify_flight_new(op->step->counter);
    read->held = SWP_NO_TILE;
    swp_verify_follow_see(state, read);
    return swp_verify_judge_read(op->run->findings, state, slot,
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
    if (op->step->reads_in_flight)
        reg->readers[op->step->counter] =
            (swp_reader){*op->event, swp_verify_flight_new(op->step->counter)};
    reg->held = tile;
    return tile == held || tile == reg->tile ? SWP_OK
                                             : swp_verify_findings_add(op->run->findings, &finding);
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
    const swp_reader none = {.event = *op->event, .flight = swp_verify_flight_done()};
    *reg = (swp_register_state){.read = -1,
                                .tile = tile,
                                .held = tile,
                                .event = *op->event,
                                .flight = swp_verify_flight_new(op->step->counter),
                                .readers = {none, none}};
}

static swp_status write_all(const issued *op)
{
    for (size_t i = 0; i < op->step->writes.count; i++) {
        const swp_access *write = &op->step->writes.items[i];
        if (write->is_shared)
            SWP_TRY(swp_verify_follow_write(op->run, op->event, write->where,
                                            swp_tile_in(&write->tiles, op->event->pass),
                                            op->step->counter));
        else
            write_register(op, write);
    }
    return SWP_OK;
}

swp_status swp_verify_follow_op(swp_followed_run *run, const swp_verify_event *event,
                                const swp_verify_step *step)
{
    const issued op = {run, event, step};
    if (run->state->model->machine->registers != SWP_REGISTERS_RAW)
        wait_for_operands(&op);
    if (step->counter != SWP_NO_COUNTER)
        SWP_TRY(swp_verify_follow_issue(run, event, step));
    SWP_TRY(check_registers(&op));
    SWP_TRY(read_all(&op));
    return write_all(&op);
}
