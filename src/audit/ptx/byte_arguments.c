/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments that say how many bytes a phase expects of its tensor copies, as CUTLASS' `tma_transaction_bytes` do: a host gives what
 * its tensor maps bring. Where no launch states them they are taken to be that, with boxes that fill the room between the places
 * that copies write; so they decide nothing.
 */
#include "audit/ptx/exploration.h"
#include "audit/ptx/launch.h"

#include "audit/ptx/box_sizes.h"

#include <limits.h>

enum { NONE = -1, MOST_MOVES = 4 };

/* --- in a run --- */

/* Which parameter a register is loaded from, as the text alone says it: one instruction writes it. */
static swp_ptx_param_place source_of(const swp_ptx_run *run, const swp_ptx_operand *operand)
{
    const swp_ptx_operand *operands = run->module->operands.items;
    for (int moves = 0; moves < MOST_MOVES && operand; moves++) {
        const swp_ptx_insn *insn = swp_ptx_writer_of(run->module, run->kernel, operand->reg);
        int64_t before = 0;
        if (!insn || (insn->kind != SWP_PTX_LOAD_PARAM && insn->kind != SWP_PTX_MOVE))
            break;
        const swp_ptx_operand *from = swp_ptx_operand_of(run->module, insn, 1);
        for (int i = insn->first; i < insn->end && operands[i].reg != operand->reg; i++)
            before += insn->type.bits / 8;
        if (insn->kind == SWP_PTX_LOAD_PARAM) {
            swp_ptx_param_place place = swp_ptx_place_of(run->module, run->kernel, from);
            place.byte += before;
            return place;
        }
        operand = from && from->atom == SWP_PTX_REGISTER ? from : NULL;
    }
    return (swp_ptx_param_place){.param = SWP_PTX_COMPUTED};
}

static int find_argument(const swp_ptx_run *run, swp_ptx_param_place place)
{
    for (int i = 0; i < run->arguments->count && place.param >= 0; i++)
        if (run->arguments->items[i].param == place.param &&
            run->arguments->items[i].offset == place.byte)
            return i;
    return NONE;
}

swp_status swp_ptx_find_byte_argument(swp_ptx_run *run, const swp_ptx_operand *operand, int *out)
{
    swp_ptx_equations *equations = run->equations;
    *out = NONE;
    if (!operand || operand->atom != SWP_PTX_REGISTER)
        return SWP_OK;
    if (!equations->byte_arguments)
        SWP_TRY(
            SWP_TAKE(run->outer, (size_t)run->kernel->registers + 1, &equations->byte_arguments));
    int *known = &equations->byte_arguments[operand->reg];
    if (!*known)
        *known = find_argument(run, source_of(run, operand)) + 2;
    *out = *known - 2;
    if (*out == NONE || run->arguments->items[*out].stated)
        return SWP_OK;
    swp_ptx_argument *argument = &run->arguments->items[*out];
    argument->is_bytes = true;
    if (!argument->value)
        argument->value = SWP_PTX_COPY_UNIT;
    return SWP_OK;
}

swp_status swp_ptx_note_byte_copies(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    if (!run->is_dry || !run->byte_copies || !mbarrier->bytes_of)
        return SWP_OK;
    run->byte_copies->phases++;
    for (size_t i = 0; i < mbarrier->copies.count; i++) {
        const swp_ptx_copy *copy = &mbarrier->copies.items[i];
        SWP_TRY(SWP_PUSH(run->outer, run->byte_copies,
                         ((swp_ptx_byte_copy){.argument = mbarrier->bytes_of - 1,
                                              .phase = run->byte_copies->phases,
                                              .map = copy->map,
                                              .to = copy->to,
                                              .bytes = copy->is_tensor ? -1 : copy->bytes})));
    }
    return SWP_OK;
}

/* --- of all runs --- */

static int64_t room_behind(const swp_ptx_places *places, int64_t to)
{
    int64_t end = INT64_MAX;
    for (size_t i = 0; i < places->count; i++)
        if (places->items[i] > to && places->items[i] < end)
            end = places->items[i];
    return end - to;
}

/* What the box of a map has room for wherever it is copied; -1: the room has no end. */
static int64_t room_of_map(const swp_ptx_exploration *t, uint64_t map)
{
    int64_t least = swp_ptx_box_size(&t->equations, map);
    if (least > 0)
        return least;
    least = SWP_PTX_MOST_SHARED;
    for (size_t i = 0; i < t->byte_copies.count; i++) {
        const swp_ptx_byte_copy *copy = &t->byte_copies.items[i];
        const int64_t room = copy->map == map ? room_behind(&t->places, copy->to) : least;
        least = room < least ? room : least;
    }
    return least < SWP_PTX_MOST_SHARED ? least / SWP_PTX_COPY_UNIT * SWP_PTX_COPY_UNIT : -1;
}

/* The phase of an argument that has the most copies; 0: there is none. */
static int fullest_phase(const swp_ptx_exploration *t, int argument)
{
    int best = 0;
    size_t most = 0;
    for (size_t i = 0; i < t->byte_copies.count;) {
        const int phase = t->byte_copies.items[i].phase;
        const bool own = t->byte_copies.items[i].argument == argument;
        size_t count = 0;
        for (; i < t->byte_copies.count && t->byte_copies.items[i].phase == phase; i++)
            count++;
        if (!own || count <= most)
            continue;
        best = phase;
        most = count;
    }
    return best;
}

static swp_status give(swp_ptx_exploration *t, int number)
{
    swp_ptx_argument *argument = &t->arguments.items[number];
    const int phase = fullest_phase(t, number);
    int64_t sum = 0;
    for (size_t i = 0; i < t->byte_copies.count; i++) {
        const swp_ptx_byte_copy *copy = &t->byte_copies.items[i];
        if (copy->phase != phase || sum < 0)
            continue;
        const int64_t bytes = copy->bytes < 0 ? room_of_map(t, copy->map) : copy->bytes;
        sum = bytes <= 0 ? -1 : sum + bytes;
        if (copy->bytes < 0 && bytes > 0)
            SWP_TRY(swp_ptx_take_guess(t->ctx, &t->equations, copy->map, bytes, t->places.count));
    }
    if (sum > 0)
        argument->value = (uint64_t)sum;
    return SWP_OK;
}

swp_status swp_ptx_give_bytes(swp_ptx_exploration *t)
{
    for (int i = 0; i < t->arguments.count; i++)
        if (t->arguments.items[i].is_bytes && !t->arguments.items[i].stated)
            SWP_TRY(give(t, i));
    return SWP_OK;
}

bool swp_ptx_guesses_bytes(const swp_ptx_exploration *t)
{
    bool guesses = false;
    for (int i = 0; i < t->arguments.count; i++)
        guesses |= t->arguments.items[i].is_bytes && t->arguments.items[i].given &&
                   !t->arguments.items[i].stated;
    return guesses;
}
