/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    swp_context *ctx;
    role_program *program;
    swp_loop_builder *builder;
    const char *values[ROLE_PROGRAM_MOST];
    int value_count;
    struct {
        const char *name;
        swp_completion completion;
    } ops[ROLE_PROGRAM_MOST];
    int op_count;
    int object_count;
    swp_entry_list *list;
    char *line; /* what is left of it */
} reader;

static void stop(const char *what, const char *word)
{
    (void)fprintf(stderr, "roles_words: %s: %s\n", what, word ? word : "(end of line)");
    abort();
}

static char *next_word(reader *r)
{
    char *word = r->line + strspn(r->line, " ");
    const size_t length = strcspn(word, " ");
    r->line = word + length + (word[length] != '\0');
    word[length] = '\0';
    return length > 0 ? word : NULL;
}

static char *need_word(reader *r)
{
    char *word = next_word(r);
    if (!word)
        stop("a word is missing", word);
    return word;
}

static bool is(const char *word, const char *other)
{
    return strcmp(word, other) == 0;
}

static int number_of(const char *word)
{
    char *end = NULL;
    const long number = strtol(word, &end, 10);
    if (*end || end == word)
        stop("no number", word);
    return (int)number;
}

static int need_number(reader *r)
{
    return number_of(need_word(r));
}

/* --- What the loop is about --- */

static void read_value(reader *r)
{
    const char *name = need_word(r);
    const swp_space space = is(need_word(r), "shared") ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS;
    const int slots = need_number(r);
    r->program->slots[r->value_count] = slots;
    r->values[r->value_count++] = name;
    (void)swp_value(r->builder, name, .space = space, .least_slots = slots, .most_slots = slots);
}

/* From 1. */
static int value_of(const reader *r, const char *name)
{
    for (int i = 0; i < r->value_count; i++)
        if (is(r->values[i], name))
            return i + 1;
    stop("no value", name);
    return 0;
}

static swp_completion completion_of(const char *name)
{
    static const swp_completion all[] = {SWP_COMPLETION_NONE, SWP_COMPLETION_COPY_MBARRIER,
                                         SWP_COMPLETION_MATRIX_GROUP, SWP_COMPLETION_STORE_GROUP};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (is(swp_completion_name(all[i]), name))
            return all[i];
    stop("no completion", name);
    return SWP_COMPLETION_NONE;
}

static void read_op(reader *r)
{
    swp_loop_op_args op = {.name = need_word(r), .latency = 1};
    op.completion = completion_of(need_word(r));
    r->ops[r->op_count].completion = op.completion;
    r->ops[r->op_count++].name = op.name;
    const char *mode = "";
    int reads = 0;
    int writes = 0;
    int updates = 0;
    for (char *word = next_word(r); word; word = next_word(r)) {
        char *distance = strchr(word, '-');
        if (distance)
            *distance++ = '\0';
        if (is(word, "reads") || is(word, "writes") || is(word, "updates")) {
            mode = word;
        } else if (is(mode, "reads")) {
            op.reads[reads].value = value_of(r, word);
            op.reads[reads++].distance = distance ? number_of(distance) : 0;
        } else {
            *(is(mode, "writes") ? &op.writes[writes++] : &op.updates[updates++]) =
                value_of(r, word);
        }
    }
    swp_loop_add_op(r->builder, op);
}

static void read_object(reader *r, swp_role_object_kind kind)
{
    swp_role_object *object = &r->program->objects[r->object_count++];
    *object = (swp_role_object){.name = need_word(r), .kind = kind};
    object->slots = need_number(r);
    *(kind == SWP_OBJECT_MBARRIER ? &object->arrivals : &object->threads) = need_number(r);
}

/* --- Lists --- */

static void read_role(reader *r)
{
    swp_schedule *s = &r->program->schedule;
    swp_stream *stream = &s->streams[s->stream_count++];
    stream->name = need_word(r);
    stream->warps = need_number(r);
    stream->instances = need_number(r);
    r->list = &stream->kernel;
}

static swp_stream *stream_of(reader *r)
{
    return &r->program->schedule.streams[r->program->schedule.stream_count - 1];
}

static int find_op(const reader *r, const char *name)
{
    for (int i = 0; i < r->op_count; i++)
        if (is(r->ops[i].name, name))
            return i;
    stop("no op", name);
    return -1;
}

static bool is_of_one(const reader *r, const swp_op *op, int number)
{
    switch (op->tag) {
    case SWP_TAG_ARRIVE_EXPECT:
    case SWP_TAG_BULK_COMMIT:
    case SWP_TAG_BULK_WAIT:
    case SWP_TAG_BULK_WAIT_READ:
        return true;
    default:
        return number >= 0 && (r->ops[number].completion == SWP_COMPLETION_COPY_MBARRIER ||
                               r->ops[number].completion == SWP_COMPLETION_STORE_GROUP);
    }
}

static bool read_object_word(const reader *r, swp_op *op, const char *word)
{
    for (int i = 0; i < r->object_count; i++)
        if (is(r->program->objects[i].name, word)) {
            op->object = i;
            return true;
        }
    return false;
}

static void read_entry_word(reader *r, swp_op *op, const char *word)
{
    const bool counts_groups = op->tag == SWP_TAG_MATRIX_WAIT || op->tag == SWP_TAG_BULK_WAIT ||
                               op->tag == SWP_TAG_BULK_WAIT_READ;
    if (is(word, "one") || is(word, "all"))
        op->by = is(word, "one") ? SWP_ONE_THREAD : SWP_ALL_THREADS;
    else if (is(word, "slot"))
        op->slot = need_number(r);
    else if (is(word, "step"))
        op->slot_step = need_number(r);
    else if (is(word, "bytes"))
        op->bytes = need_number(r);
    else if (is(word, "only"))
        op->instances = need_number(r);
    else if (!read_object_word(r, op, word))
        *(counts_groups ? &op->wait_value : &op->iteration) = number_of(word);
}

static void read_entry(reader *r, const char *name)
{
    swp_entry entry = {.op = swp_op_none()};
    int number = -1;
    if (!swp_infrastructure_tag(name, &entry.op.tag)) {
        number = find_op(r, name);
        entry.op.tag = swp_tag_of_loop_op(number);
    }
    if (is_of_one(r, &entry.op, number))
        entry.op.by = SWP_ONE_THREAD;
    for (char *word = next_word(r); word; word = next_word(r))
        read_entry_word(r, &entry.op, word);
    if (swp_entry_list_push(r->ctx, r->list, entry) != SWP_OK)
        abort();
}

static void read_line(reader *r)
{
    const char *word = next_word(r);
    if (!word)
        return;
    if (is(word, "value")) {
        read_value(r);
    } else if (is(word, "op")) {
        read_op(r);
    } else if (is(word, "mbarrier")) {
        read_object(r, SWP_OBJECT_MBARRIER);
    } else if (is(word, "named")) {
        read_object(r, SWP_OBJECT_NAMED_BARRIER);
    } else if (is(word, "passes")) {
        r->program->schedule.loop.min_tiles = need_number(r);
        r->program->schedule.loop.tiles_per_pass = need_number(r);
    } else if (is(word, "role")) {
        read_role(r);
    } else if (is(word, "prologue")) {
        r->list = &stream_of(r)->prologue;
    } else if (is(word, "kernel")) {
        r->list = &stream_of(r)->kernel;
    } else if (is(word, "epilogue")) {
        r->list = &stream_of(r)->epilogue;
    } else {
        read_entry(r, word);
    }
}

static void finish(reader *r)
{
    role_program *p = r->program;
    p->dataflow = (swp_loop_dataflow){.loop = &p->loop, .slots = p->slots};
    p->schedule.dataflow = &p->dataflow;
    p->schedule.objects = p->objects;
    p->schedule.object_count = (size_t)r->object_count;
    p->schedule.loop.multiple = p->schedule.loop.tiles_per_pass;
    p->schedule.loop.placement = SWP_PLACE_NEXT_TILE;
    if (swp_loop_done(r->builder, &p->loop) == SWP_OK &&
        swp_schedule_check_loop(r->ctx, &p->schedule) == SWP_OK)
        return;
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(r->ctx, &count);
    for (size_t i = 0; i < count; i++)
        (void)fprintf(stderr, "%s\n", diags[i].message);
    stop("no schedule", "");
}

role_program *role_program_read(swp_context *ctx, const char *text)
{
    role_program *p = calloc(1, sizeof *p);
    if (!p || !(p->text = malloc(strlen(text) + 1)))
        abort();
    strcpy(p->text, text);
    p->schedule.machine = swp_machine_default();
    p->schedule.loop.tiles_per_pass = 1;
    reader r = {.ctx = ctx, .program = p, .builder = swp_loop_new(ctx, "words")};
    for (char *line = p->text, *next = NULL; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        r.line = line;
        read_line(&r);
    }
    finish(&r);
    return p;
}

void role_program_free(role_program *p)
{
    free(p->text);
    free(p);
}
