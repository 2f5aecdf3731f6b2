/* SPDX-License-Identifier: Apache-2.0 */
/* Votes of a warp, and the lanes that take part in what its lanes do together. */
#include "audit/ptx/execute.h"

uint32_t swp_ptx_members(const swp_ptx_step *step)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const swp_ptx_insn *insn = step->insn;
    if (insn->kind != SWP_PTX_SHUFFLE && insn->kind != SWP_PTX_ELECT &&
        insn->kind != SWP_PTX_VOTE && insn->kind != SWP_PTX_WARP_BARRIER)
        return SWP_PTX_ALL_LANES;
    if (insn->first == insn->end)
        return SWP_PTX_ALL_LANES;
    const swp_ptx_value mask = swp_ptx_read_operand(step, &operands[insn->end - 1]);
    return mask.state == SWP_PTX_UNIFORM ? (uint32_t)mask.one : SWP_PTX_ALL_LANES;
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
