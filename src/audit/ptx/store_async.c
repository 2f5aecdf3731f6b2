/* SPDX-License-Identifier: Apache-2.0 */
/*
 * st.async and red.async: ordinary stores that another work group's mbarrier counts by their bytes, and that are done when its phase
 * is complete (PTX ISA 9.0, "st.async", "red.async"). They are no operations of the async proxy, which cp.async.bulk and wgmma are.
 */
#include "audit/ptx/cluster.h"
#include "audit/ptx/order.h"
#include "audit/ptx/terms.h"

typedef struct operands {
    swp_ptx_value to;
    swp_ptx_value signal;
    int64_t offset;
    int64_t signal_offset;
    int bytes; /* of a thread */
} operands;

static bool read_operands(const swp_ptx_step *step, operands *out)
{
    const swp_ptx_operand *to = swp_ptx_operand_of(step->run->module, step->insn, 0);
    const swp_ptx_operand *signal = swp_ptx_operand_of(step->run->module, step->insn, 2);
    const int elements = swp_ptx_count_operands(step, 1);
    if (!to || !signal || !swp_ptx_is_clustered(step))
        return false;
    *out = (operands){.to = swp_ptx_read_operand(step, to),
                      .signal = swp_ptx_read_operand(step, signal),
                      .offset = swp_ptx_offset(to),
                      .signal_offset = swp_ptx_offset(signal),
                      .bytes = (step->insn->type.bits ? step->insn->type.bits / 8 : 4) * elements};
    if (swp_ptx_known(&out->to) && swp_ptx_known(&out->signal) && !swp_ptx_is_affine(&out->to) &&
        !swp_ptx_is_affine(&out->signal))
        return true;
    swp_ptx_ask_value(step, swp_ptx_known(&out->to) ? &out->signal : &out->to,
                      "where this stores depends on something that is not followed");
    return false;
}

static uint64_t signal_of(const operands *o, int lane)
{
    return swp_ptx_lane(&o->signal, lane) + (uint64_t)o->signal_offset;
}

static int64_t place_of(const swp_ptx_step *step, const operands *o, int lane)
{
    return swp_ptx_place(step->run, swp_ptx_lane(&o->to, lane) + (uint64_t)o->offset);
}

/* Whether the mbarriers of all lanes are there, each beside what is stored. */
static bool are_there(const swp_ptx_step *step, const operands *o, bool *waits)
{
    swp_ptx_run *run = step->run;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        if (!(step->lanes >> lane & 1))
            continue;
        if (!swp_ptx_mbarrier_at(step, signal_of(o, lane), waits))
            return false;
        if (swp_ptx_owner(place_of(step, o, lane)) ==
            swp_ptx_owner(swp_ptx_place(run, signal_of(o, lane))))
            continue;
        swp_ptx_report_unknown(run, step->number,
                               "the mbarrier of this store is not one of the work group to whose "
                               "shared memory it goes",
                               "give it the mbarrier beside its destination");
        return false;
    }
    return true;
}

/* Lanes from a first one on that store side by side for one mbarrier. */
static swp_status store_together(const swp_ptx_step *step, const operands *o, uint32_t lanes,
                                 int bytes)
{
    swp_ptx_run *run = step->run;
    const int lane = swp_ptx_first_lane(lanes);
    const int chain = swp_ptx_chain(step->warp, lane ? 1 : 0);
    bool waits = false;
    swp_ptx_mbarrier *mbarrier = swp_ptx_mbarrier_at(step, signal_of(o, lane), &waits);
    if (!mbarrier)
        return SWP_OK;
    swp_ptx_check_phase_order(step, mbarrier, chain);
    swp_ptx_copy copy = {.chain = chain,
                         .event = swp_ptx_tick(run, chain),
                         .insn = step->number,
                         .bytes = bytes,
                         .map = (uint64_t)bytes,
                         .to = place_of(step, o, lane),
                         .is_ordinary = true,
                         .is_atomic = step->insn->kind == SWP_PTX_REDUCE_ASYNC,
                         .order = ++run->issued};
    SWP_TRY(SWP_TAKE(run->ctx, 1, &copy.issue));
    *copy.issue = run->clocks[chain];
    swp_ptx_copies *copies = &mbarrier->copies;
    return SWP_PUSH(run->ctx, copies, copy);
}

swp_status swp_ptx_store_async(const swp_ptx_step *step, bool *waits)
{
    operands o;
    if (!read_operands(step, &o) || !are_there(step, &o, waits))
        return SWP_OK;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        const int first = lane;
        uint32_t lanes = 0;
        if (!(step->lanes >> lane & 1))
            continue;
        lanes |= UINT32_C(1) << lane;
        while (first && lane + 1 < SWP_PTX_LANES && step->lanes >> (lane + 1) & 1 &&
               signal_of(&o, lane + 1) == signal_of(&o, first) &&
               place_of(step, &o, lane + 1) == place_of(step, &o, lane) + o.bytes)
            lanes |= UINT32_C(1) << ++lane;
        SWP_TRY(store_together(step, &o, lanes, o.bytes * swp_ptx_count_lanes(lanes)));
    }
    return SWP_OK;
}
