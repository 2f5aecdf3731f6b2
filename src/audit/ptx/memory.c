/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to shared memory of a run: ordinary ones, cp.async, and the groups that copies retire in. */
#include "audit/ptx/cluster.h"
#include "audit/ptx/contents.h"
#include "audit/ptx/lane_accesses.h"
#include "audit/ptx/order.h"
#include "audit/ptx/reach.h"
#include "audit/ptx/terms.h"

#include <stdlib.h>

enum { MOST_COPY = 16 /* bytes */, MOST_LEFT = 1 << 16 /* groups */ };

/* --- addresses --- */

/* The lanes of the step that access shared memory: by name all of them, else those whose address is known to be there. */
static uint32_t in_shared(const swp_ptx_step *step, const swp_ptx_value *address)
{
    static const char *const others[] = {"global", "local", "const", "param"};
    const swp_slice name = step->insn->name;
    uint32_t lanes = 0;
    if (swp_ptx_has(name, "shared") || swp_ptx_has(name, "shared::cta") ||
        swp_ptx_has(name, "shared::cluster"))
        return step->lanes;
    for (int i = 0; i < 4; i++)
        if (swp_ptx_has(name, others[i]))
            return 0;
    if (address->state == SWP_PTX_UNKNOWN)
        return swp_ptx_address_bit(address) ? step->lanes : 0;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (step->lanes >> lane & 1 && swp_ptx_in_window(swp_ptx_lane(address, lane)))
            lanes |= UINT32_C(1) << lane;
    return lanes;
}

static int compare_numbers(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a;
    const int64_t second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

/* The bytes that lanes access, put together where they touch each other. */
static swp_status access_lanes(const swp_ptx_step *step, const swp_ptx_value *address,
                               int64_t offset, int bytes, uint32_t lanes, swp_ptx_access access)
{
    int64_t at[SWP_PTX_LANES] = {0};
    int count = 0;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (lanes >> lane & 1)
            at[count++] = swp_ptx_place(step->run, swp_ptx_lane(address, lane) + (uint64_t)offset);
    qsort(at, (size_t)count, sizeof at[0], compare_numbers);
    for (int i = 0; i < count; i++) {
        access.low = at[i];
        while (i + 1 < count && at[i + 1] <= at[i] + bytes)
            i++;
        access.high = at[i] + bytes;
        SWP_TRY(swp_ptx_access_shared(step->run, &step->run->clocks[access.chain], access));
    }
    return SWP_OK;
}

/*
 * Memory decides which bytes of shared memory an ordinary access has: it may have any.
 */
static bool is_anywhere(const swp_ptx_step *step, const swp_ptx_value *address)
{
    const swp_ptx_kind kind = step->insn->kind;
    return (kind == SWP_PTX_LOAD || kind == SWP_PTX_STORE || kind == SWP_PTX_ATOMIC) &&
           address->state == SWP_PTX_UNKNOWN && address->depends & SWP_PTX_DATA &&
           !swp_ptx_has(step->insn->name, "shared::cluster") &&
           in_shared(step, address) == step->lanes;
}

static bool all_are_own(const swp_ptx_step *step, const swp_ptx_value *address)
{
    bool are = true;
    if (swp_ptx_has(step->insn->name, "shared::cluster"))
        return true;
    for (int lane = 0; lane < SWP_PTX_LANES && are && step->run->cluster > 1; lane++)
        if (step->lanes >> lane & 1)
            are = swp_ptx_check_own(step, swp_ptx_place(step->run, swp_ptx_lane(address, lane)));
    return are;
}

/* An unknown address that arguments decide is one of global memory where the space is not named. */
static bool has_place(const swp_ptx_step *step, const swp_ptx_value *address)
{
    const uint32_t lanes = in_shared(step, address);
    if (!lanes)
        return false;
    if (lanes != step->lanes) {
        swp_ptx_report_unknown(
            step->run, step->number,
            "some threads of a warp access shared memory here, and others do not",
            "let one instruction access shared memory, and another one what is not");
        return false;
    }
    if (swp_ptx_known(address) && !swp_ptx_is_affine(address))
        return all_are_own(step, address);
    swp_ptx_ask_value(step, address,
                      "the address in shared memory depends on something that is not followed");
    return false;
}

/* The first one; of a copy of a tensor map to global memory the second one is shared. */
static const swp_ptx_operand *address_operand(const swp_ptx_step *step)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const int least = step->insn->kind == SWP_PTX_MAP_READ;
    for (int i = step->insn->first; i < step->insn->end; i++)
        if (operands[i].address && operands[i].group >= least)
            return &operands[i];
    return NULL;
}

bool swp_ptx_shared_address(const swp_ptx_step *step, swp_ptx_value *address, int64_t *offset)
{
    const swp_ptx_operand *operand = address_operand(step);
    if (!operand)
        return false;
    *address = swp_ptx_read_operand(step, operand);
    *offset = swp_ptx_offset(operand);
    return !is_anywhere(step, address) && has_place(step, address);
}

/* Whether arguments decide if the access happens: then they are asked for. */
static bool asks_for_guard(const swp_ptx_step *step)
{
    const swp_ptx_register *registers = step->run->warps[step->warp].registers;
    if (!step->unsure)
        return false;
    const swp_ptx_value *guard = &registers[step->insn->guard].value;
    const bool asks = guard->state == SWP_PTX_UNKNOWN &&
                      (!(guard->depends & SWP_PTX_DATA) || swp_ptx_has_term(step, guard));
    if (asks)
        swp_ptx_ask_value(step, guard, "arguments decide this access");
    return asks;
}

static bool stores_data(const swp_ptx_step *step)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    bool known = true;
    for (int i = step->insn->first; i < step->insn->end; i++) {
        const swp_ptx_value value = swp_ptx_read_operand(step, &operands[i]);
        known &= operands[i].address || swp_ptx_known(&value);
    }
    return (step->insn->kind == SWP_PTX_STORE || step->insn->kind == SWP_PTX_STMATRIX) && !known;
}

/* Whether all lanes store one number that is known. */
static bool stores_one(const swp_ptx_step *step, uint64_t *number)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const int first = swp_ptx_first_lane(step->lanes);
    bool known = step->insn->kind == SWP_PTX_STORE;
    bool any = false;
    for (int i = step->insn->first; i < step->insn->end && known; i++) {
        if (operands[i].address)
            continue;
        const swp_ptx_value value = swp_ptx_read_operand(step, &operands[i]);
        if (!any)
            *number = swp_ptx_lane(&value, first);
        any = true;
        known = swp_ptx_known(&value);
        for (int lane = 0; lane < SWP_PTX_LANES && known; lane++)
            known = !(step->lanes >> lane & 1) || swp_ptx_lane(&value, lane) == *number;
    }
    return known && any;
}

static swp_status access_plainly(const swp_ptx_step *step)
{
    const swp_ptx_insn *insn = step->insn;
    uint64_t one = 0;
    const bool of_one = stores_one(step, &one);
    const bool matrix = swp_ptx_is_matrix(insn);
    const bool reads = insn->kind == SWP_PTX_LOAD || insn->kind == SWP_PTX_LDMATRIX ||
                       insn->kind == SWP_PTX_MAP_READ;
    uint64_t room[SWP_PTX_LANES];
    swp_ptx_reach of = {.address = swp_ptx_unknown(0)};
    if (swp_ptx_loads_flag(insn))
        swp_ptx_note_flag(step->run, step->warp, step->lanes, step->number);
    const bool is_placed = swp_ptx_shared_address(step, &of.address, &of.offset);
    const bool anywhere = !is_placed && is_anywhere(step, &of.address);
    if ((!is_placed && !anywhere) || asks_for_guard(step))
        return SWP_OK;
    if (is_placed)
        SWP_TRY(swp_ptx_note_remote(step, &of.address, of.offset));
    if (!swp_ptx_find_reach(step, &of, room))
        return SWP_OK;
    step->run->may_be_told |= insn->signals && insn->kind != SWP_PTX_STORE;
    swp_ptx_check_lanes(step);
    const int64_t own_window = (int64_t)swp_ptx_rank(step->run, step->warp) * SWP_PTX_MOST_SHARED;
    for (int which = 0; which < 2; which++) {
        const uint32_t own = which ? ~UINT32_C(1) : UINT32_C(1);
        const uint32_t lanes = matrix ? of.lanes : of.lanes & own;
        const int chain = swp_ptx_chain(step->warp, which);
        if (!(step->lanes & own) || !lanes)
            continue;
        const int event = swp_ptx_tick(step->run, chain);
        const swp_ptx_access access = {.low = own_window,
                                       .high = own_window + SWP_PTX_MOST_SHARED,
                                       .writes = !reads,
                                       .is_atomic = insn->kind == SWP_PTX_ATOMIC,
                                       .unsure = step->unsure || anywhere,
                                       .of_data = stores_data(step),
                                       .of_one = of_one,
                                       .one = one,
                                       .component = chain,
                                       .value = event,
                                       .chain = chain,
                                       .event = event,
                                       .insn = step->number};
        if (anywhere)
            SWP_TRY(swp_ptx_access_shared(step->run, &step->run->clocks[chain], access));
        else
            SWP_TRY(access_lanes(step, &of.address, of.offset, of.bytes, lanes, access));
    }
    if (anywhere)
        return SWP_OK;
    return swp_ptx_access_by_lanes(step, &of.address, of.offset, of.bytes, of.lanes, reads);
}

/* --- cp.async --- */

static swp_status copy_async(const swp_ptx_step *step)
{
    const swp_ptx_operand *to = swp_ptx_operand_of(step->run->module, step->insn, 0);
    const swp_ptx_operand *size = swp_ptx_operand_of(step->run->module, step->insn, 2);
    if (!to || !size)
        return SWP_OK;
    if (size->atom != SWP_PTX_NUMBER || size->value < 4 || size->value > MOST_COPY) {
        swp_ptx_report_unknown(step->run, step->number, "a copy of 4, 8 or 16 bytes is meant",
                               "is the file cut short?");
        return SWP_OK;
    }
    const swp_ptx_value address = swp_ptx_read_operand(step, to);
    if (!has_place(step, &address))
        return SWP_OK;
    for (int which = 0; which < 2; which++) {
        const uint32_t lanes = step->lanes & (which ? ~UINT32_C(1) : UINT32_C(1));
        const int chain = swp_ptx_chain(step->warp, which);
        if (!lanes)
            continue;
        SWP_TRY(access_lanes(
            step, &address, swp_ptx_offset(to), (int)size->value, lanes,
            (swp_ptx_access){.writes = true,
                             .unsure = step->unsure,
                             .component = SWP_PTX_CLOCK_COPIES + chain,
                             .value = step->run->warps[step->warp].copy_groups[which] + 1,
                             .chain = chain,
                             .event = swp_ptx_tick(step->run, chain),
                             .insn = step->number}));
    }
    return SWP_OK;
}

/* A wait for all but so many groups; what is not committed is in the group to come. */
static void wait_groups(const swp_ptx_step *step, int component, const int *groups, bool all)
{
    const swp_ptx_operand *left = swp_ptx_operand_of(step->run->module, step->insn, 0);
    uint64_t most = 0;
    if (!all && left && !swp_ptx_uniform_number(step, left, &most))
        return;
    most = most < MOST_LEFT ? most : MOST_LEFT;
    if (most && component == SWP_PTX_CLOCK_COPIES && step->run->has_copy_arrivals) {
        swp_ptx_report_unknown(step->run, step->number,
                               "which copies this leaves in flight is not followed beside arrivals "
                               "that copies trigger",
                               "wait for all of them, or at their mbarrier");
        return;
    }
    if ((int)most > step->run->deepest_wait)
        step->run->deepest_wait = (int)most;
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        int *known = &step->run->clocks[chain].at[component + chain];
        const int done = groups[which] - (int)most;
        if (swp_ptx_chains_of(step->lanes) >> which & 1 && done > *known)
            *known = done;
    }
}

static void commit(const swp_ptx_step *step, int *groups)
{
    for (int which = 0; which < 2; which++)
        groups[which] += (int)(swp_ptx_chains_of(step->lanes) >> which & 1);
}

swp_status swp_ptx_execute_memory(const swp_ptx_step *step)
{
    swp_ptx_warp *warp = &step->run->warps[step->warp];
    switch (step->insn->kind) {
    case SWP_PTX_COPY:
        return copy_async(step);
    case SWP_PTX_COPY_COMMIT:
        commit(step, warp->copy_groups);
        return SWP_OK;
    case SWP_PTX_COPY_WAIT:
        wait_groups(step, SWP_PTX_CLOCK_COPIES, warp->copy_groups, false);
        return SWP_OK;
    case SWP_PTX_COPY_WAIT_ALL:
        /* As a commit and a wait for all. */
        commit(step, warp->copy_groups);
        wait_groups(step, SWP_PTX_CLOCK_COPIES, warp->copy_groups, true);
        return SWP_OK;
    case SWP_PTX_BULK_COMMIT:
        commit(step, warp->store_groups);
        return SWP_OK;
    case SWP_PTX_BULK_WAIT:
        wait_groups(step, SWP_PTX_CLOCK_STORES, warp->store_groups, false);
        return SWP_OK;
    default:
        return access_plainly(step);
    }
}
