/* SPDX-License-Identifier: Apache-2.0 */
/* What operands hold: registers of the lanes of a step, numbers, special registers and parameters. */
#include "audit/ptx/launch.h"
#include "audit/ptx/terms.h"

#include <string.h>

enum { PARAM_SPACE = 40, PARAM_BITS = 20 }; /* where addresses of parameters lie */

int swp_ptx_count_operands(const swp_ptx_step *step, int group)
{
    int count = 0;
    for (int i = step->insn->first; i < step->insn->end; i++)
        count += step->run->module->operands.items[i].group == group;
    return count;
}

uint64_t swp_ptx_address_of_param(int param, int64_t byte)
{
    return (UINT64_C(1) << PARAM_SPACE) + ((uint64_t)param << PARAM_BITS) + (uint64_t)byte;
}

static bool shares_bytes(const swp_ptx_argument *a, int param, int64_t offset, int bits)
{
    return a->param == param && param >= 0 && a->offset < offset + bits / 8 &&
           offset < a->offset + a->bits / 8;
}

/* Of numbers that share bytes only the first one is followed: they have no values of their own. */
static swp_ptx_value argument(swp_ptx_run *run, int param, int64_t offset, int bits)
{
    swp_ptx_arguments *all = run->arguments;
    bool shares = false;
    int i = 0;
    while (i < all->count && (all->items[i].param != param || all->items[i].offset != offset ||
                              all->items[i].bits != bits))
        shares |= shares_bytes(&all->items[i++], param, offset, bits);
    if (i == SWP_PTX_MOST_ARGUMENTS || (i == all->count && shares))
        return swp_ptx_unknown(SWP_PTX_DATA);
    if (i == all->count) {
        all->items[all->count] = (swp_ptx_argument){.param = param, .offset = offset, .bits = bits};
        swp_ptx_state_argument(all->launch, run->kernel, &all->items[all->count++]);
    }
    if (!all->items[i].given)
        return swp_ptx_term_of_argument(run, i);
    swp_ptx_value value = swp_ptx_number(all->items[i].value);
    if (bits < 32)
        value.one &= (UINT64_C(1) << bits) - 1;
    for (int c = 0; c < SWP_PTX_COUNTS; c++)
        value.slope[c] = run->counts.most[c] ? all->items[i].slope[c] : 0;
    return bits < 32 && swp_ptx_is_affine(&value) ? swp_ptx_unknown(SWP_PTX_DATA) : value;
}

static uint64_t coordinate(const swp_ptx_kernel *kernel, int thread, int dimension)
{
    const int *size = kernel->threads;
    if (dimension == 0)
        return (uint64_t)(thread % size[0]);
    thread /= size[0];
    return (uint64_t)(dimension == 1 ? thread % size[1] : thread / size[1]);
}

/* The lane's number, or the lanes that are it, before it or behind it. */
static uint64_t of_lane(int lane, int number)
{
    const uint32_t itself = UINT32_C(1) << lane;
    switch (number) {
    case SWP_PTX_LANEID:
        return (uint64_t)lane;
    case SWP_PTX_LANEMASK_EQ:
        return itself;
    case SWP_PTX_LANEMASK_LE:
        return itself | (itself - 1);
    case SWP_PTX_LANEMASK_LT:
        return itself - 1;
    case SWP_PTX_LANEMASK_GE:
        return ~(itself - 1);
    default:
        return ~(itself | (itself - 1));
    }
}

/* What is known of a launch is the number of the cluster, and how many there are: `number`, of which each has so many work groups. */
static swp_ptx_value of_group(const swp_ptx_step *step, int number)
{
    const int *cluster = step->run->kernel->cluster;
    const int d = (number - SWP_PTX_CTAID) % 3;
    swp_ptx_value value = argument(step->run, -1, number, 32);
    if (!cluster[0] || cluster[d] == 1)
        return value;
    value.term = 0;
    value.one *= (uint64_t)cluster[d];
    if (number < SWP_PTX_NCTAID)
        value.one += swp_ptx_number_in_cluster(step->run, step->warp, d);
    for (int c = 0; c < SWP_PTX_COUNTS; c++)
        value.slope[c] *= cluster[d];
    return value;
}

static swp_ptx_value of_cluster(const swp_ptx_step *step, int number)
{
    const swp_ptx_kernel *kernel = step->run->kernel;
    step->run->lacks_cluster |= !kernel->cluster[0];
    if (!kernel->cluster[0] || (number == SWP_PTX_IS_EXPLICIT_CLUSTER && !kernel->is_explicit))
        return swp_ptx_unknown(SWP_PTX_DATA);
    if (number == SWP_PTX_IS_EXPLICIT_CLUSTER)
        return swp_ptx_number(1);
    if (number == SWP_PTX_CLUSTER_CTARANK)
        return swp_ptx_number((uint64_t)swp_ptx_rank(step->run, step->warp));
    if (number == SWP_PTX_CLUSTER_NCTARANK)
        return swp_ptx_number((uint64_t)step->run->cluster);
    if (number >= SWP_PTX_CLUSTERID)
        return argument(step->run, -1, SWP_PTX_CTAID + number - SWP_PTX_CLUSTERID, 32);
    if (number >= SWP_PTX_CLUSTER_NCTAID)
        return swp_ptx_number((uint64_t)kernel->cluster[number - SWP_PTX_CLUSTER_NCTAID]);
    return swp_ptx_number(
        swp_ptx_number_in_cluster(step->run, step->warp, number - SWP_PTX_CLUSTER_CTAID));
}

static swp_ptx_value special(const swp_ptx_step *step, int number)
{
    swp_ptx_run *run = step->run;
    const int own_warp = step->warp % run->own_warps;
    if (number >= SWP_PTX_CTAID && number < SWP_PTX_LANEID)
        return of_group(step, number);
    if (number >= SWP_PTX_CLUSTER_CTAID)
        return of_cluster(step, number);
    if (number >= SWP_PTX_NTID && number < SWP_PTX_CTAID)
        return swp_ptx_number((uint64_t)run->kernel->threads[number - SWP_PTX_NTID]);
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        run->room[lane] = number >= SWP_PTX_LANEID
                              ? of_lane(lane, number)
                              : coordinate(run->kernel, own_warp * SWP_PTX_LANES + lane, number);
    return (swp_ptx_value){.state = SWP_PTX_VARYING, .lanes = run->room};
}

swp_ptx_value swp_ptx_read_held(const swp_ptx_step *step, const swp_ptx_operand *operand)
{
    const swp_ptx_warp *warp = &step->run->warps[step->warp];
    const uint64_t value = (uint64_t)operand->value;
    switch (operand->atom) {
    case SWP_PTX_REGISTER: {
        const swp_ptx_value *held = &warp->registers[operand->reg].value;
        return (held->undefined & step->lanes)
                   ? swp_ptx_unknown(SWP_PTX_DATA | swp_ptx_address_bit(held))
                   : *held;
    }
    case SWP_PTX_NUMBER:
        return swp_ptx_number(value);
    case SWP_PTX_VARIABLE:
        return swp_ptx_number(
            value + ((uint64_t)swp_ptx_rank(step->run, step->warp) << SWP_PTX_RANK_SHIFT));
    case SWP_PTX_PARAM:
        return swp_ptx_number(swp_ptx_address_of_param(operand->reg, operand->value));
    case SWP_PTX_SPECIAL:
        return special(step, operand->reg);
    default:
        return swp_ptx_unknown(SWP_PTX_DATA);
    }
}

swp_ptx_value swp_ptx_read_operand(const swp_ptx_step *step, const swp_ptx_operand *operand)
{
    const swp_ptx_value held = swp_ptx_read_held(step, operand);
    return swp_ptx_has_token(&held, step->lanes) ? swp_ptx_unknown(SWP_PTX_DATA) : held;
}

bool swp_ptx_uniform_number(const swp_ptx_step *step, const swp_ptx_operand *operand, uint64_t *out)
{
    const swp_ptx_value value = swp_ptx_read_operand(step, operand);
    if (!swp_ptx_known(&value) || swp_ptx_is_affine(&value)) {
        swp_ptx_ask_value(step, &value,
                          "a number that orders depends on something that is not followed");
        return false;
    }
    *out = swp_ptx_lane(&value, swp_ptx_first_lane(step->lanes));
    if (swp_ptx_lanes_alike(&value, step->lanes) == step->lanes)
        return true;
    swp_ptx_report_unknown(step->run, step->number,
                           "threads of one warp give different numbers here",
                           "let all threads of the warp name one barrier");
    return false;
}

/* Takes the lanes of the step from a value, and the others too where nothing is kept. */
static void take_lanes(const swp_ptx_step *step, swp_ptx_value *to, const swp_ptx_value *from,
                       bool keeps)
{
    uint64_t *lanes = to->lanes;
    if (!lanes && step->run->status == SWP_OK)
        step->run->status = swp_take(step->run->ctx, SWP_PTX_LANES, sizeof *lanes, (void **)&lanes);
    if (!lanes) {
        *to = swp_ptx_unknown(SWP_PTX_DATA);
        return;
    }
    to->lanes = lanes;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        lanes[lane] =
            !keeps || step->lanes >> lane & 1 ? swp_ptx_lane(from, lane) : swp_ptx_lane(to, lane);
    const uint32_t taken = keeps ? step->lanes : SWP_PTX_ALL_LANES;
    const uint32_t tokens = (from->tokens & taken) | (to->tokens & ~taken);
    *to = (swp_ptx_value){.state = SWP_PTX_VARYING, .lanes = lanes, .tokens = tokens};
    memcpy(to->slope, from->slope, sizeof to->slope);
}

void swp_ptx_write(const swp_ptx_step *step, int reg, swp_ptx_value value)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    swp_ptx_value *to = &warp->registers[reg].value;
    const bool all = (warp->alive & ~step->lanes) == 0 || to->state == SWP_PTX_UNDEFINED;
    if (!all && swp_ptx_known(&value) && swp_ptx_known(to) &&
        swp_ptx_have_same_slopes(&value, to)) {
        take_lanes(step, to, &value, true);
        return;
    }
    const uint32_t others = all ? 0 : warp->alive & ~step->lanes;
    if (!all && !swp_ptx_known(&value))
        value.depends |= to->state == SWP_PTX_UNKNOWN ? to->depends : swp_ptx_address_bit(to);
    if (value.state == SWP_PTX_VARYING) {
        take_lanes(step, to, &value, false);
    } else {
        value.lanes = to->lanes;
        *to = value;
    }
    to->undefined = others;
}

/* Which parameter's bytes an address is of, by its name or from a register. */
static bool find_param(const swp_ptx_step *step, const swp_ptx_operand *from, int *param,
                       int64_t *offset)
{
    const swp_ptx_value address = swp_ptx_read_operand(step, from);
    const uint64_t place = address.one + (uint64_t)swp_ptx_offset(from);
    *param = (int)(place >> PARAM_BITS & ((UINT64_C(1) << (PARAM_SPACE - PARAM_BITS)) - 1));
    *offset = (int64_t)(place & ((UINT64_C(1) << PARAM_BITS) - 1));
    return address.state == SWP_PTX_UNIFORM && !swp_ptx_is_affine(&address) &&
           place >> PARAM_SPACE == 1;
}

void swp_ptx_load_param(const swp_ptx_step *step, const swp_ptx_operand *from)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const int bits = step->insn->type.bits ? step->insn->type.bits : 32;
    int param = 0;
    int64_t offset = 0;
    const bool found = find_param(step, from, &param, &offset);
    for (int i = step->insn->first; i < step->insn->end && operands[i].group == 0; i++) {
        if (operands[i].atom == SWP_PTX_REGISTER)
            swp_ptx_write(step, operands[i].reg,
                          found ? argument(step->run, param, offset, bits)
                                : swp_ptx_unknown(SWP_PTX_DATA));
        offset += bits / 8;
    }
}
