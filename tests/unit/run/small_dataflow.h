/* SPDX-License-Identifier: Apache-2.0 */
/* Small schedules of general loops written as text. */
#ifndef TEST_RUN_SMALL_DATAFLOW_H
#define TEST_RUN_SMALL_DATAFLOW_H

#include "small_loop.h"

#include "swp/loop.h"

/* The letter of its op, and the iteration: L0 R0 U1 bar vm0 lgkm0. */
static inline swp_op op_of_letter(const swp_loop *loop, const char *word)
{
    for (int op = 0; op < (int)loop->op_count; op++)
        if (loop->ops[op].name[0] == word[0]) {
            swp_op out = swp_op_none();
            out.tag = op;
            out.iteration = atoi(word + 1);
            return out;
        }
    return op_of_word(word);
}

static inline swp_entry_list dataflow_entries(swp_context *ctx, const swp_loop *loop,
                                              swp_phase phase, const char *text)
{
    swp_entry_list entries = {0};
    char word[16];
    int length = 0;
    for (; sscanf(text, "%15s%n", word, &length) == 1; text += length) {
        const swp_entry entry = {.op = op_of_letter(loop, word), .phase = phase};
        assert_ok(ctx, swp_entry_list_push(ctx, &entries, entry));
    }
    return entries;
}

/* One group of two waves, raw barriers, managed registers; a pass for each iteration, from N = 0 on. */
static inline swp_schedule small_dataflow(swp_context *ctx, const swp_loop *loop, const int *slots,
                                          const char *kernel)
{
    swp_loop_dataflow *dataflow = swp_context_take(ctx, sizeof *dataflow);
    swp_schedule schedule = small_loop(ctx, "", "", "");
    const char **names = swp_context_take(ctx, SWP_SCHEDULE_TAGS * sizeof *names);
    assert_non_null(dataflow);
    assert_non_null(names);
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        names[tag] = tag < (int)loop->op_count ? loop->ops[tag].name : "";
    *dataflow = (swp_loop_dataflow){loop, slots};
    schedule.op_names = names;
    schedule.dataflow = dataflow;
    schedule.loop.min_tiles = 0;
    schedule.streams[0].kernel = dataflow_entries(ctx, loop, SWP_KERNEL, kernel);
    return schedule;
}

/* --- Loops --- */

/* L loads shared A, R reads it into register a, and U adds that to register s at once. */
static inline void load_read_use(swp_loop_builder *l)
{
    const int A = swp_value(l, "A", .space = SWP_SPACE_SHARED);
    const int a = swp_value(l, "a", .space = SWP_SPACE_REGISTERS);
    const int s = swp_value(l, "s", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "L", .completion = SWP_COMPLETION_COUNTER, .writes = {A});
    swp_work(l, "R", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = A}}, .writes = {a});
    swp_work(l, "U", .reads = {{.value = a}}, .updates = {s});
}

/* W writes shared A and R reads it, both at once. */
static inline void write_read(swp_loop_builder *l)
{
    const int A = swp_value(l, "A", .space = SWP_SPACE_SHARED);
    const int s = swp_value(l, "s", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "W", .completion = SWP_COMPLETION_NONE, .writes = {A});
    swp_work(l, "R", .reads = {{.value = A}}, .updates = {s});
}

/* The same; R reads what was written an iteration before. */
static inline void write_read_before(swp_loop_builder *l)
{
    const int A = swp_value(l, "A", .space = SWP_SPACE_SHARED);
    const int s = swp_value(l, "s", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "W", .completion = SWP_COMPLETION_NONE, .writes = {A});
    swp_work(l, "R", .reads = {{.value = A, .distance = 1}}, .updates = {s});
}

/* The same with V, which changes what W wrote of A. */
static inline void write_change_read(swp_loop_builder *l)
{
    const int A = swp_value(l, "A", .space = SWP_SPACE_SHARED);
    const int s = swp_value(l, "s", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "W", .completion = SWP_COMPLETION_NONE, .writes = {A});
    swp_work(l, "V", .completion = SWP_COMPLETION_NONE, .updates = {A});
    swp_work(l, "R", .reads = {{.value = A}}, .updates = {s});
}

/* V changes shared A. */
static inline void update_shared(swp_loop_builder *l)
{
    const int A = swp_value(l, "A", .space = SWP_SPACE_SHARED);
    swp_work(l, "V", .completion = SWP_COMPLETION_NONE, .updates = {A});
}

/* L loads A, which nobody reads. */
static inline void load_only(swp_loop_builder *l)
{
    const int A = swp_value(l, "A", .space = SWP_SPACE_SHARED);
    swp_work(l, "L", .completion = SWP_COMPLETION_COUNTER, .writes = {A});
}

/* U changes register s at once, and T stores it. */
static inline void update_store(swp_loop_builder *l)
{
    const int s = swp_value(l, "s", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "U", .updates = {s});
    swp_work(l, "T", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = s}});
}

/* The same, of a group, which reads s until it is done. */
static inline void update_store_group(swp_loop_builder *l)
{
    const int s = swp_value(l, "s", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "U", .updates = {s});
    swp_work(l, "T", .completion = SWP_COMPLETION_GROUP, .reads = {{.value = s}});
}

/* L loads x, of which M, a group, makes the register y. */
static inline void load_and_group(swp_loop_builder *l)
{
    const int x = swp_value(l, "x", .space = SWP_SPACE_SHARED);
    const int y = swp_value(l, "y", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "L", .completion = SWP_COMPLETION_COUNTER, .writes = {x});
    swp_work(l, "M", .completion = SWP_COMPLETION_GROUP, .reads = {{.value = x}}, .writes = {y});
}

/* L copies to x in a group, F stores the register that U makes, and V reads x at once. */
static inline void copy_store_read(swp_loop_builder *l)
{
    const int x = swp_value(l, "x", .space = SWP_SPACE_SHARED);
    const int s = swp_value(l, "s", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "L", .completion = SWP_COMPLETION_GROUP, .writes = {x});
    swp_work(l, "U", .writes = {s});
    swp_work(l, "F", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = s}});
    swp_work(l, "V", .reads = {{.value = x}});
}

/* M accumulates an input in shared memory in register c. */
static inline void accumulate(swp_loop_builder *l)
{
    const int x = swp_value(l, "x", .space = SWP_SPACE_SHARED);
    const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "M", .completion = SWP_COMPLETION_GROUP, .reads = {{.value = x}}, .updates = {c});
}

/* The same, and V reads c at once. */
static inline void accumulate_read(swp_loop_builder *l)
{
    accumulate(l);
    swp_work(l, "V", .reads = {{.value = 2}});
}

static inline const swp_loop *loop_of(swp_context *ctx, void (*describe)(swp_loop_builder *l))
{
    swp_loop *loop = swp_context_take(ctx, sizeof *loop);
    swp_loop_builder *l = swp_loop_new(ctx, "small");
    assert_non_null(loop);
    describe(l);
    assert_ok(ctx, swp_loop_done(l, loop));
    return loop;
}

static const int one_slot[3] = {1, 1, 1};
static const int two_slots[3] = {2, 1, 1};
static const int two_registers[3] = {1, 2, 1};

#endif
