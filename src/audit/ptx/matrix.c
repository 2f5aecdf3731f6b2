/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wgmmas of a run of a kernel: what they read of shared memory by their descriptors, the groups that they retire in, and
 * their registers (PTX ISA 9.0, "Asynchronous Warpgroup Level Matrix Instructions").
 */
#include "audit/ptx/execute.h"
#include "audit/ptx/order.h"

#include <string.h>

enum { ROWS = 64, CORE_ROWS = 8, CORE_BYTES = 128, ALL_WARPS = 15 };

static swp_ptx_groups *groups_of(const swp_ptx_step *step)
{
    return &step->run->groups[step->warp / SWP_PTX_GROUP_WARPS];
}

static int component_of(const swp_ptx_step *step)
{
    return SWP_PTX_CLOCK_WGMMA + step->warp / SWP_PTX_GROUP_WARPS;
}

static int retired(const swp_ptx_step *step)
{
    return step->run->clocks[swp_ptx_chain(step->warp, 0)].at[component_of(step)];
}

/* --- shared memory --- */

/* "m64n256k16": 256. */
static int columns_of(swp_slice name)
{
    int64_t columns = 0;
    for (size_t i = 0; i + 4 < name.length; i++)
        if (swp_code_slice_starts(swp_code_slice_after(name, i), ".m64n")) {
            swp_slice rest = swp_code_slice_after(name, i + 5);
            rest = swp_code_slice_take_until(&rest, 'k');
            return swp_code_slice_number(rest, &columns) ? (int)columns : 0;
        }
    return 0;
}

/* The bytes that a descriptor names; at most as many more as complete its swizzled rows. */
static void bytes_of(uint64_t descriptor, int rows, bool transposed, int64_t *low, int64_t *high)
{
    const int swizzle = (int)(descriptor >> 62);
    const int64_t start = (int64_t)((descriptor & 0x3fff) << 4);
    const int64_t leading = (int64_t)((descriptor >> 16 & 0x3fff) << 4);
    const int64_t stride = (int64_t)((descriptor >> 32 & 0x3fff) << 4);
    const int64_t row = swizzle ? INT64_C(256) >> swizzle : 0;
    if (!swizzle) {
        *low = start;
        *high = start +
                (transposed ? (rows / CORE_ROWS - 1) * leading + stride
                            : (rows / CORE_ROWS - 1) * stride + leading) +
                CORE_BYTES;
        return;
    }
    /* Bytes change places within their row alone: a tile may begin at any row. */
    *low = start / row * row;
    if (transposed) {
        /* Rows are columns of two bytes each; as many as a swizzled row holds are one block. */
        const int64_t blocks = (INT64_C(2) * rows + row - 1) / row;
        *high = *low + (blocks - 1) * leading + stride + row * CORE_ROWS;
    } else {
        *high = *low + (rows / CORE_ROWS - 1) * stride + row * CORE_ROWS;
    }
}

static swp_status read_tile(const swp_ptx_step *step, const swp_ptx_operand *operand, int rows,
                            bool transposed, bool is_a)
{
    swp_ptx_run *run = step->run;
    uint64_t descriptor = 0;
    swp_ptx_access access = {.is_async = true,
                             .of_rows = is_a && !transposed,
                             .component = component_of(step),
                             .value = run->warps[step->warp].wgmma_groups + 1,
                             .insn = step->number};
    if (!swp_ptx_uniform_number(step, operand, &descriptor))
        return SWP_OK;
    bytes_of(descriptor, rows, transposed, &access.low, &access.high);
    const int64_t window = (int64_t)swp_ptx_rank(run, step->warp) * SWP_PTX_MOST_SHARED;
    access.low += window;
    access.high += window;
    for (int which = 0; which < 2; which++) {
        access.chain = swp_ptx_chain(step->warp, which);
        access.event = swp_ptx_tick(run, access.chain);
        SWP_TRY(swp_ptx_access_shared(run, &run->clocks[access.chain], access));
    }
    return SWP_OK;
}

/* Whether A is in shared memory: one descriptor, where else registers stand. */
static bool has_tile(const swp_ptx_step *step)
{
    const swp_ptx_operand *a = swp_ptx_operand_of(step->run->module, step->insn, 1);
    return a && a + 1 == swp_ptx_operand_of(step->run->module, step->insn, 2);
}

/* The last two numbers say whether the tiles of 16-bit types stand on their side. */
static bool is_transposed(const swp_ptx_step *step, bool second)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const int last = operands[step->insn->end - 1].group;
    const bool a_in_registers = !has_tile(step);
    /* d, a, b, scale of d, of a, of b, then these: two, or one of b. */
    const int first = 6;
    const int group = second && !a_in_registers ? first + 1 : first;
    if (group > last || (a_in_registers && !second))
        return false;
    const swp_ptx_operand *operand = swp_ptx_operand_of(step->run->module, step->insn, group);
    return operand && operand->value != 0;
}

static swp_status read_tiles(const swp_ptx_step *step)
{
    const swp_ptx_operand *a = swp_ptx_operand_of(step->run->module, step->insn, 1);
    const swp_ptx_operand *b = swp_ptx_operand_of(step->run->module, step->insn, 2);
    const int columns = columns_of(step->insn->name);
    if (!a || !b || !columns) {
        swp_ptx_report_unknown(step->run, step->number, "operands of this wgmma are missing",
                               "is the file cut short?");
        return SWP_OK;
    }
    if (has_tile(step))
        SWP_TRY(read_tile(step, a, ROWS, is_transposed(step, false), true));
    return read_tile(step, b, columns, is_transposed(step, true), false);
}

/* --- groups --- */

static swp_status commit(const swp_ptx_step *step)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    swp_ptx_groups *groups = groups_of(step);
    const int number = warp->wgmma_groups++;
    if ((size_t)number >= groups->count)
        SWP_TRY(SWP_PUSH(step->run->ctx, groups, (swp_ptx_group){0}));
    swp_ptx_group *group = &groups->items[number];
    group->committed |= 1u << step->warp % SWP_PTX_GROUP_WARPS;
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        (void)swp_ptx_tick(step->run, chain);
        swp_ptx_join(&group->issued, &step->run->clocks[chain]);
    }
    warp->open_wgmmas = 0;
    return SWP_OK;
}

/* All four warps issue a wgmma before it can be retired. */
static void wait_for(const swp_ptx_step *step, bool *waits)
{
    swp_ptx_run *run = step->run;
    const swp_ptx_groups *groups = groups_of(step);
    const swp_ptx_operand *left = swp_ptx_operand_of(run->module, step->insn, 0);
    uint64_t most = 0;
    if (!left || !swp_ptx_uniform_number(step, left, &most))
        return;
    const int done = run->warps[step->warp].wgmma_groups - (int)(most & 0xffff);
    if ((int)(most & 0xffff) > run->deepest_wait)
        run->deepest_wait = (int)(most & 0xffff);
    for (int i = retired(step); i < done; i++)
        *waits |= groups->items[i].committed != ALL_WARPS;
    for (int which = 0; which < 2 && !*waits; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        int *known = &run->clocks[chain].at[component_of(step)];
        for (int i = *known; i < done; i++)
            swp_ptx_join(&run->clocks[chain], &groups->items[i].issued);
        if (done > *known)
            *known = done;
    }
}

/* --- registers --- */

static bool is_move(const swp_ptx_insn *insn)
{
    return insn->kind == SWP_PTX_MOVE;
}

static void report_register(const swp_ptx_step *step, const swp_ptx_register *of)
{
    swp_ptx_report(step->run,
                   (swp_ptx_finding){.kind = SWP_ACCUMULATOR_IN_FLIGHT,
                                     .at = step->number,
                                     .other = of->insn,
                                     .detail = "it uses a register of a wgmma that no "
                                               "wgmma.wait_group has retired",
                                     .hint = "wgmma.wait_group before the registers are used"});
}

static void check_wgmma_register(const swp_ptx_step *step, const swp_ptx_register *of)
{
    const swp_ptx_warp *warp = &step->run->warps[step->warp];
    if (warp->fence > 0 && (of->touched < warp->fence || of->touched == 0))
        return;
    swp_ptx_report(
        step->run,
        (swp_ptx_finding){.kind = SWP_UNFENCED,
                          .at = step->number,
                          .other = of->touched ? of->insn : -1,
                          .detail = "no wgmma.fence stands between this wgmma and what its "
                                    "registers were touched by before",
                          .hint = "wgmma.fence behind the last ordinary use of the registers"});
}

/* D, and A where it is in registers: from here on they are the group's. */
static void take_registers(const swp_ptx_step *step)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const int last = has_tile(step) ? 0 : 1;
    for (int i = step->insn->first; i < step->insn->end; i++) {
        if (operands[i].atom != SWP_PTX_REGISTER || operands[i].group > last)
            continue;
        swp_ptx_register *of = &warp->registers[operands[i].reg];
        check_wgmma_register(step, of);
        of->group = warp->wgmma_groups + 1;
        of->insn = step->number;
        if (operands[i].group == 0) {
            of->touched = 0;
            of->value = (swp_ptx_value){
                .state = SWP_PTX_UNKNOWN, .depends = SWP_PTX_DATA, .lanes = of->value.lanes};
        }
    }
}

/* Of what a move has as its source, the part that a wgmma, or an ordinary instruction, had last. */
static swp_ptx_register moved(const swp_ptx_step *step)
{
    const swp_ptx_warp *warp = &step->run->warps[step->warp];
    const swp_ptx_operand *operands = step->run->module->operands.items;
    swp_ptx_register last = {0};
    for (int i = step->insn->first; i < step->insn->end; i++) {
        if (operands[i].atom != SWP_PTX_REGISTER || operands[i].group == 0)
            continue;
        const swp_ptx_register *of = &warp->registers[operands[i].reg];
        if (of->group > last.group || (of->group == last.group && of->touched > last.touched))
            last.insn = of->insn;
        last.group = of->group > last.group ? of->group : last.group;
        last.touched = of->touched > last.touched ? of->touched : last.touched;
    }
    return last;
}

/* A move only gives what registers hold other names. */
static void follow_move(const swp_ptx_step *step)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const swp_ptx_register last = moved(step);
    for (int i = step->insn->first; i < step->insn->end; i++) {
        if (operands[i].atom != SWP_PTX_REGISTER || operands[i].group != 0)
            continue;
        swp_ptx_register *of = &warp->registers[operands[i].reg];
        of->touched = last.touched;
        of->group = last.group;
        of->insn = last.insn;
    }
}

void swp_ptx_watch_registers(const swp_ptx_step *step)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const int done = retired(step);
    if (is_move(step->insn)) {
        follow_move(step);
        return;
    }
    warp->event++;
    for (int i = step->insn->first; i < step->insn->end; i++) {
        if (operands[i].atom != SWP_PTX_REGISTER)
            continue;
        swp_ptx_register *of = &warp->registers[operands[i].reg];
        if (of->group > done)
            report_register(step, of);
        of->group = 0;
        of->touched = warp->event; /* by reads, too: PTX ISA, wgmma.fence */
        of->insn = step->number;
    }
}

swp_status swp_ptx_execute_wgmma(const swp_ptx_step *step, bool *waits)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    switch (step->insn->kind) {
    case SWP_PTX_WGMMA:
        take_registers(step);
        warp->open_wgmmas++;
        return read_tiles(step);
    case SWP_PTX_WGMMA_COMMIT:
        return commit(step);
    case SWP_PTX_WGMMA_WAIT:
        wait_for(step, waits);
        return SWP_OK;
    default:
        warp->fence = warp->event + 1;
        return SWP_OK;
    }
}
