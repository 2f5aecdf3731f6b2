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

/* Who has registers managed waits for the access that brings what the op reads. */
static bool waits_for(const issued *op, const swp_access *read)
{
    const swp_state *state = op->run->state;
    const bool waits = state->model->machine->registers != SWP_REGISTERS_RAW
                           ? swp_rule_holds(state->model, SWP_RULE_MANAGED_USE)
                           : !swp_rule_holds(state->model, SWP_RULE_RAW_USE);
    return waits && !read->is_shared &&
           !swp_bodies_flight_retired(state, &register_of(op, read)->flight);
}

static void wait_for_operands(const issued *op)
{
    for (size_t i = 0; i < op->effect->reads.count; i++) {
        const swp_access *read = &op->effect->reads.items[i];
        if (waits_for(op, read))
            swp_bodies_state_retire_through(op->run->state, &register_of(op, read)->flight);
    }
}

/* Once told of, what is in flight counts as done. */
static swp_status check_maker(const issued *op, const swp_access *access, swp_rule rule)
{
    swp_register_state *reg = register_of(op, access);
    const swp_model *model = op->run->state->model;
    if (swp_bodies_flight_retired(op->run->state, &reg->flight) || !swp_rule_holds(model, rule))
        return SWP_OK;
    if (swp_rule_holds(model, SWP_RULE_REGISTER_TOLD))
        reg->flight = swp_bodies_flight_done();
    return swp_bodies_follow_report(op->run, SWP_REGISTER_NOT_READY, op->event, &reg->event,
                                    SWP_SITE_REGISTER, access->where);
}

/* Who manages registers sees to it that of two that make one the later one is found. */
static swp_status check_result(const issued *op, const swp_access *write)
{
    return op->run->state->model->machine->registers == SWP_REGISTERS_RAW
               ? check_maker(op, write, SWP_RULE_REGISTER_RELOADED)
               : SWP_OK;
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
    read->held = SWP_NO_TILE;
    read->tile = SWP_NO_TILE;
    SWP_TRY(swp_bodies_follow_see(state, read));
    *carried = slot;
    return judge_unobserved(op, slot);
}

/* Nothing was loaded into the register. */
static swp_status judge_empty(const issued *op, const swp_access *access)
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
                                 .found = SWP_NO_TILE};
    if (!swp_rule_holds(op->run->state->model, SWP_RULE_EMPTY_REGISTER))
        return SWP_OK;
    reg->held = tile;
    return tile == held ? SWP_OK : swp_bodies_findings_add(op->run->findings, &finding);
}

/* What a fragment load carried must be what its first user wants, and then every other one. */
static swp_status read_register(const issued *op, const swp_access *access)
{
    const swp_register_state *reg = register_of(op, access);
    if (access->carries)
        return SWP_OK;
    if (reg->read < 0)
        return judge_empty(op, access);
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
    *register_of(op, access) =
        (swp_register_state){.read = carried,
                             .held = SWP_NO_TILE,
                             .event = *op->event,
                             .flight = swp_bodies_flight_new(op->effect->object)};
}

static swp_status write_all(const issued *op, int carried)
{
    for (size_t i = 0; i < op->effect->writes.count; i++) {
        const swp_access *write = &op->effect->writes.items[i];
        if (write->is_shared)
            SWP_TRY(swp_bodies_follow_write(
                op->run, op->event, write->where,
                swp_bodies_written_tile(op->effect, write, op->event->pass), op->effect->object));
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
