/* SPDX-License-Identifier: Apache-2.0 */
#include "op_program.h"

#include "fixture.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

void op_program_begin(op_program *p, swp_context *ctx, swp_loop_builder *builder,
                      int tiles_per_pass, int min_tiles)
{
    int *slots = NULL;
    const char **names = NULL;
    *p = (op_program){.ctx = ctx};
    assert_ok(ctx, swp_loop_done(builder, &p->loop));
    assert_ok(ctx, SWP_TAKE(ctx, p->loop.value_count, &slots));
    assert_ok(ctx, SWP_TAKE(ctx, SWP_KERNEL_TAGS, &names));
    for (size_t i = 0; i < p->loop.value_count; i++)
        slots[i] = p->loop.values[i].least_slots;
    for (size_t i = 0; i < p->loop.op_count; i++)
        names[i] = p->loop.ops[i].name;
    p->dataflow = (swp_loop_dataflow){&p->loop, slots};
    p->schedule = (swp_schedule){.name = p->loop.name,
                                 .target = "",
                                 .stream_count = 1,
                                 .machine = swp_machine_default(),
                                 .loop = {.tiles_per_pass = tiles_per_pass,
                                          .min_tiles = min_tiles,
                                          .multiple = tiles_per_pass,
                                          .m_mmas = 1,
                                          .n_mmas = 1,
                                          .placement = SWP_PLACE_K_OFFSET},
                                 .op_names = names,
                                 .dataflow = &p->dataflow};
}

/* The op of the first `length` letters, or -1. */
static int op_named(const op_program *p, const char *name, size_t length)
{
    for (size_t i = 0; i < p->loop.op_count; i++)
        if (strlen(p->loop.ops[i].name) == length && !strncmp(p->loop.ops[i].name, name, length))
            return (int)i;
    return -1;
}

static swp_op op_of(const op_program *p, const char *word)
{
    const size_t name = strcspn(word, "+-");
    swp_op op = swp_op_none();
    if (!strcmp(word, "|"))
        return swp_op_barrier();
    if (word[0] == 'v' || word[0] == 'l')
        return (word[0] == 'v' ? swp_op_wait_vm : swp_op_wait_lgkm)(atoi(word + 1));
    op.tag = op_named(p, word, name);
    op.iteration = atoi(word + name);
    assert_true(op.tag >= 0);
    return op;
}

void op_program_read(op_program *p, swp_phase phase, const char *words)
{
    swp_stream *stream = &p->schedule.streams[0];
    swp_entry_list *lists[] = {&stream->prologue, &stream->kernel, &stream->epilogue};
    swp_entry_list *list = lists[phase];
    char text[512];
    assert_true(strlen(words) < sizeof text);
    strcpy(text, words);
    *list = (swp_entry_list){0};
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        const swp_entry entry = {
            .op = op_of(p, word), .phase = phase, .time_slot = (int)list->count};
        assert_ok(p->ctx, SWP_PUSH(p->ctx, list, entry));
    }
}
