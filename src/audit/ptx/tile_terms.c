/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where each thread compares a place of its own in the tile of its work group with what there is: unknown numbers that are not
 * the same for all threads, but whose comparison is, as long as tiles are whole.
 */
#include "audit/ptx/terms.h"

#include "base/names.h"

enum { FIRST_TILE = -(1 << 29) /* and below: of the instruction of that number */ };

bool swp_ptx_is_tile(const swp_ptx_term *term)
{
    return term->operation <= FIRST_TILE;
}

/* What unknown sources depend on, if that is the number of the work group, and nothing but that, arguments and the thread; else 0. */
static swp_ptx_sources group_of_sources(const swp_ptx_run *run, const swp_ptx_value *sources,
                                        int count)
{
    swp_ptx_sources depends = 0;
    bool is = false;
    for (int i = 0; i < count; i++)
        depends |= sources[i].state == SWP_PTX_UNKNOWN ? sources[i].depends
                   : swp_ptx_known(&sources[i])        ? 0
                                                       : SWP_PTX_DATA;
    for (int i = 0; i < run->arguments->count; i++) {
        const swp_ptx_argument *argument = &run->arguments->items[i];
        is |= (depends >> i & 1) && argument->param < 0 && argument->offset < SWP_PTX_NCTAID;
    }
    return is && !(depends & (SWP_PTX_DATA | SWP_PTX_SHARED_ADDRESS)) ? depends : 0;
}

/* Whether one place is compared with another: with a number of the code there would be tiles that are not whole. */
static bool orders_registers(const swp_ptx_step *step)
{
    static const char *const orders[] = {"lt", "le", "gt", "ge"};
    const swp_ptx_operand *operands = step->run->module->operands.items;
    bool is = false;
    for (size_t i = 0; i < SWP_COUNT_OF(orders); i++)
        is |= swp_ptx_has(step->insn->name, orders[i]);
    for (int i = step->insn->first; i < step->insn->end; i++)
        is &= operands[i].atom == SWP_PTX_REGISTER;
    return is && step->insn->kind == SWP_PTX_SETP;
}

swp_ptx_value swp_ptx_term_of_tile(const swp_ptx_step *step, swp_ptx_value unknown,
                                   const swp_ptx_value *sources, int count)
{
    if (!step->run->terms || unknown.state != SWP_PTX_UNKNOWN || count != 2 ||
        step->run->cluster > 1 || !orders_registers(step) ||
        swp_ptx_is_in_loop(step->run, step->number))
        return unknown;
    const swp_ptx_sources depends = group_of_sources(step->run, sources, count);
    if (!depends)
        return unknown;
    const swp_ptx_term term = {.operation = FIRST_TILE - step->number,
                               .insn = step->number,
                               .bits = 1,
                               .depends = depends};
    return swp_ptx_value_of_term(step->run, term);
}
