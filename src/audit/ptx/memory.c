/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to shared memory of a run: ordinary ones, cp.async, bulk copies, and the groups that these retire in. */
#include "audit/ptx/run.h"

#include <stdlib.h>
#include <string.h>

enum { MATRIX_ROW = 16, MATRIX_ROWS = 8 };

/* --- addresses --- */

static bool is_shared(const swp_ptx_turn *turn, const swp_ptx_value *address)
{
    const swp_slice name = turn->insn->name;
    static const char *const others[] = {"global", "local", "const", "param"};
    if (swp_ptx_has(name, "shared") || swp_ptx_has(name, "shared::cta"))
        return true;
    for (int i = 0; i < 4; i++)
        if (swp_ptx_has(name, others[i]))
            return false;
    /* A generic address that is known is one of a shared variable: nothing else has known ones. */
    return swp_ptx_known(address);
}

static int compare_numbers(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a;
    const int64_t second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

/* The bytes that lanes access, put together where they touch each other. */
static swp_status access_lanes(const swp_ptx_turn *turn, const swp_ptx_value *address,
                               int64_t offset, int bytes, uint32_t lanes, swp_ptx_access access)
{
    int64_t at[SWP_PTX_LANES] = {0};
    int count = 0;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (lanes >> lane & 1)
            at[count++] = (int64_t)((swp_ptx_lane(address, lane) + (uint64_t)offset) & UINT32_MAX);
    qsort(at, (size_t)count, sizeof at[0], compare_numbers);
    for (int i = 0; i < count; i++) {
        access.low = at[i];
        while (i + 1 < count && at[i + 1] <= at[i] + bytes)
            i++;
        access.high = at[i] + bytes;
        SWP_TRY(swp_ptx_access_shared(turn->run, &turn->run->clocks[access.strand], access));
    }
    return SWP_OK;
}

static int bytes_of(const swp_ptx_insn *insn)
{
    const int bytes = insn->type.bits ? insn->type.bits / 8 : 4;
    if (swp_ptx_has(insn->name, "f64"))
        return 8;
    if (swp_ptx_has(insn->name, "b128"))
        return 16;
    return bytes * (swp_ptx_has(insn->name, "v4") ? 4 : swp_ptx_has(insn->name, "v2") ? 2 : 1);
}

/* Of ldmatrix and stmatrix, whose rows the first lanes name. */
static uint32_t naming_lanes(const swp_ptx_insn *insn)
{
    if (insn->kind != SWP_PTX_LDMATRIX && insn->kind != SWP_PTX_STMATRIX)
        return SWP_PTX_ALL_LANES;
    const int matrices = swp_ptx_has(insn->name, "x4") ? 4 : swp_ptx_has(insn->name, "x2") ? 2 : 1;
    return matrices == 4 ? SWP_PTX_ALL_LANES : (UINT32_C(1) << matrices * MATRIX_ROWS) - 1;
}

/* An unknown address that arguments decide is one of global memory where the space is not named. */
static bool has_place(const swp_ptx_turn *turn, const swp_ptx_value *address)
{
    if (!is_shared(turn, address))
        return false;
    if (swp_ptx_known(address) && !swp_ptx_grows(address))
        return true;
    swp_ptx_ask(turn->run, turn->number, address->depends,
                "the address in shared memory depends on something that is not followed");
    return false;
}

static const swp_ptx_operand *address_operand(const swp_ptx_turn *turn)
{
    for (int i = turn->insn->first; i < turn->insn->end; i++)
        if (turn->run->module->operands.items[i].address)
            return &turn->run->module->operands.items[i];
    return NULL;
}

static int64_t offset_of(const swp_ptx_operand *operand)
{
    return operand->atom == SWP_PTX_REGISTER ? operand->value : 0;
}

bool swp_ptx_shared_address(const swp_ptx_turn *turn, swp_ptx_value *address, int64_t *offset)
{
    const swp_ptx_operand *operand = address_operand(turn);
    if (!operand)
        return false;
    *address = swp_ptx_read_operand(turn, operand);
    *offset = offset_of(operand);
    return has_place(turn, address);
}

static swp_status access_plainly(const swp_ptx_turn *turn)
{
    const swp_ptx_insn *insn = turn->insn;
    const bool matrix = insn->kind == SWP_PTX_LDMATRIX || insn->kind == SWP_PTX_STMATRIX;
    const bool reads = insn->kind == SWP_PTX_LOAD || insn->kind == SWP_PTX_LDMATRIX;
    swp_ptx_value address;
    int64_t offset = 0;
    if (!swp_ptx_shared_address(turn, &address, &offset))
        return SWP_OK;
    for (int which = 0; which < 2; which++) {
        const uint32_t own = which ? ~UINT32_C(1) : UINT32_C(1);
        const uint32_t lanes = matrix ? naming_lanes(insn) & turn->lanes : turn->lanes & own;
        const int strand = swp_ptx_strand(turn->warp, which);
        if (!(turn->lanes & own) || !lanes)
            continue;
        const int event = swp_ptx_tick(turn->run, strand);
        SWP_TRY(access_lanes(turn, &address, offset, matrix ? MATRIX_ROW : bytes_of(insn), lanes,
                             (swp_ptx_access){.writes = !reads,
                                              .component = strand,
                                              .value = event,
                                              .strand = strand,
                                              .event = event,
                                              .insn = turn->number}));
    }
    return SWP_OK;
}

/* --- cp.async --- */

static swp_status copy_async(const swp_ptx_turn *turn)
{
    const swp_ptx_operand *to = swp_ptx_operand_of(turn->run->module, turn->insn, 0);
    const swp_ptx_operand *size = swp_ptx_operand_of(turn->run->module, turn->insn, 2);
    if (!to || !size)
        return SWP_OK;
    if (size->atom != SWP_PTX_NUMBER || size->value < 4 || size->value > MATRIX_ROW) {
        swp_ptx_doubt(turn->run, turn->number, "a copy of 4, 8 or 16 bytes is meant",
                      "is the file cut short?");
        return SWP_OK;
    }
    const swp_ptx_value address = swp_ptx_read_operand(turn, to);
    if (!has_place(turn, &address))
        return SWP_OK;
    for (int which = 0; which < 2; which++) {
        const uint32_t lanes = turn->lanes & (which ? ~UINT32_C(1) : UINT32_C(1));
        const int strand = swp_ptx_strand(turn->warp, which);
        if (!lanes)
            continue;
        SWP_TRY(access_lanes(
            turn, &address, offset_of(to), (int)size->value, lanes,
            (swp_ptx_access){.writes = true,
                             .component = SWP_PTX_CLOCK_COPIES + strand,
                             .value = turn->run->warps[turn->warp].copy_groups[which] + 1,
                             .strand = strand,
                             .event = swp_ptx_tick(turn->run, strand),
                             .insn = turn->number}));
    }
    return SWP_OK;
}

/* A wait for all but so many groups; what is not committed is in the group to come. */
static void wait_groups(const swp_ptx_turn *turn, int component, const int *groups, bool all)
{
    const swp_ptx_operand *left = swp_ptx_operand_of(turn->run->module, turn->insn, 0);
    uint64_t most = 0;
    if (!all && left && !swp_ptx_same_number(turn, left, &most))
        return;
    for (int which = 0; which < 2; which++) {
        const int strand = swp_ptx_strand(turn->warp, which);
        int *known = &turn->run->clocks[strand].at[component + strand];
        const int done = groups[which] - (int)(most & 0xffff);
        if (swp_ptx_strands_of(turn->lanes) >> which & 1 && done > *known)
            *known = done;
    }
}

static void commit(const swp_ptx_turn *turn, int *groups)
{
    for (int which = 0; which < 2; which++)
        groups[which] += (int)(swp_ptx_strands_of(turn->lanes) >> which & 1);
}

swp_status swp_ptx_execute_memory(const swp_ptx_turn *turn)
{
    swp_ptx_warp *warp = &turn->run->warps[turn->warp];
    switch (turn->insn->kind) {
    case SWP_PTX_COPY:
        return copy_async(turn);
    case SWP_PTX_COPY_COMMIT:
        commit(turn, warp->copy_groups);
        return SWP_OK;
    case SWP_PTX_COPY_WAIT:
        wait_groups(turn, SWP_PTX_CLOCK_COPIES, warp->copy_groups, false);
        return SWP_OK;
    case SWP_PTX_COPY_WAIT_ALL:
        /* As a commit and a wait for all. */
        commit(turn, warp->copy_groups);
        wait_groups(turn, SWP_PTX_CLOCK_COPIES, warp->copy_groups, true);
        return SWP_OK;
    case SWP_PTX_BULK_COMMIT:
        commit(turn, warp->store_groups);
        return SWP_OK;
    case SWP_PTX_BULK_WAIT:
        wait_groups(turn, SWP_PTX_CLOCK_STORES, warp->store_groups, false);
        return SWP_OK;
    default:
        return access_plainly(turn);
    }
}

/* --- bulk copies --- */

static bool number_of_group(const swp_ptx_turn *turn, int group, uint64_t *out)
{
    const swp_ptx_operand *operand = swp_ptx_operand_of(turn->run->module, turn->insn, group);
    if (!operand || !swp_ptx_same_number(turn, operand, out))
        return false;
    *out += (uint64_t)offset_of(operand);
    return true;
}

static bool is_one_thread(const swp_ptx_turn *turn)
{
    if (!(turn->lanes & (turn->lanes - 1)))
        return true;
    swp_ptx_doubt(turn->run, turn->number, "several threads of a warp issue this copy",
                  "let one thread issue it");
    return false;
}

static bool writes_register(const swp_ptx_run *run, const swp_ptx_insn *insn, int reg)
{
    const swp_ptx_operand *operands = run->module->operands.items;
    bool writes = false;
    for (int i = insn->first; i < insn->end && insn->has_results; i++)
        writes |= operands[i].group == 0 && !operands[i].address &&
                  operands[i].atom == SWP_PTX_REGISTER && operands[i].reg == reg;
    return writes;
}

/* Whether a thread has one value in a register for as long as it has any: it is written once, and in no loop. */
static bool is_written_once(const swp_ptx_run *run, int reg)
{
    const swp_ptx_insn *insns = run->module->insns.items;
    int written = -1;
    for (int i = run->kernel->first; i < run->kernel->end; i++) {
        if (!writes_register(run, &insns[i], reg))
            continue;
        if (written >= 0)
            return false;
        written = i;
    }
    for (int i = written; i >= 0 && i < run->kernel->end; i++)
        if (insns[i].kind == SWP_PTX_BRANCH && insns[i].target <= written)
            return false;
    return written >= 0;
}

/* An unknown map: the one of a register that does not change, or else the one that this instruction always has. */
static uint64_t unknown_map(const swp_ptx_turn *turn, const swp_ptx_operand *operand, int strand)
{
    if (operand && operand->atom == SWP_PTX_REGISTER && is_written_once(turn->run, operand->reg))
        return (UINT64_C(1) << 63) + ((uint64_t)strand << 32) + (uint64_t)operand->reg;
    return (uint64_t)turn->number;
}

/* What a copy brings is known by its map; else by its size. */
static void add_source(const swp_ptx_turn *turn, swp_ptx_copy *copy)
{
    const bool tensor = swp_ptx_has(turn->insn->name, "tensor");
    const swp_ptx_operand *operand =
        swp_ptx_operand_of(turn->run->module, turn->insn, tensor ? 1 : 2);
    const swp_ptx_value value =
        operand ? swp_ptx_read_operand(turn, operand) : swp_ptx_unknown(SWP_PTX_DATA);
    copy->bytes = -1;
    const bool constant = value.state == SWP_PTX_SAME && !swp_ptx_grows(&value);
    if (!tensor && constant)
        copy->bytes = (int64_t)(value.one & UINT32_MAX);
    copy->map = constant ? value.one : unknown_map(turn, operand, copy->strand);
}

static swp_status add_place(swp_context *ctx, swp_ptx_places *places, int64_t at)
{
    for (size_t i = 0; i < places->count; i++)
        if (places->items[i] == at)
            return SWP_OK;
    return SWP_PUSH(ctx, places, at);
}

static swp_status load_bulk(const swp_ptx_turn *turn)
{
    swp_ptx_run *run = turn->run;
    const bool tensor = swp_ptx_has(turn->insn->name, "tensor");
    const int strand = swp_ptx_strand(turn->warp, turn->lanes & 1 ? 0 : 1);
    uint64_t to = 0;
    uint64_t signal = 0;
    if (!is_one_thread(turn) || !number_of_group(turn, 0, &to) ||
        !number_of_group(turn, tensor ? 2 : 3, &signal))
        return SWP_OK;
    swp_ptx_mbarrier *mbarrier = swp_ptx_mbarrier_at(turn, signal);
    if (!mbarrier)
        return SWP_OK;
    swp_ptx_copy copy = {.strand = strand,
                         .event = swp_ptx_tick(run, strand),
                         .insn = turn->number,
                         .to = (int64_t)(to & UINT32_MAX)};
    add_source(turn, &copy);
    SWP_TRY(SWP_TAKE(run->ctx, 1, &copy.issue));
    *copy.issue = run->clocks[strand];
    swp_ptx_check_turn(turn, mbarrier, strand);
    if (run->clocks[strand].at[SWP_PTX_CLOCK_FENCED + mbarrier->strand] < mbarrier->event &&
        !mbarrier->fenced && run->unfenced_init < 0)
        run->unfenced_init = mbarrier->insn;
    swp_ptx_copies *copies = &mbarrier->copies;
    SWP_TRY(add_place(run->outer, run->places, copy.to));
    return SWP_PUSH(run->ctx, copies, copy);
}

static bool is_stored_at(const swp_ptx_access *access, int64_t at)
{
    return access->writes && !access->is_async && access->low <= at && access->high > at;
}

/* The last store of a byte; NULL: there is none. */
static const swp_ptx_access *store_at(const swp_ptx_run *run, int64_t at)
{
    const swp_ptx_accesses *shelves[] = {&run->shelves[at / SWP_PTX_SHELF_BYTES % SWP_PTX_SHELVES],
                                         &run->shelves[SWP_PTX_SHELVES]};
    for (int s = 0; s < 2; s++)
        for (size_t i = shelves[s]->count; i-- > 0;)
            if (is_stored_at(&shelves[s]->items[i], at))
                return &shelves[s]->items[i];
    return NULL;
}

static bool stores_as(const swp_ptx_run *run, const swp_ptx_access *a, const swp_ptx_access *b)
{
    const swp_slice x = run->module->insns.items[a->insn].name;
    const swp_slice y = run->module->insns.items[b->insn].name;
    return x.length == y.length && memcmp(x.start, y.start, x.length) == 0;
}

/*
 * How much a tensor store reads is its map's: what instructions of one name have stored from there on, up to where another
 * tensor store begins.
 */
static int64_t stored_from(const swp_ptx_run *run, int64_t from)
{
    int64_t end = from;
    int64_t most = INT64_MAX;
    const swp_ptx_access *first = store_at(run, from);
    for (size_t i = 0; i < run->sources->count; i++)
        if (run->sources->items[i] > from && run->sources->items[i] < most)
            most = run->sources->items[i];
    for (const swp_ptx_access *next = first; next && end < most && stores_as(run, first, next);
         next = store_at(run, end))
        end = next->high < most ? next->high : most;
    return end > from ? end : from + MATRIX_ROW;
}

static swp_status store_bulk(const swp_ptx_turn *turn)
{
    const bool tensor = swp_ptx_has(turn->insn->name, "tensor");
    const int which = turn->lanes & 1 ? 0 : 1;
    const int strand = swp_ptx_strand(turn->warp, which);
    uint64_t from = 0;
    uint64_t bytes = 0;
    if (!is_one_thread(turn) || !number_of_group(turn, 1, &from) ||
        (!tensor && !number_of_group(turn, 2, &bytes)))
        return SWP_OK;
    const int64_t low = (int64_t)(from & UINT32_MAX);
    SWP_TRY(add_place(turn->run->outer, turn->run->sources, low));
    return swp_ptx_access_shared(
        turn->run, &turn->run->clocks[strand],
        (swp_ptx_access){.low = low,
                         .high = tensor ? stored_from(turn->run, low)
                                        : low + (int64_t)(bytes & UINT32_MAX),
                         .is_async = true,
                         .component = SWP_PTX_CLOCK_STORES + strand,
                         .value = turn->run->warps[turn->warp].store_groups[which] + 1,
                         .strand = strand,
                         .event = swp_ptx_tick(turn->run, strand),
                         .insn = turn->number});
}

swp_status swp_ptx_execute_bulk(const swp_ptx_turn *turn)
{
    return turn->insn->kind == SWP_PTX_BULK_LOAD ? load_bulk(turn) : store_bulk(turn);
}
