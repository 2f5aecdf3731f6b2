/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What bytes of shared memory hold, where ordinary stores of known numbers wrote them. As a run in which accesses race ends
 * with a fault, all timings of one that goes on read the same.
 */
#include "audit/ptx/contents.h"
#include "audit/ptx/terms.h"

enum { BYTE = 0xff, KNOWN = 1 << 8, MIXED = 1 << 9 };

static uint16_t *byte_at(const swp_ptx_run *run, int64_t address)
{
    const int64_t page = address / SWP_PTX_BUCKET_BYTES;
    if (address < 0 || address >= swp_ptx_shared_end(run) || !run->pages[page])
        return NULL;
    return &run->pages[page][address % SWP_PTX_BUCKET_BYTES];
}

static swp_status new_byte_at(swp_ptx_run *run, int64_t address, uint16_t **out)
{
    const int64_t page = address / SWP_PTX_BUCKET_BYTES;
    if (address >= 0 && address < swp_ptx_shared_end(run) && !run->pages[page])
        SWP_TRY(SWP_TAKE(run->ctx, SWP_PTX_BUCKET_BYTES, &run->pages[page]));
    *out = byte_at(run, address);
    return SWP_OK;
}

void swp_ptx_forget_bytes(swp_ptx_run *run, int64_t low, int64_t high)
{
    for (int64_t at = low; at < high; at++) {
        uint16_t *byte = byte_at(run, at);
        if (byte)
            *byte = 0;
        else
            at |= SWP_PTX_BUCKET_BYTES - 1;
    }
}

/* --- stores and loads --- */

/* The part of an ordinary access: its operands, and where its first byte is. */
typedef struct access {
    const swp_ptx_step *step;
    swp_ptx_value address;
    int64_t offset;
    int size; /* bytes of an element */
} access;

static bool begin_access(const swp_ptx_step *step, access *out)
{
    *out = (access){.step = step, .size = step->insn->type.bits / 8};
    return out->size > 0 && swp_ptx_shared_address(step, &out->address, &out->offset);
}

static int64_t place_of(const access *a, int lane, int element)
{
    const uint64_t first = swp_ptx_lane(&a->address, lane) + (uint64_t)a->offset;
    return swp_ptx_place(a->step->run, first) + (int64_t)element * a->size;
}

/* The access has forgotten what was there. Two lanes that store different numbers at one place leave either. */
static void store_byte(uint16_t *byte, unsigned number)
{
    *byte = (uint16_t)(*byte == 0 || *byte == (KNOWN | number) ? KNOWN | number : MIXED);
}

static swp_status store_lane(const access *a, int lane, int element, uint64_t number)
{
    for (int i = 0; i < a->size; i++) {
        uint16_t *byte = NULL;
        SWP_TRY(new_byte_at(a->step->run, place_of(a, lane, element) + i, &byte));
        if (byte)
            store_byte(byte, (unsigned)(number >> 8 * i & BYTE));
    }
    return SWP_OK;
}

static swp_status store_element(const access *a, const swp_ptx_operand *operand, int element)
{
    const swp_ptx_value value = swp_ptx_read_operand(a->step, operand);
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (a->step->lanes >> lane & 1)
            SWP_TRY(store_lane(a, lane, element, swp_ptx_lane(&value, lane)));
    return SWP_OK;
}

/* Which of some threads of a warp is the last one is not known, but where it is all of them, or the first one alone. */
static bool stores_numbers(const swp_ptx_step *step)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    bool known = step->lanes == 1 || step->lanes == step->run->warps[step->warp].alive;
    for (int i = step->insn->first; i < step->insn->end && known; i++) {
        const swp_ptx_value value = swp_ptx_read_operand(step, &operands[i]);
        known = swp_ptx_known(&value) && !swp_ptx_is_affine(&value);
    }
    return known;
}

swp_status swp_ptx_store_numbers(const swp_ptx_step *step)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    int element = 0;
    access a;
    if (!stores_numbers(step) || !begin_access(step, &a))
        return SWP_OK;
    for (int i = step->insn->first; i < step->insn->end; i++)
        if (!operands[i].address)
            SWP_TRY(store_element(&a, &operands[i], element++));
    return SWP_OK;
}

static bool load_lane(const access *a, int lane, int element, uint64_t *out)
{
    *out = 0;
    for (int i = 0; i < a->size; i++) {
        const uint16_t *byte = byte_at(a->step->run, place_of(a, lane, element) + i);
        if (!byte || !(*byte & KNOWN))
            return false;
        *out |= (uint64_t)(*byte & BYTE) << 8 * i;
    }
    *out = swp_ptx_extend(*out, a->step->insn->type);
    return true;
}

static swp_ptx_value load_element(const access *a, int element)
{
    uint64_t *room = a->step->run->room;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        room[lane] = 0;
        if (a->step->lanes >> lane & 1 && !load_lane(a, lane, element, &room[lane]))
            return swp_ptx_unknown(SWP_PTX_DATA);
    }
    return (swp_ptx_value){.state = SWP_PTX_VARYING, .lanes = room};
}

void swp_ptx_load_numbers(const swp_ptx_step *step)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    int element = 0;
    access a;
    const bool has_place = begin_access(step, &a);
    for (int i = step->insn->first; i < step->insn->end; i++) {
        if (operands[i].group != 0 || operands[i].address)
            continue;
        swp_ptx_value value =
            has_place ? load_element(&a, element) : swp_ptx_term_of_load(step, element);
        if (value.state == SWP_PTX_UNKNOWN && step->run->kernel->stores_addresses)
            value.depends |= SWP_PTX_SHARED_ADDRESS;
        if (operands[i].atom == SWP_PTX_REGISTER)
            swp_ptx_write(step, operands[i].reg, value);
        element++;
    }
}

/* --- states --- */

swp_status swp_ptx_copy_bytes(swp_context *ctx, const swp_ptx_run *from, swp_ptx_run *to)
{
    SWP_TRY(SWP_TAKE(ctx, (size_t)SWP_PTX_BUCKETS * (size_t)from->cluster, &to->pages));
    for (int page = 0; page < SWP_PTX_BUCKETS * from->cluster; page++) {
        if (!from->pages[page])
            continue;
        SWP_TRY(SWP_TAKE(ctx, SWP_PTX_BUCKET_BYTES, &to->pages[page]));
        for (int i = 0; i < SWP_PTX_BUCKET_BYTES; i++)
            to->pages[page][i] = from->pages[page][i];
    }
    return SWP_OK;
}

static bool is_same(const swp_ptx_run *a, const swp_ptx_run *b, int64_t at)
{
    const uint16_t *in_a = byte_at(a, at);
    const uint16_t *in_b = byte_at(b, at);
    return !in_a || !(*in_a & KNOWN) || (in_b && *in_a == *in_b);
}

bool swp_ptx_bytes_stay(const swp_ptx_run *a, const swp_ptx_run *b)
{
    bool stay = true;
    for (int64_t at = 0; at < swp_ptx_shared_end(a) && stay; at++)
        stay = is_same(a, b, at);
    return stay;
}

void swp_ptx_keep_bytes(swp_ptx_run *run, const swp_ptx_run *like)
{
    for (int64_t at = 0; at < swp_ptx_shared_end(run); at++)
        if (!is_same(run, like, at))
            *byte_at(run, at) = 0;
}
