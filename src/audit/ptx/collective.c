/* SPDX-License-Identifier: Apache-2.0 */
/* What lanes of a warp do together: votes, shuffles and elections, and which lanes take part. */
#include "audit/ptx/execute.h"

uint32_t swp_ptx_members(const swp_ptx_step *step)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const swp_ptx_insn *insn = step->insn;
    uint32_t members = 0;
    if (!insn->masked || insn->first == insn->end)
        return SWP_PTX_ALL_LANES;
    const swp_ptx_value mask = swp_ptx_read_operand(step, &operands[insn->end - 1]);
    if (!swp_ptx_known(&mask) || swp_ptx_is_affine(&mask))
        return SWP_PTX_ALL_LANES;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (step->lanes >> lane & 1)
            members |= (uint32_t)swp_ptx_lane(&mask, lane);
    return members;
}

static uint32_t voters_of(const swp_ptx_step *step, const swp_ptx_operand *from,
                          const swp_ptx_value *predicate)
{
    uint32_t voters = 0;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (step->lanes >> lane & 1 && (swp_ptx_lane(predicate, lane) & 1) != from->negated)
            voters |= UINT32_C(1) << lane;
    return voters;
}

static bool is_carried(swp_slice name, uint32_t voters, uint32_t lanes)
{
    if (swp_ptx_has(name, "all"))
        return voters == lanes;
    if (swp_ptx_has(name, "any"))
        return voters != 0;
    return voters == 0 || voters == lanes;
}

void swp_ptx_vote(const swp_ptx_step *step, const swp_ptx_operand *to, const swp_ptx_operand *from)
{
    const swp_ptx_value predicate = swp_ptx_read_operand(step, from);
    /* A member that the guard keeps away is waited for in vain (PTX ISA, vote.sync). */
    const uint32_t alive = step->run->warps[step->warp].alive;
    const bool together = (swp_ptx_members(step) & alive) == step->lanes;
    swp_ptx_value out =
        swp_ptx_unknown(predicate.state == SWP_PTX_UNKNOWN ? predicate.depends : SWP_PTX_DATA);
    if (together && swp_ptx_known(&predicate) && !swp_ptx_is_affine(&predicate)) {
        const uint32_t lanes = voters_of(step, from, &predicate);
        out = swp_ptx_number(swp_ptx_has(step->insn->name, "ballot")
                                 ? lanes
                                 : is_carried(step->insn->name, lanes, step->lanes));
    }
    if (to->atom == SWP_PTX_REGISTER)
        swp_ptx_write(step, to->reg, out);
}

/* Which lane a lane reads from; -1: that is not followed. */
static int partner(const swp_ptx_insn *insn, int lane, uint64_t by)
{
    int64_t other = -1;
    if (swp_ptx_has(insn->name, "idx"))
        return (int)(by & (SWP_PTX_LANES - 1));
    if (swp_ptx_has(insn->name, "bfly"))
        other = lane ^ (int)(by & (SWP_PTX_LANES - 1));
    else if (swp_ptx_has(insn->name, "up"))
        other = lane - (int)(by & (SWP_PTX_LANES - 1));
    else if (swp_ptx_has(insn->name, "down"))
        other = lane + (int)(by & (SWP_PTX_LANES - 1));
    return other >= 0 && other < SWP_PTX_LANES ? (int)other : lane;
}

/* Parts of a warp (the last operand but one) are not followed, unless all lanes have one number. */
void swp_ptx_shuffle(const swp_ptx_step *step, const swp_ptx_operand *to)
{
    const swp_ptx_module *module = step->run->module;
    const swp_ptx_value a = swp_ptx_read_operand(step, swp_ptx_operand_of(module, step->insn, 1));
    uint64_t from[SWP_PTX_LANES];
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        from[lane] = swp_ptx_known(&a) ? swp_ptx_lane(&a, lane) : 0;
    const swp_ptx_value by = swp_ptx_read_operand(step, swp_ptx_operand_of(module, step->insn, 2));
    const swp_ptx_value clamp =
        swp_ptx_read_operand(step, swp_ptx_operand_of(module, step->insn, 3));
    const uint64_t whole = swp_ptx_has(step->insn->name, "up") ? 0 : SWP_PTX_LANES - 1;
    swp_ptx_value out = swp_ptx_unknown(a.state == SWP_PTX_UNKNOWN ? a.depends : SWP_PTX_DATA);
    if (a.state == SWP_PTX_UNIFORM || (a.state == SWP_PTX_UNKNOWN && a.term)) {
        out = a;
    } else if (a.state == SWP_PTX_VARYING && !swp_ptx_is_affine(&a) && !swp_ptx_is_affine(&by) &&
               by.state == SWP_PTX_UNIFORM && clamp.state == SWP_PTX_UNIFORM &&
               clamp.one == whole) {
        for (int lane = 0; lane < SWP_PTX_LANES; lane++)
            step->run->room[lane] = from[partner(step->insn, lane, by.one)];
        out = (swp_ptx_value){.state = SWP_PTX_VARYING, .lanes = step->run->room};
        if (swp_ptx_has(step->insn->name, "idx"))
            out = swp_ptx_number(step->run->room[0]);
    }
    if (to[0].atom == SWP_PTX_REGISTER)
        swp_ptx_write(step, to[0].reg, out);
    if (swp_ptx_count_operands(step, 0) == 2 && to[1].atom == SWP_PTX_REGISTER)
        swp_ptx_write(step, to[1].reg, swp_ptx_unknown(SWP_PTX_DATA));
}

/* The manual does not say which lane is elected, but that it is always the same. */
void swp_ptx_elect(const swp_ptx_step *step, const swp_ptx_operand *to)
{
    int leader = swp_ptx_first_lane(step->lanes);
    if (step->lanes & (step->lanes - 1))
        swp_ptx_assumes(step->run, SWP_AUDIT_ELECT_LOWEST, step->number);
    for (int lane = leader;
         !swp_ptx_holds(step->run, SWP_AUDIT_ELECT_LOWEST) && lane < SWP_PTX_LANES; lane++)
        leader = step->lanes >> lane & 1 ? lane : leader;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        step->run->room[lane] = lane == leader;
    if (to[0].atom == SWP_PTX_REGISTER)
        swp_ptx_write(step, to[0].reg, swp_ptx_number((uint64_t)leader));
    if (swp_ptx_count_operands(step, 0) == 2 && to[1].atom == SWP_PTX_REGISTER)
        swp_ptx_write(step, to[1].reg,
                      (swp_ptx_value){.state = SWP_PTX_VARYING, .lanes = step->run->room});
}
