/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_program.h"

#include "fixture.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

void roles_program_begin(roles_program *p, swp_context *ctx, swp_loop_builder *builder,
                         int iterations_per_pass, int least)
{
    int *slots = NULL;
    const char **names = NULL;
    *p = (roles_program){.ctx = ctx};
    assert_ok(ctx, swp_loop_done(builder, &p->loop));
    assert_ok(ctx, SWP_TAKE(ctx, p->loop.value_count, &slots));
    assert_ok(ctx, SWP_TAKE(ctx, SWP_SCHEDULE_TAGS, &names));
    for (size_t i = 0; i < p->loop.value_count; i++)
        slots[i] = p->loop.values[i].least_slots;
    for (size_t i = 0; i < p->loop.op_count; i++)
        names[i] = p->loop.ops[i].name;
    p->dataflow = (swp_loop_dataflow){&p->loop, slots};
    p->schedule = (swp_schedule){.name = p->loop.name,
                                 .target = "",
                                 .machine = swp_machine_default(),
                                 .loop = {.tiles_per_pass = iterations_per_pass,
                                          .min_tiles = least,
                                          .multiple = 1,
                                          .m_mmas = 1,
                                          .n_mmas = 1},
                                 .op_names = names,
                                 .objects = p->objects,
                                 .dataflow = &p->dataflow};
}

int roles_program_mbarrier(roles_program *p, const char *name, int slots, int arrivals)
{
    assert_true(p->schedule.object_count < ROLES_PROGRAM_OBJECTS);
    p->objects[p->schedule.object_count] = (swp_role_object){
        .name = name, .kind = SWP_OBJECT_MBARRIER, .slots = slots, .arrivals = arrivals};
    return (int)p->schedule.object_count++;
}

int roles_program_named(roles_program *p, const char *name, int slots, int threads)
{
    assert_true(p->schedule.object_count < ROLES_PROGRAM_OBJECTS);
    p->objects[p->schedule.object_count] = (swp_role_object){
        .name = name, .kind = SWP_OBJECT_NAMED_BARRIER, .slots = slots, .threads = threads};
    return (int)p->schedule.object_count++;
}

void roles_program_once_a_tile(roles_program *p, const char *op)
{
    swp_loop_op *ops = (swp_loop_op *)p->loop.ops;
    p->schedule.output_tiles = true;
    for (size_t i = 0; i < p->loop.op_count; i++)
        if (!strcmp(ops[i].name, op))
            ops[i].clock = SWP_TILE_CLOCK;
}

void roles_program_cluster(roles_program *p, int work_groups, const char *op)
{
    swp_loop_op *ops = (swp_loop_op *)p->loop.ops;
    p->schedule.cluster = work_groups;
    for (size_t i = 0; i < p->loop.op_count; i++)
        ops[i].multicast |= !strcmp(ops[i].name, op);
}

static int tag_of(const roles_program *p, const char *name)
{
    int tag = -1;
    if (swp_infrastructure_tag(name, &tag))
        return tag;
    for (size_t i = 0; i < p->loop.op_count && tag < 0; i++)
        if (!strcmp(p->loop.ops[i].name, name))
            tag = swp_tag_of_loop_op((int)i);
    assert_true(tag >= 0);
    return tag;
}

static int object_of(const roles_program *p, const char *name)
{
    for (size_t i = 0; i < p->schedule.object_count; i++)
        if (!strcmp(p->objects[i].name, name))
            return (int)i;
    fail_msg("there is no object %s", name);
    return -1;
}

/* One part of a word, which begins with its mark. */
static void read_part(const roles_program *p, char mark, const char *rest, swp_op *op)
{
    const int number = atoi(rest);
    switch (mark) {
    case '@':
        op->object = object_of(p, rest);
        break;
    case '+':
    case '-':
        op->iteration = mark == '-' ? -number : number;
        break;
    case ':':
        op->wait_value = op->slot = number;
        break;
    case '^':
        op->slot_step = number;
        break;
    case '=':
        op->bytes = number;
        break;
    case '!':
        op->by = SWP_ONE_THREAD;
        break;
    case '*':
        op->to = SWP_TO_ALL;
        break;
    default:
        op->instances = number;
        break;
    }
}

static swp_op op_of(const roles_program *p, char *word)
{
    static const char marks[] = "@+-:^=!*&";
    swp_op op = swp_op_none();
    char *part = word + strcspn(word, marks);
    char mark = *part;
    *part = '\0';
    op.tag = tag_of(p, word);
    while (mark) {
        char *rest = part + 1;
        part = rest + strcspn(rest, marks);
        const char next = *part;
        *part = '\0';
        read_part(p, mark, rest, &op);
        mark = next;
    }
    if (op.tag != SWP_TAG_NAMED_SYNC && op.tag != SWP_TAG_NAMED_ARRIVE)
        op.slot = 0;
    else
        op.wait_value = 0;
    return op;
}

static void read_list(const roles_program *p, swp_phase phase, const char *words,
                      swp_entry_list *list)
{
    char text[1024];
    assert_true(!words || strlen(words) < sizeof text);
    strcpy(text, words ? words : "");
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        const swp_entry entry = {
            .op = op_of(p, word), .phase = phase, .time_slot = (int)list->count};
        assert_ok(p->ctx, SWP_PUSH(p->ctx, list, entry));
    }
}

/* So many lists, divided by "/"; those that are not written are empty. */
static swp_entry_list *read_lists(const roles_program *p, const char *words, int count)
{
    swp_entry_list *lists = NULL;
    assert_ok(p->ctx, SWP_TAKE(p->ctx, (size_t)count, &lists));
    for (int i = 0; words && i < count; i++) {
        char text[1024];
        const size_t length = strcspn(words, "/");
        assert_true(length < sizeof text);
        memcpy(text, words, length);
        text[length] = '\0';
        read_list(p, SWP_EPILOGUE, text, &lists[i]);
        words = words[length] ? words + length + 1 : NULL;
    }
    return lists;
}

void roles_program_role_add(roles_program *p, roles_program_role role)
{
    swp_stream *stream = &p->schedule.streams[p->schedule.stream_count++];
    const int remainders = p->schedule.loop.tiles_per_pass - 1;
    const int least = p->schedule.loop.min_tiles;
    *stream = (swp_stream){.name = role.name,
                           .warps = role.warps ? role.warps : 1,
                           .instances = role.instances ? role.instances : 1};
    read_list(p, SWP_PROLOGUE, role.prologue, &stream->prologue);
    read_list(p, SWP_KERNEL, role.kernel, &stream->kernel);
    read_list(p, SWP_EPILOGUE, role.epilogue, &stream->epilogue);
    read_list(p, SWP_BEGIN, role.begin, &stream->begin);
    read_list(p, SWP_END, role.end, &stream->end);
    read_list(p, SWP_DRAIN, role.drain, &stream->drain);
    stream->tails = (swp_tails){.epilogues = read_lists(p, role.epilogues, remainders),
                                .epilogue_count = (size_t)remainders,
                                .straight = read_lists(p, role.straight, least),
                                .straight_count = (size_t)least};
}

static swp_entry_list *list_of(roles_program *p, int role, swp_phase list)
{
    swp_stream *stream = &p->schedule.streams[role];
    swp_entry_list *lists[] = {&stream->prologue, &stream->kernel, &stream->epilogue,
                               &stream->begin,    &stream->end,    &stream->drain};
    return lists[list];
}

swp_op *roles_program_op(roles_program *p, int role, swp_phase list, int entry)
{
    assert_true((size_t)entry < list_of(p, role, list)->count);
    return &list_of(p, role, list)->items[entry].op;
}

void roles_program_drop(roles_program *p, int role, swp_phase list, int entry)
{
    swp_entry_list *from = list_of(p, role, list);
    assert_true((size_t)entry < from->count);
    from->count--;
    memmove(&from->items[entry], &from->items[entry + 1],
            (from->count - (size_t)entry) * sizeof *from->items);
}
