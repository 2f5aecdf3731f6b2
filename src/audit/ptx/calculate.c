/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that only compute, executed for the threads of a warp: what is known of their registers afterwards. */
#include "audit/ptx/cluster.h"
#include "audit/ptx/terms.h"

#include <string.h>

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

static void move_parts(const swp_ptx_step *step, const swp_ptx_operand *to,
                       const swp_ptx_operand *from)
{
    const int results = swp_ptx_count_operands(step, 0);
    const int sources = swp_ptx_count_operands(step, 1);
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
static swp_ptx_sources address_bit_of_sources(const swp_ptx_step *step)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    swp_ptx_sources bit = 0;
    for (int i = step->insn->first; i < step->insn->end; i++) {
        if (operands[i].group == 0 || operands[i].address || operands[i].atom != SWP_PTX_REGISTER)
            continue;
        bit |= swp_ptx_address_bit(&step->run->warps[step->warp].registers[operands[i].reg].value);
    }
    return bit;
}

void swp_ptx_forget_results(const swp_ptx_step *step, swp_ptx_sources depends)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    if (step->insn->kind < SWP_PTX_BRANCH)
        depends |= address_bit_of_sources(step);
    for (int i = step->insn->first; i < step->insn->end; i++)
        if (swp_ptx_is_result(step->insn, &operands[i]))
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
    else
        out = swp_ptx_term_of_tile(step, out, sources, count);
    swp_ptx_write(step, to->reg, out);
    if (swp_ptx_count_operands(step, 0) == 2 && to[1].atom == SWP_PTX_REGISTER) {
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
        swp_ptx_load_param(step, from);
    else if (step->insn->kind == SWP_PTX_SHUFFLE && swp_ptx_count_operands(step, 2) &&
             swp_ptx_count_operands(step, 3))
        swp_ptx_shuffle(step, to);
    else if (step->insn->kind == SWP_PTX_MAP_ADDRESS)
        swp_ptx_map_address(step, to);
    else if (step->insn->kind == SWP_PTX_ELECT)
        swp_ptx_elect(step, to);
    else if (step->insn->kind == SWP_PTX_VOTE)
        swp_ptx_vote(step, to, from);
    else if (step->insn->kind == SWP_PTX_MOVE &&
             (swp_ptx_count_operands(step, 0) > 1 || swp_ptx_count_operands(step, 1) > 1))
        move_parts(step, to, from);
    else if (to->atom == SWP_PTX_REGISTER && step->insn->kind != SWP_PTX_SHUFFLE)
        evaluate(step, to);
}
