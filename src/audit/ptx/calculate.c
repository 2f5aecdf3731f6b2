/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that only compute, executed for the threads of a warp: what is known of their registers afterwards. */
#include "audit/ptx/launch.h"
#include "audit/ptx/terms.h"

#include <string.h>

enum { PARAM_SPACE = 40, PARAM_BITS = 20 }; /* where addresses of parameters lie */

/* --- operands --- */

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
        swp_ptx_state_argument(all->launch, &all->items[all->count++]);
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

static swp_ptx_value special(const swp_ptx_step *step, int number)
{
    swp_ptx_run *run = step->run;
    if (number >= SWP_PTX_CTAID && number < SWP_PTX_LANEID)
        return argument(run, -1, number, 32);
    if (number >= SWP_PTX_NTID && number < SWP_PTX_CTAID)
        return swp_ptx_number((uint64_t)run->kernel->threads[number - SWP_PTX_NTID]);
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        run->room[lane] = number >= SWP_PTX_LANEID
                              ? of_lane(lane, number)
                              : coordinate(run->kernel, step->warp * SWP_PTX_LANES + lane, number);
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
    case SWP_PTX_VARIABLE:
        return swp_ptx_number(value);
    case SWP_PTX_PARAM:
        return swp_ptx_number((UINT64_C(1) << PARAM_SPACE) +
                              ((uint64_t)operand->reg << PARAM_BITS) + value);
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

/* --- results --- */

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

/* --- instructions that are no plain function of their sources --- */

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

static void load_param(const swp_ptx_step *step, const swp_ptx_operand *from)
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

/* One register from two, or two from one. */
static swp_ptx_value part_of(const swp_ptx_step *step, const swp_ptx_value *whole, int shift,
                             int bits)
{
    static const swp_ptx_insn right = {
        .kind = SWP_PTX_SHR, .type = {64, false}, .source = {64, false}};
    const swp_ptx_insn narrow = {
        .kind = SWP_PTX_MOVE, .type = {bits, false}, .source = {bits, false}};
    swp_ptx_value sources[2] = {*whole, swp_ptx_number((uint64_t)shift)};
    if (swp_ptx_is_affine(whole))
        return swp_ptx_unknown(SWP_PTX_DATA);
    sources[0] = swp_ptx_evaluate(&right, sources, 2, step->run->room);
    return swp_ptx_evaluate(&narrow, sources, 1, step->run->room);
}

static swp_ptx_value joined(const swp_ptx_step *step, const swp_ptx_value *low,
                            const swp_ptx_value *high, int bits)
{
    static const swp_ptx_insn left = {
        .kind = SWP_PTX_SHL, .type = {64, false}, .source = {64, false}};
    static const swp_ptx_insn either = {
        .kind = SWP_PTX_OR, .type = {64, false}, .source = {64, false}};
    if (swp_ptx_is_affine(low) || swp_ptx_is_affine(high))
        return swp_ptx_unknown(SWP_PTX_DATA);
    const swp_ptx_value shift[2] = {*high, swp_ptx_number((uint64_t)bits)};
    uint64_t room[SWP_PTX_LANES];
    const swp_ptx_value both[2] = {*low, swp_ptx_evaluate(&left, shift, 2, room)};
    return swp_ptx_evaluate(&either, both, 2, step->run->room);
}

static int count_of(const swp_ptx_step *step, int group)
{
    int count = 0;
    for (int i = step->insn->first; i < step->insn->end; i++)
        count += step->run->module->operands.items[i].group == group;
    return count;
}

static void move_parts(const swp_ptx_step *step, const swp_ptx_operand *to,
                       const swp_ptx_operand *from)
{
    const int results = count_of(step, 0);
    const int sources = count_of(step, 1);
    const int bits = step->insn->type.bits / 2;
    if (sources == 2 && results == 1) {
        const swp_ptx_value low = swp_ptx_read_operand(step, &from[0]);
        const swp_ptx_value high = swp_ptx_read_operand(step, &from[1]);
        swp_ptx_write(step, to->reg, joined(step, &low, &high, bits));
        return;
    }
    const swp_ptx_value whole = swp_ptx_read_operand(step, from);
    for (int i = 0; i < results; i++)
        if (to[i].atom == SWP_PTX_REGISTER)
            swp_ptx_write(step, to[i].reg,
                          results == 2 && sources == 1 ? part_of(step, &whole, i * bits, bits)
                                                       : swp_ptx_unknown(SWP_PTX_DATA));
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
static void shuffle(const swp_ptx_step *step, const swp_ptx_operand *to)
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
    if (count_of(step, 0) == 2 && to[1].atom == SWP_PTX_REGISTER)
        swp_ptx_write(step, to[1].reg, swp_ptx_unknown(SWP_PTX_DATA));
}

/* The hardware may elect any lane; it is the lowest one here, and always the same. */
static void elect(const swp_ptx_step *step, const swp_ptx_operand *to)
{
    int leader = 0;
    while (!(step->lanes >> leader & 1))
        leader++;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        step->run->room[lane] = lane == leader;
    if (to[0].atom == SWP_PTX_REGISTER)
        swp_ptx_write(step, to[0].reg, swp_ptx_number((uint64_t)leader));
    if (count_of(step, 0) == 2 && to[1].atom == SWP_PTX_REGISTER)
        swp_ptx_write(step, to[1].reg,
                      (swp_ptx_value){.state = SWP_PTX_VARYING, .lanes = step->run->room});
}

/* --- plain ones --- */

/* A shared variable's generic address lies in a window of its own, apart from those of arguments. */
static swp_ptx_value convert_address(const swp_ptx_step *step, swp_ptx_value from)
{
    static const swp_ptx_insn add = {
        .kind = SWP_PTX_ADD, .type = {64, false}, .source = {64, false}};
    const bool into = swp_ptx_has(step->insn->name, "to");
    const bool inside = swp_ptx_address_bit(&from) != 0;
    if (!swp_ptx_known(&from) || !swp_ptx_has(step->insn->name, "shared") || into != inside)
        return from;
    const swp_ptx_value both[2] = {from, swp_ptx_number(into ? -SWP_PTX_WINDOW : SWP_PTX_WINDOW)};
    uint64_t *room = step->run->room;
    return swp_ptx_is_affine(&from)
               ? swp_ptx_evaluate_affine(&add, both, 2, &step->run->counts, room)
               : swp_ptx_evaluate(&add, both, 2, room);
}

/* Whether what is computed may be a generic address of shared memory: a source is. */
static uint32_t address_bit_of_sources(const swp_ptx_step *step)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    uint32_t bit = 0;
    for (int i = step->insn->first; i < step->insn->end; i++) {
        if (operands[i].group == 0 || operands[i].address || operands[i].atom != SWP_PTX_REGISTER)
            continue;
        bit |= swp_ptx_address_bit(&step->run->warps[step->warp].registers[operands[i].reg].value);
    }
    return bit;
}

void swp_ptx_forget_results(const swp_ptx_step *step, uint32_t depends)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    if (step->insn->kind < SWP_PTX_BRANCH)
        depends |= address_bit_of_sources(step);
    for (int i = step->insn->first; i < step->insn->end; i++)
        if (step->insn->has_results && operands[i].group == 0 && !operands[i].address &&
            operands[i].atom == SWP_PTX_REGISTER)
            swp_ptx_write(step, operands[i].reg, swp_ptx_unknown(depends));
}

/* A predicate as a source may be inverted. */
static swp_ptx_value inverted(swp_ptx_value value, uint64_t *room)
{
    if (swp_ptx_is_affine(&value))
        return swp_ptx_unknown(SWP_PTX_DATA);
    static const swp_ptx_insn invert = {
        .kind = SWP_PTX_XOR, .type = {1, false}, .source = {1, false}};
    const swp_ptx_value both[2] = {value, swp_ptx_number(1)};
    return swp_ptx_evaluate(&invert, both, 2, room);
}

/* Of a number that is moved, or of one of two that a predicate chooses. */
static uint32_t tokens_of_result(const swp_ptx_value *sources, int count)
{
    uint32_t tokens = 0;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        const bool first = count < 3 || swp_ptx_lane(&sources[2], lane) & 1;
        tokens |= sources[first ? 0 : 1].tokens & UINT32_C(1) << lane;
    }
    return tokens;
}

static void evaluate(const swp_ptx_step *step, const swp_ptx_operand *to)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    uint64_t rooms[SWP_PTX_MOST_SOURCES + 2][SWP_PTX_LANES];
    swp_ptx_value sources[SWP_PTX_MOST_SOURCES + 1];
    swp_ptx_term_source terms[SWP_PTX_MOST_SOURCES + 1] = {{0}};
    int count = 0;
    bool grows = false;
    bool named = true;
    const bool moves = step->insn->kind == SWP_PTX_MOVE || step->insn->kind == SWP_PTX_SELP;
    for (int i = step->insn->first; i < step->insn->end; i++) {
        if (operands[i].group == 0)
            continue;
        if (count > SWP_PTX_MOST_SOURCES) {
            swp_ptx_forget_results(step, SWP_PTX_DATA);
            return;
        }
        swp_ptx_value value = moves ? swp_ptx_read_held(step, &operands[i])
                                    : swp_ptx_read_operand(step, &operands[i]);
        if (value.state == SWP_PTX_VARYING && value.lanes == step->run->room) {
            memcpy(rooms[count], value.lanes, sizeof rooms[count]);
            value.lanes = rooms[count];
        }
        named &= swp_ptx_takes_part(&value) && !value.tokens;
        terms[count] = (swp_ptx_term_source){.term = value.term,
                                             .negated = operands[i].negated,
                                             .number = value.term ? 0 : value.one};
        if (operands[i].negated)
            value = inverted(value, rooms[count]);
        grows |= swp_ptx_is_affine(&value);
        sources[count++] = value;
    }
    swp_ptx_value out = swp_ptx_unknown(SWP_PTX_DATA);
    if (count && grows)
        out = swp_ptx_evaluate_affine(step->insn, sources, count, &step->run->counts,
                                      step->run->room);
    else if (count)
        out = swp_ptx_evaluate(step->insn, sources, count, step->run->room);
    if (moves && swp_ptx_known(&out))
        out.tokens = tokens_of_result(sources, count);
    if (swp_code_slice_starts(step->insn->name, "cvta."))
        out = convert_address(step, out);
    if (out.state == SWP_PTX_UNKNOWN)
        out.depends |= address_bit_of_sources(step);
    if (named && count)
        out = swp_ptx_term_of_result(step, out, terms, count);
    swp_ptx_write(step, to->reg, out);
    if (count_of(step, 0) == 2 && to[1].atom == SWP_PTX_REGISTER) {
        swp_ptx_value other = swp_ptx_unknown(out.depends);
        if (swp_ptx_known(&out) && step->insn->kind == SWP_PTX_SETP && count == 2)
            other = inverted(step->run->warps[step->warp].registers[to->reg].value, rooms[0]);
        swp_ptx_write(step, to[1].reg, other);
    }
}

void swp_ptx_calculate(const swp_ptx_step *step)
{
    const swp_ptx_module *module = step->run->module;
    const swp_ptx_operand *to = swp_ptx_operand_of(module, step->insn, 0);
    const swp_ptx_operand *from = swp_ptx_operand_of(module, step->insn, 1);
    if (!to || !step->insn->has_results)
        return;
    if (step->insn->kind == SWP_PTX_OPAQUE || (!from && step->insn->kind != SWP_PTX_ELECT))
        swp_ptx_forget_results(step, SWP_PTX_DATA);
    else if (step->insn->kind == SWP_PTX_LOAD_PARAM)
        load_param(step, from);
    else if (step->insn->kind == SWP_PTX_SHUFFLE && count_of(step, 2) && count_of(step, 3))
        shuffle(step, to);
    else if (step->insn->kind == SWP_PTX_ELECT)
        elect(step, to);
    else if (step->insn->kind == SWP_PTX_VOTE)
        swp_ptx_vote(step, to, from);
    else if (step->insn->kind == SWP_PTX_MOVE && (count_of(step, 0) > 1 || count_of(step, 1) > 1))
        move_parts(step, to, from);
    else if (to->atom == SWP_PTX_REGISTER && step->insn->kind != SWP_PTX_SHUFFLE)
        evaluate(step, to);
}

bool swp_ptx_uniform_number(const swp_ptx_step *step, const swp_ptx_operand *operand, uint64_t *out)
{
    const swp_ptx_value value = swp_ptx_read_operand(step, operand);
    int first = 0;
    if (!swp_ptx_known(&value) || swp_ptx_is_affine(&value)) {
        swp_ptx_ask_value(step, &value,
                          "a number that orders depends on something that is not followed");
        return false;
    }
    while (!(step->lanes >> first & 1))
        first++;
    *out = swp_ptx_lane(&value, first);
    for (int lane = first; lane < SWP_PTX_LANES; lane++)
        if (step->lanes >> lane & 1 && swp_ptx_lane(&value, lane) != *out) {
            swp_ptx_report_unknown(step->run, step->number,
                                   "threads of one warp give different numbers here",
                                   "let all threads of the warp name one barrier");
            return false;
        }
    return true;
}
