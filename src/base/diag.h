/* SPDX-License-Identifier: Apache-2.0 */
/* Reports diagnostics. Every code stands in one table, with its meaning. */
#ifndef SWP_BASE_DIAG_H
#define SWP_BASE_DIAG_H

#include "base/context.h"

/* clang-format off */
#define SWP_DIAG_CODES(X) \
    X(E0001, "memory ran out") \
    X(E0002, "the time limit or an interruption ended the work before there was an answer") \
    X(E0003, "a function of the library was called with NULL") \
    X(E0101, "the input is not well-formed YAML") \
    X(E0102, "unknown key") \
    X(E0103, "a key or name stands twice") \
    X(E0104, "a value is of the wrong type") \
    X(E0105, "a number is out of its range") \
    X(E0106, "unknown name: of an op, kind, role, resource, built-in, target or other word of the format") \
    X(E0107, "something required is missing") \
    X(E0108, "keys or settings that make no sense together") \
    X(E0109, "more errors than are shown") \
    X(E0110, "the input is not well-formed JSON") \
    X(E0111, "JSON that is no schedule of this format") \
    X(E0112, "an expression that cannot be read, or that has no value") \
    X(E0113, "variables whose values need each other in a circle") \
    X(E0201, "a configuration field is out of its range") \
    X(E0202, "a depth and num_partitions that no pipeline of this version has") \
    X(E0203, "configuration fields that contradict each other") \
    X(E0301, "an op of the body is malformed (tag, channel, latency, registers)") \
    X(E0302, "an edge names an op that does not exist") \
    X(E0303, "an edge of distance 0 from an op to itself") \
    X(E0304, "a cycle of edges of distance 0") \
    X(E0305, "an edge with a negative distance") \
    X(E0306, "a body without a COMPUTE op") \
    X(E0307, "a body that its partitions do not divide") \
    X(E0308, "fragments or loads that no MMA takes in a reorder") \
    X(E0309, "a body that the single-buffer loop cannot take") \
    X(E0310, "a schedule definition without config or build_body") \
    X(E0320, "a loop without ops, or with numbers out of range") \
    X(E0321, "a value of a loop with bytes or slots out of range") \
    X(E0322, "an op of a loop that is malformed") \
    X(E0323, "an op of a loop that reads or writes a version that there is not") \
    X(E0324, "the search was stopped before it found a pipeline") \
    X(E0325, "a loop that does not fit into its budget") \
    X(E0326, "a pipeline that takes too many copies of an iteration") \
    X(E0327, "a loop that a schedule cannot express") \
    X(E0328, "a budget beyond what the target has") \
    X(E0329, "an op of a loop that writes shared memory and does not say what completes it") \
    X(E0330, "an op of a loop that either of two counters may count") \
    X(E0331, "an op that does not always run, but has to") \
    X(E0332, "an op that completes by what the target does not have") \
    X(E0333, "ops that no roles, or too many, can be found for") \
    X(E0334, "an op of a loop with several roles that names none") \
    X(E0401, "no legal order meets the register budget") \
    X(E0402, "greedy cannot place every op of a half") \
    X(E0403, "the search was stopped before it found an order") \
    X(E0404, "no legal order exists") \
    X(E0405, "an order that is no permutation of the body") \
    X(E0501, "an op that no block can hold") \
    X(E0502, "a number of MMAs other than the configuration's") \
    X(E0503, "global loads left over by max_globals") \
    X(E0504, "the program breaks a structural check") \
    X(E0505, "explicit blocks that do not match the program") \
    X(E0506, "more bootstrap fragments than prologue loads") \
    X(E0507, "the phase recipe finds no op of a kind") \
    X(E0601, "a tile shape that the kernel cannot take") \
    X(E0701, "an entry or a loop that the machine model gives no meaning") \
    X(E0702, "a proof that did not come to an end") \
    X(E0703, "a schedule that is not safe, where a proof is required") \
    X(E0704, "a schedule of several streams, where the model knows one") \
    X(E0705, "a schedule with warp roles that has no meaning") \
    X(E0710, "an entry that the executor gives no meaning") \
    X(E0711, "a number of tiles that the loop does not take") \
    X(E0712, "a counterexample of another schedule") \
    X(E0713, "a counterexample whose timing the machine does not permit") \
    X(E0714, "no execution was found that shows a hazard") \
    X(E0715, "JSON that is no counterexample of this format") \
    X(E0716, "a counterexample about what its schedule does not have") \
    X(E0720, "the cycle model comes to no steady state") \
    X(E0721, "a warp group that waits for ever in the cycle model") \
    X(E0722, "an entry that takes more cycles than the cycle model adds up") \
    X(E0730, "an order of data operations that no synchronisation makes right") \
    X(E0731, "derived synchronisation that the proof refuses; a defect of ours") \
    X(E0740, "a phase with more entries than can be aligned") \
    X(E0801, "a schedule that no macros of C can express") \
    X(E0802, "an entry that the target has no instruction for") \
    X(E0803, "a machine that the target is not") \
    X(E0811, "a file that is no assembly the audit reads") \
    X(E0812, "assembly for a target that the audit does not know") \
    X(E0813, "assembly that is cut short or whose labels contradict each other") \
    X(E0814, "assembly in which there is nothing to judge") \
    X(E0815, "a function larger than the audit follows") \
    X(E0816, "code and schedule are for different targets") \
    X(E0817, "machine code that is compared with a schedule only, and none is given") \
    X(E0818, "an instruction with a number that it cannot hold") \
    X(E0819, "a launch that the kernels of a file cannot have") \
    X(E0821, "JSON that is no scheduling problem, or no answer to one, of this format") \
    X(E0822, "a scheduling problem names an op or a resource that it does not have, or one twice") \
    X(E0823, "a number of a scheduling problem is out of its range") \
    X(E0824, "a scheduling problem whose times could overflow") \
    X(E0825, "a cycle of distance 0 whose delays are positive: no schedule exists") \
    X(E0826, "an answer that its scheduling problem refutes") \
    X(E0827, "a certificate could not be made: its search was stopped, or ran out of memory") \
    X(E0828, "a check of a scheduling problem that a limit ended") \
    X(E0829, "a scheduling problem in which a name is missing or not UTF-8") \
    X(E0831, "a proof that is not well-formed DRAT") \
    X(E0832, "a file that is no certificate of this format") \
    X(E0833, "a schedule whose `pipeline` is not of the loop that its certificate is for") \
    X(E0834, "a description of no loop, where a loop is wanted") \
    X(E0841, "JSON that is no baseline of an audit") \
    X(E0842, "JSON that is no launch of a kernel") \
    X(E0843, "JSON that is no report of an audit") \
    X(W0101, "a variable that nothing uses") \
    X(W0111, "a list in a schedule's JSON that does not fit the rest of it, and is left out") \
    X(W0112, "a lag that begins after the prologue, so that no warp group lags") \
    X(W0201, "a setting that another one overrides") \
    X(W0202, "a setting that has no effect here") \
    X(W0203, "a setting that the kernel forces") \
    X(W0320, "an op of a loop that makes nothing") \
    X(W0321, "a matrix op of a loop that reads nothing") \
    X(W0322, "a value of a loop that no op reads, or no op makes") \
    X(W0323, "a value of a loop that is written where an update is meant") \
    X(W0324, "an op of a loop on a counter that does not count it") \
    X(W0325, "an op of a loop whose accesses nothing counts") \
    X(W0326, "an op of a loop that reads shared memory and does not say what completes it") \
    X(W0401, "a search was stopped; the best so far is used") \
    X(W0601, "more accesses in flight than the target's counter holds") \
    X(W0602, "tiles beyond the target's shared memory") \
    X(W0701, "an acceptance of a hazard that does not occur") \
    X(W0702, "a schedule that is not safe") \
    X(W0703, "a schedule that the verifier cannot judge") \
    X(W0704, "what was not looked for, as it would take too many proofs") \
    X(W0710, "a counterexample whose execution shows something else") \
    X(W0720, "an entry whose latency nobody states") \
    X(W0721, "an occupancy of units that a loop states itself") \
    X(W0722, "figures that do not count for groups of so few waves") \
    X(W0801, "a wait for more accesses than its counter holds") \
    X(W0811, "assembly that does not name its target") \
    X(W0812, "assembly without a loop, judged as straight code") \
    X(W0813, "a kernel whose number of threads the assembly does not say") \
    X(W0841, "an accepted finding that is not found any more")
/* clang-format on */

#define SWP_ENUMERATOR(code, meaning) SWP_##code,
typedef enum swp_code { SWP_DIAG_CODES(SWP_ENUMERATOR) SWP_CODE_COUNT } swp_code;
#undef SWP_ENUMERATOR

/* A place in no file. */
#define SWP_NOWHERE ((swp_place){NULL, 0, 0})

/*
 * Reports an error. Returns SWP_INVALID, so that a check can end with it, or SWP_OUT_OF_MEMORY if
 * the report itself did not fit.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
swp_status
swp_error(swp_context *ctx, swp_code code, swp_place place, const char *hint, const char *format,
          ...);

/*
 * Does the same for a check that knows what it is about, but not where that was written. `subject`
 * is a setting's path or a key of a description, such as "bootstrap". Where the code alone tells
 * (describe/place_diags.c), swp_error() at SWP_NOWHERE is enough.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
swp_status
swp_error_about(swp_context *ctx, swp_code code, const char *subject, const char *hint,
                const char *format, ...);

/* Reports a warning. Returns SWP_OK or SWP_OUT_OF_MEMORY. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
swp_status
swp_warn(swp_context *ctx, swp_code code, swp_place place, const char *hint, const char *format,
         ...);

#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
swp_status
swp_warn_about(swp_context *ctx, swp_code code, const char *subject, const char *hint,
               const char *format, ...);

/* Adds to the message of the diagnostic of this number, for example where else the same is true. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
swp_status
swp_diag_extend(swp_context *ctx, size_t number, const char *format, ...);

/* Sets the subject of those diagnostics from number `first` on that have none. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
swp_status
swp_diag_tell_subject(swp_context *ctx, size_t first, const char *format, ...);

/*
 * Writes "; likewise 2 other ops" for the end of a message about the first of several; "" if there
 * are no others.
 */
enum { SWP_OTHERS_SIZE = 48 };
const char *swp_text_of_others(int count, const char *what, char text[SWP_OTHERS_SIZE]);

/* Returns how many errors the context has seen. A check that reports many compares this before and after. */
size_t swp_error_count(const swp_context *ctx);

/* Whether the last diagnostic of a list has that code. */
bool swp_diags_end_with(const swp_diags *diags, swp_code code);

#endif
