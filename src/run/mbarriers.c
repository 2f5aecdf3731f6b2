/* SPDX-License-Identifier: Apache-2.0 */
/* mbarriers as the hardware has them: a parity, arrivals that are pending, bytes that are expected; or as meant. */
#include "run/watch.h"

#include "base/context.h"

swp_run_turn swp_run_turn_of(int turn, int slots)
{
    const int slot = (turn % slots + slots) % slots;
    return (swp_run_turn){.slot = slot, .phase = (turn - slot) / slots};
}

static const swp_role_object *object_of(const swp_run_machine *m, const swp_run_step *step)
{
    return &m->schedule->objects[step->source->object];
}

swp_run_mbarrier *swp_run_mbarrier_of(const swp_run_machine *m, int rank, const swp_run_step *step)
{
    const swp_run_turn at = swp_run_turn_of(step->turn, object_of(m, step)->slots);
    return &m->mbarriers[rank * m->rank_mbarriers + m->first_slot[step->source->object] + at.slot];
}

swp_run_phase *swp_run_phase_at(const swp_run_machine *m, int rank, int object, int turn)
{
    const size_t objects = m->schedule->object_count;
    const size_t first = ((size_t)rank * objects + (size_t)object) * (size_t)m->turns;
    return turn < 0 || turn >= m->turns ? NULL : &m->phases[first + (size_t)turn];
}

swp_run_phase *swp_run_phase_of(const swp_run_machine *m, int rank, const swp_run_step *step)
{
    return swp_run_phase_at(m, rank, step->source->object, step->turn);
}

static swp_status complete_if_all_is_in(swp_run_machine *m, int rank, const swp_run_step *step)
{
    swp_run_mbarrier *mbarrier = swp_run_mbarrier_of(m, rank, step);
    if (mbarrier->pending > 0 || mbarrier->bytes != 0)
        return SWP_OK;
    mbarrier->parity ^= 1;
    mbarrier->completed++;
    mbarrier->pending = object_of(m, step)->arrivals;
    return swp_run_watch_completion(m, rank, step);
}

/* A phase of which too few come never is; of one with too many all are waited for. */
static bool has_all(const swp_run_phase *phase, const swp_role_object *object)
{
    return phase && phase->makers.count > 0 && phase->arrived == phase->arrivals &&
           phase->landed == phase->brought && phase->arrivals >= object->arrivals &&
           phase->brought >= phase->expected;
}

static void complete_as_meant(swp_run_machine *m, int rank, const swp_run_step *step)
{
    const int object = step->source->object;
    const int slots = object_of(m, step)->slots;
    const int slot = swp_run_turn_of(step->turn, slots).slot;
    swp_run_mbarrier *mbarrier = swp_run_mbarrier_of(m, rank, step);
    while (has_all(swp_run_phase_at(m, rank, object, mbarrier->completed * slots + slot),
                   object_of(m, step)))
        mbarrier->completed++;
}

static void take_as_meant(swp_run_machine *m, int rank, const swp_run_step *step, int threads,
                          int bytes)
{
    swp_run_phase *phase = swp_run_phase_of(m, rank, step);
    if (!phase)
        return;
    phase->arrived += threads;
    phase->landed += bytes;
    complete_as_meant(m, rank, step);
}

swp_status swp_run_arrive(swp_run_machine *m, int rank, const swp_run_step *step, int threads)
{
    swp_run_mbarrier *mbarrier = swp_run_mbarrier_of(m, rank, step);
    if (m->as_meant) {
        take_as_meant(m, rank, step, threads, 0);
        return SWP_OK;
    }
    if (step->source->tag == SWP_TAG_ARRIVE_EXPECT)
        mbarrier->bytes += step->source->bytes;
    for (int i = 0; i < threads; i++) {
        mbarrier->pending--;
        SWP_TRY(complete_if_all_is_in(m, rank, step));
    }
    return SWP_OK;
}

swp_status swp_run_bytes_land(swp_run_machine *m, int rank, const swp_run_step *step)
{
    if (m->as_meant) {
        take_as_meant(m, rank, step, 0, step->source->bytes);
        return SWP_OK;
    }
    swp_run_mbarrier_of(m, rank, step)->bytes -= step->source->bytes;
    return complete_if_all_is_in(m, rank, step);
}

bool swp_run_phase_is_over(const swp_run_machine *m, int rank, const swp_run_step *wait)
{
    const swp_run_turn at = swp_run_turn_of(wait->turn, object_of(m, wait)->slots);
    const swp_run_mbarrier *mbarrier = swp_run_mbarrier_of(m, rank, wait);
    if (m->as_meant)
        return mbarrier->completed > at.phase;
    return mbarrier->parity != (at.phase & 1);
}
