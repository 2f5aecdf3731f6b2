/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules that the proof goes by, one row each. A test takes them away one at a time and looks
 * for a program of which the proof then says something else than it should.
 */
#ifndef SWP_BODIES_RULES_H
#define SWP_BODIES_RULES_H

#include "swp/verify.h"

// clang-format off
#define SWP_RULES(X) \
    /* What retires an operation */ \
    X(WAIT, "a wait retires what has at least its count of accesses of its object after it") \
    X(WAIT_COUNT, "a wait leaves as many accesses of each of its objects in flight as it says") \
    X(LARGEST_WAIT, "a wait above the counter's largest value is one for that value") \
    X(ACCESSES, "every access of an operation counts") \
    X(FENCED_BARRIER, "a fenced barrier retires what lgkmcnt counts") \
    X(FENCE_OF_LDS, "a fenced barrier retires nothing else") \
    X(RAW_BARRIER, "a raw barrier retires nothing") \
    X(FENCED_LAG, "the barrier by which group 1 lags is fenced where all are") \
    X(MANAGED_USE, "the use of a managed register retires its load") \
    X(OLDER_THAN_USE, "the use of a managed register retires what is older on the counter") \
    X(SCOREBOARD_OF_LDS, "the use of a register that a scoreboard guards retires older LDS operations") \
    X(RAW_USE, "the use of a raw register retires nothing") \
    X(SURPLUS_USE, "a COMPUTE of work that is done uses its registers too") \
    X(STALL, "an issue into a full counter that stalls retires the oldest") \
    X(WRAP, "an issue into a full counter that wraps retires nothing") \
    /* What comes before what */ \
    X(OTHER_WAVES, "every wave's share of a place counts, not only a wave's own") \
    X(BARRIER, "across waves a barrier must follow the retirement") \
    X(AFTER_RETIREMENT, "a barrier before the retirement does not count") \
    X(LAG, "what the lagging group did takes the other one a second barrier") \
    X(END_BARRIER, "group 0 makes up at the end for the barrier by which group 1 lags") \
    X(LDS_IN_ORDER, "LDS operations of one wave take effect as they are issued") \
    X(LOADS_IN_ANY_ORDER, "loads in flight together take effect in any order") \
    X(SIGHT, "what a write that is surely there replaced cannot be seen") \
    /* What is told */ \
    X(OBSERVED, "a fragment that no COMPUTE uses is no hazard") \
    X(SAME_TILE, "two writes of one tile are no hazard") \
    X(WRITE_AFTER_USE, "a write may overtake a read that a COMPUTE has used") \
    X(WRITE_BEFORE_USE, "a write may overtake a read that a COMPUTE is still to use") \
    X(EMPTY_REGISTER, "a register that nothing was loaded into has no tile") \
    X(ONE_TILE, "a fragment has one tile, whatever its COMPUTEs want") \
    X(TOO_EARLY, "a read before the write of its tile is stale") \
    X(TILE_BEFORE_0, "no tile is before 0") \
    X(TILE_FROM_N, "no tile is N or beyond") \
    X(REGISTER_USED, "a raw register is not used while its load is in flight") \
    X(REGISTER_RELOADED, "a raw register is not loaded again while its load is in flight") \
    X(READ_TOLD, "after a hazard a read counts as right") \
    X(WRITE_TOLD, "after a hazard a write counts as done") \
    X(REGISTER_TOLD, "after a hazard a register counts as loaded") \
    /* All N */ \
    X(EVERY_PASS, "passes are followed until the state comes back") \
    X(EVERY_END, "the end of a run is followed from every state") \
    X(PASSES_AHEAD, "the last passes are judged with their true number left") \
    X(SHORT_RUNS, "runs too short for that are followed by themselves") \
    X(UNUSED_READ, "a state with an unused read of the prologue comes back later")
// clang-format on

/* After these, one for each hazard: that it is told. */
typedef enum swp_rule {
#define SWP_ENUMERATOR(name, meaning) SWP_RULE_##name,
    SWP_RULES(SWP_ENUMERATOR)
#undef SWP_ENUMERATOR
        SWP_RULE_OF_HAZARDS,
    SWP_NO_RULE = SWP_RULE_OF_HAZARDS + SWP_ARRIVALS /* the first that only warp roles have */
} swp_rule;

const char *swp_bodies_rule_meaning(swp_rule rule);

#endif
