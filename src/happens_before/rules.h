/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules that the proof of warp roles goes by (docs/roles-reference.md), one row each. A test takes them away one at a time
 * and looks for a program of which the proof then says something else than it should.
 */
#ifndef SWP_HAPPENS_BEFORE_RULES_H
#define SWP_HAPPENS_BEFORE_RULES_H

// clang-format off
#define SWP_HAPPENS_RULES(X) \
    /* What comes before what */ \
    X(LIST, "a thread issues an entry before its next") \
    X(ARRIVAL, "an arrival comes before the completion of its phase") \
    X(LANDING, "a copy is retired before the completion of its phase") \
    X(PHASE_WAIT, "a phase is complete before a wait for it returns") \
    X(TOO_FEW, "a phase with too few arrivals or bytes is never complete") \
    X(PART, "a part in a meeting comes before its opening") \
    X(OPENING, "a meeting opens before a sync in it returns") \
    X(PARTICIPANTS, "who has no operation on a named barrier takes no part") \
    X(ISSUES, "all threads issue a wgmma before it is retired") \
    X(RETIREMENT, "a wgmma is retired before a wait for its group returns") \
    X(STORES, "a bulk store's reads are retired before a wait for its group returns") \
    X(FOR_ALL, "a wait for groups retires them for all threads of the instance") \
    X(NEWEST, "a wait for groups leaves the newest ones in flight") \
    X(UNCOMMITTED, "what is not committed is in no group") \
    X(EMPTY_GROUP, "a commit with nothing to commit is a group") \
    /* What is told */ \
    X(FIRST_KIND, "what follows from the first kind of a run is not told") \
    X(EACH_THREAD, "all threads that execute an arrival arrive") \
    X(ARRIVAL_COUNT, "arrivals are as many as the object says") \
    X(BYTE_COUNT, "copies bring the bytes that are expected") \
    X(FIRST_OPERATION, "a wrong count is told at the first operation of the phase") \
    X(BELOW_0, "no arrival is on a phase below 0") \
    X(EARLY_ARRIVAL, "an arrival comes after the phase before its own") \
    X(NAMED_THREADS, "a named barrier's threads are its participants'") \
    X(REARMED, "a part in a meeting comes after the opening of the one before") \
    X(LONG_PAST, "no wait is for a phase before the last one below 0") \
    X(PASSES_BY, "a wait is issued after the phase before its own") \
    X(HELD, "a wait returns before the phase after its own") \
    X(STAYS, "no thread stays for ever") \
    X(LOST_COPY, "somebody waits for each copy") \
    X(LOST_GROUP, "somebody waits for each wgmma and bulk store") \
    X(FENCED_WRITE, "a fence stands between an ordinary write and an asynchronous read") \
    X(FENCED_USE, "a fence stands between an ordinary read and an asynchronous write") \
    X(FENCE_ORDER, "the fence comes before the asynchronous operation") \
    X(OWN_FENCE, "each thread has a fence of its own") \
    X(REGISTER_FENCE, "a register fence stands between an ordinary touch and a wgmma") \
    X(FIRST_FENCE, "a register fence stands before the first wgmma") \
    X(IN_FLIGHT, "what a wgmma in flight writes is not touched") \
    X(READ_IN_FLIGHT, "what a wgmma in flight reads is not written") \
    X(ACCUMULATORS, "wgmmas that accumulate one after the other are in order") \
    X(STALE_READ, "a read comes after the write of its version") \
    X(OVERWRITTEN, "a write comes after the reads of what it replaces") \
    X(WRITE_RACE, "a write of what is read comes after the write of what it replaces") \
    X(IN_PLACE, "a later maker of a version replaces what the one before it made") \
    X(ALL_PAIRS, "every pair of threads counts, not the elected ones alone") \
    X(OWN_SHARE, "an op touches the share of its own instance where its role makes the value") \
    X(UNMADE, "what is read of a place was made by somebody") \
    X(OTHER_TILE, "a register holds what is wanted") \
    X(MISSING, "each op is done for each iteration") \
    X(DOUBLE, "no op is done twice for an iteration") \
    X(RANGE, "no op is done for an iteration that does not exist") \
    /* All N */ \
    X(EVERY_FORM, "every remainder and every short run is judged") \
    X(EVERY_PASS, "longer runs are judged until their order comes back")

/* Those of clusters of work groups alone */
#define SWP_HAPPENS_CLUSTER_RULES(X) \
    X(TO_ALL, "an arrival at all ranks comes before the completion of its phase in each") \
    X(MULTICAST, "a multicast copy is retired in each rank before the completion of its phase there") \
    X(CLUSTER_PART, "a part in a meeting of the cluster comes before its opening") \
    X(CLUSTER_OPENING, "a meeting of the cluster opens before a wait for it returns") \
    X(EACH_DESTINATION, "what goes to several ranks comes after the phase before its own in each") \
    X(ALTERNATE, "a thread waits for each meeting of the cluster that it arrives at") \
    X(LOST_ARRIVAL, "an arrival has come to another rank before that ends") \
    X(OWN_RANK, "an op touches places of its own rank") \
    X(EACH_RANK, "a multicast copy overwrites its share in each rank")

/* Those of loops without warp roles alone, which are one role */
#define SWP_HAPPENS_FLAT_RULES(X) \
    X(WAIT, "a wait retires what has at least its count of accesses of its object behind it") \
    X(WAIT_COUNT, "a wait leaves as many accesses in flight as it says") \
    X(LARGEST_WAIT, "a wait above a counter's largest value is one for that value") \
    X(ACCESSES, "every access of an operation counts") \
    X(FENCED_BARRIER, "a fenced barrier retires what lgkmcnt counts") \
    X(FENCE_OF_LDS, "a fenced barrier retires nothing else") \
    X(RAW_BARRIER, "a raw barrier retires nothing") \
    X(MANAGED_USE, "the use of a managed register retires its load") \
    X(OLDER_THAN_USE, "the use of a managed register retires what is older on the counter") \
    X(SCOREBOARD, "the use of a register that a scoreboard guards retires nothing else on vmcnt") \
    X(SCOREBOARD_OF_LDS, "the use of a register that a scoreboard guards retires older LDS operations") \
    X(RAW_USE, "the use of a raw register retires nothing") \
    X(MAY_NOT_RUN, "an op that may not run retires nothing") \
    X(STALL, "an issue into a full counter that stalls retires the oldest") \
    X(WRAP, "an issue into a full counter that wraps retires nothing") \
    X(OWN_QUEUE, "each wave retires its own accesses alone") \
    X(ONE_WAVE, "an instance of one wave has no other wave's share") \
    X(OTHER_GROUP, "the share of the other warp group counts") \
    X(LDS_IN_ORDER, "LDS operations of one wave take effect as they are issued") \
    X(MANAGED_REGISTER, "who needs a register that is managed waits for its load") \
    X(READ_UNTIL_RETIRED, "groups and mbarriers read their registers until they are retired") \
    X(COUNTER, "a counter that wraps has no more accesses in it than it can tell") \
    X(LATER_COUNTS, "counts that grow are followed to where they are too large")
// clang-format on

typedef enum swp_happens_rule {
    SWP_HAPPENS_NO_RULE,
#define SWP_ENUMERATOR(name, meaning) SWP_HAPPENS_##name,
    SWP_HAPPENS_RULES(SWP_ENUMERATOR)
#undef SWP_ENUMERATOR
        SWP_HAPPENS_RULE_COUNT,
    SWP_HAPPENS_BEFORE_CLUSTERS = SWP_HAPPENS_RULE_COUNT - 1,
#define SWP_ENUMERATOR(name, meaning) SWP_HAPPENS_##name,
    SWP_HAPPENS_CLUSTER_RULES(SWP_ENUMERATOR)
#undef SWP_ENUMERATOR
        SWP_HAPPENS_BEHIND_CLUSTERS,
    SWP_HAPPENS_BEFORE_FLAT = SWP_HAPPENS_BEHIND_CLUSTERS - 1,
#define SWP_ENUMERATOR(name, meaning) SWP_HAPPENS_##name,
    SWP_HAPPENS_FLAT_RULES(SWP_ENUMERATOR)
#undef SWP_ENUMERATOR
        SWP_HAPPENS_ALL_RULES
} swp_happens_rule;

/* "" of no rule. */
const char *swp_happens_rule_meaning(swp_happens_rule rule);

#endif
