/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a certificate of a loop from its lines, and the pipeline from the JSON of a schedule. */
#include "base/require.h"
#include "certify/json_read.h"
#include "certify/loop_instances.h"
#include "certify/loop_passes.h"
#include "certify/loop_roles.h"
#include "certify/names.h"
#include "swp/certify_loop.h"
#include "json/kind.h"

#include <limits.h>
#include <string.h>

static void read_slots(swp_json_reader *reader, const json_t *root, swp_loop_certificate_part *out)
{
    int *slots = NULL;
    const json_t *array = swp_json_require(reader, NULL, root, "slots");
    if (!array || !swp_json_expect(reader, SWP_MEMBER("slots"), array, JSON_ARRAY))
        return;
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, json_array_size(array), &slots));
    for (size_t i = 0; slots && i < json_array_size(array); i++) {
        const swp_json_path element = {.up = SWP_MEMBER("slots"), .index = i};
        const json_t *value = json_array_get(array, i);
        if (!json_is_null(value))
            (void)swp_json_read_int(reader, &element, value, 1, SWP_MOST_SLOTS, &slots[i]);
    }
    out->claim.slots = slots;
    out->slot_count = slots ? json_array_size(array) : 0;
}

/* Reads a list of numbers that are 0 or more; returns NULL if there is none. */
static int *read_numbers(swp_json_reader *reader, const json_t *array, const char *key,
                         size_t *count)
{
    int *numbers = NULL;
    *count = 0;
    if (!array || !swp_json_expect(reader, SWP_MEMBER(key), array, JSON_ARRAY))
        return NULL;
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, json_array_size(array), &numbers));
    for (size_t i = 0; numbers && i < json_array_size(array); i++) {
        const swp_json_path element = {.up = SWP_MEMBER(key), .index = i};
        (void)swp_json_read_int(reader, &element, json_array_get(array, i), 0, INT_MAX,
                                &numbers[i]);
    }
    *count = numbers ? json_array_size(array) : 0;
    return numbers;
}

/* Reads the same as cycles. */
static int64_t *read_cycles(swp_json_reader *reader, const json_t *array, const char *key,
                            size_t *count)
{
    int64_t *cycles = NULL;
    const int *numbers = read_numbers(reader, array, key, count);
    if (!numbers)
        return NULL;
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, *count, &cycles));
    for (size_t i = 0; cycles && i < *count; i++)
        cycles[i] = numbers[i];
    return cycles;
}

static void read_part(swp_json_reader *reader, json_t *root, swp_loop_certificate_part *out)
{
    static const char *const keys[] = {"slots", "stages", "roles", "shifts", "bound", "steps"};
    int64_t stages = 0;
    if (!swp_json_expect(reader, NULL, root, JSON_OBJECT))
        return;
    swp_json_refuse_unknown(reader, NULL, root, keys, SWP_COUNT_OF(keys));
    read_slots(reader, root, out);
    if (swp_certify_json_number_or_null(reader, root, "stages", &stages) &&
        (stages < 1 || stages > INT_MAX))
        swp_json_complain(reader, SWP_MEMBER("stages"), "null stands for any number",
                          "%lld is no number of stages", (long long)stages);
    out->claim.stages = (int)stages;
    out->claim.roles =
        read_numbers(reader, json_object_get(root, "roles"), "roles", &out->role_count);
    out->shifts = read_cycles(reader, json_object_get(root, "shifts"), "shifts", &out->shift_count);
    out->claim.bound = swp_certify_json_number(reader, root, "bound", 1);
    out->step_count = (size_t)swp_certify_json_number(reader, root, "steps", 0);
}

static swp_status take_part(swp_context *ctx, swp_problem_text *rest,
                            swp_loop_certificate_part *out)
{
    swp_json_reader reader;
    json_t *root = NULL;
    *out = (swp_loop_certificate_part){.place = rest->place};
    SWP_TRY(swp_certify_line(ctx, rest, "a part of the certificate", &reader, &root));
    read_part(&reader, root, out);
    json_decref(root);
    SWP_TRY(swp_json_finish(&reader));
    return swp_certify_steps(ctx, rest, (int64_t)out->step_count, &out->steps);
}

static void read_header(swp_json_reader *reader, json_t *root, swp_loop_certificate *out)
{
    static const char *const keys[] = {"swp", "certificate", "problem", "interval", "parts"};
    static const swp_name kinds[] = {{0, "loop", NULL}};
    static const swp_name_table table = SWP_NAME_TABLE(kinds);
    if (!swp_json_expect(reader, NULL, root, JSON_OBJECT))
        return;
    if (swp_json_is_other_file(reader, root, SWP_JSON_CERTIFICATE))
        return;
    swp_json_refuse_unknown(reader, NULL, root, keys, SWP_COUNT_OF(keys));
    swp_certify_json_version(reader, root);
    out->name = swp_certify_json_name(reader, root, "certificate");
    (void)swp_certify_json_word(reader, root, "problem", &table);
    out->interval = swp_certify_json_number(reader, root, "interval", 1);
    out->part_count = (size_t)swp_certify_json_number(reader, root, "parts", 0);
}

typedef struct part_list {
    swp_loop_certificate_part *items;
    size_t count;
    size_t capacity;
} part_list;

swp_status swp_loop_certificate_read(swp_context *ctx, const swp_problem_text *text,
                                     swp_loop_certificate *out)
{
    SWP_REQUIRE(ctx, ctx && text && out);
    swp_problem_text rest = *text;
    swp_json_reader reader;
    json_t *root = NULL;
    part_list parts = {0};
    *out = (swp_loop_certificate){.place = text->place};
    SWP_TRY(swp_certify_line(ctx, &rest, "a certificate", &reader, &root));
    read_header(&reader, root, out);
    json_decref(root);
    SWP_TRY(swp_json_finish(&reader));
    /* A part takes at least a line, whatever the header says (as steps do). */
    if (out->part_count > rest.length)
        return swp_error(ctx, SWP_E0832, rest.place, "is the file cut short?",
                         "the file ends before %zu parts", out->part_count);
    for (size_t i = 0; i < out->part_count; i++) {
        swp_loop_certificate_part part = {0};
        SWP_TRY(take_part(ctx, &rest, &part));
        SWP_TRY(SWP_PUSH(ctx, &parts, part));
    }
    out->parts = parts.items;
    return swp_certify_end(ctx, &rest);
}

/* ---- The pipeline ---- */

/* Returns a list of `count` objects, one for each name of the loop, or NULL after a complaint. */
static const json_t *require_list(swp_json_reader *reader, const json_t *pipeline, const char *key,
                                  size_t count)
{
    const json_t *array = swp_json_require(reader, NULL, pipeline, key);
    if (!array || !swp_json_expect(reader, SWP_MEMBER(key), array, JSON_ARRAY))
        return NULL;
    if (json_array_size(array) == count)
        return array;
    swp_json_complain(reader, SWP_MEMBER(key), "is it the schedule of this loop?",
                      "has %zu elements, but the loop has %zu", json_array_size(array), count);
    return NULL;
}

static const json_t *element_of(swp_json_reader *reader, const json_t *array, size_t index,
                                const char *key, const char *name)
{
    const swp_json_path path = {.up = SWP_MEMBER(key), .index = index};
    const json_t *element = json_array_get(array, index);
    if (!swp_json_expect(reader, &path, element, JSON_OBJECT))
        return NULL;
    const char *said = json_string_value(json_object_get(element, "name"));
    if (said && !strcmp(said, name))
        return element;
    swp_json_complain(reader, &path, "is it the schedule of this loop?",
                      "`%s` stands where the loop has `%s`", said ? said : "", name);
    return NULL;
}

static void read_times(swp_json_reader *reader, const json_t *pipeline, const swp_loop *loop,
                       swp_loop_answer *out)
{
    int64_t *times = NULL;
    const json_t *ops = require_list(reader, pipeline, "ops", loop->op_count);
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, loop->op_count, &times));
    for (size_t i = 0; ops && times && i < loop->op_count; i++) {
        const json_t *op = element_of(reader, ops, i, "ops", loop->ops[i].name);
        if (!op)
            continue;
        const int64_t cycle = swp_certify_json_number(reader, op, "cycle", 0);
        const int64_t stage = swp_certify_json_number(reader, op, "stage", 0);
        const bool fits = stage < SWP_PROBLEM_MOST / out->interval && cycle < out->interval;
        times[i] = fits ? stage * out->interval + cycle : 0;
        if (!fits)
            swp_json_complain(reader, SWP_MEMBER("ops"), "cycles count within the interval",
                              "cycle %lld of stage %lld does not fit the interval of %lld",
                              (long long)cycle, (long long)stage, (long long)out->interval);
    }
    out->times = times;
    out->time_count = loop->op_count;
}

static int role_of_name(const swp_loop *loop, const char *name)
{
    for (size_t r = 0; name && r < loop->role_count; r++)
        if (strcmp(loop->roles[r].name, name) == 0)
            return (int)r;
    return SWP_CERTIFY_NO_ROLES;
}

/* Only roles that the loop leaves open are read. */
static void read_roles(swp_json_reader *reader, const json_t *pipeline, const swp_loop *loop,
                       swp_loop_answer *out)
{
    int *roles = NULL;
    if (!swp_certify_has_open_roles(loop))
        return;
    const json_t *ops = require_list(reader, pipeline, "ops", loop->op_count);
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, loop->op_count, &roles));
    out->roles = roles;
    for (size_t i = 0; ops && roles && i < loop->op_count; i++) {
        const json_t *name = json_object_get(json_array_get(ops, i), "role");
        roles[i] = role_of_name(loop, json_string_value(name));
        if (roles[i] == SWP_CERTIFY_NO_ROLES)
            swp_json_complain(reader, SWP_MEMBER("ops"), "is it the schedule of this loop?",
                              "`%s` has no role of the loop", loop->ops[i].name);
    }
}

/* The list leaves out the shifts of the first instances, which are 0. */
static void read_shifts(swp_json_reader *reader, const json_t *pipeline, const swp_loop *loop,
                        swp_loop_answer *out)
{
    int64_t *shifts = NULL;
    const size_t count = swp_certify_shift_count(loop);
    const json_t *roles =
        count > 0 ? require_list(reader, pipeline, "roles", loop->role_count) : NULL;
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, count, &shifts));
    out->shifts = shifts;
    out->shift_count = count;
    for (size_t r = 0; roles && shifts && r < loop->role_count; r++) {
        const json_t *role = element_of(reader, roles, r, "roles", loop->roles[r].name);
        const json_t *array = role ? swp_json_require(reader, NULL, role, "shifts") : NULL;
        size_t numbers = 0;
        const int64_t *cycles = read_cycles(reader, array, "shifts", &numbers);
        const int instances = swp_certify_instances_of_role(loop, (int)r);
        const bool fits = cycles && numbers == (size_t)instances && cycles[0] == 0;
        if (cycles && !fits)
            swp_json_complain(reader, SWP_MEMBER("shifts"), "the first instance has 0",
                              "the %d instances of `%s` cannot have these shifts", instances,
                              loop->roles[r].name);
        for (int i = 1; fits && i < instances; i++)
            *shifts++ = cycles[i];
    }
}

static void read_value_slots(swp_json_reader *reader, const json_t *pipeline, const swp_loop *loop,
                             swp_loop_answer *out)
{
    int *slots = NULL;
    const json_t *values = require_list(reader, pipeline, "values", loop->value_count);
    swp_certify_json_note(reader, SWP_TAKE(reader->ctx, loop->value_count, &slots));
    for (size_t v = 0; values && slots && v < loop->value_count; v++) {
        const json_t *value = element_of(reader, values, v, "values", loop->values[v].name);
        const json_t *number = value ? swp_json_require(reader, NULL, value, "slots") : NULL;
        if (number)
            (void)swp_json_read_int(reader, SWP_MEMBER("slots"), number, 1, INT_MAX, &slots[v]);
    }
    out->slots = slots;
    out->slot_count = loop->value_count;
}

static bool read_flag(swp_json_reader *reader, const json_t *object)
{
    const json_t *flag = swp_json_require(reader, NULL, object, "proven");
    if (flag && !json_is_boolean(flag))
        swp_json_complain(reader, SWP_MEMBER("proven"), NULL, "true or false is expected");
    return json_is_true(flag);
}

static void read_objectives(swp_json_reader *reader, const json_t *pipeline, const swp_loop *loop,
                            swp_loop_answer *out)
{
    const json_t *objectives = require_list(reader, pipeline, "objectives", SWP_OBJECTIVE_COUNT);
    for (size_t i = 0; objectives && i < SWP_OBJECTIVE_COUNT; i++) {
        const swp_objective objective = loop->objectives[i];
        const json_t *one =
            element_of(reader, objectives, i, "objectives", swp_certify_claim_name(objective));
        if (!one)
            continue;
        out->costs[objective] = swp_certify_json_number(reader, one, "value", 0);
        out->least[objective] = read_flag(reader, one);
    }
}

static void read_pipeline(swp_json_reader *reader, const json_t *root, const swp_loop *loop,
                          swp_loop_answer *out)
{
    if (!swp_json_expect(reader, NULL, root, JSON_OBJECT))
        return;
    const json_t *pipeline = swp_json_require(reader, NULL, root, "pipeline");
    if (!pipeline || !swp_json_expect(reader, SWP_MEMBER("pipeline"), pipeline, JSON_OBJECT))
        return;
    reader->within = SWP_MEMBER("pipeline");
    out->interval = swp_certify_json_number(reader, pipeline, "interval", 1);
    out->bound = swp_certify_json_number(reader, pipeline, "bound", 1);
    out->resident = 1;
    if (json_object_get(pipeline, "resident_work_groups"))
        (void)swp_json_read_int(reader, SWP_MEMBER("resident_work_groups"),
                                json_object_get(pipeline, "resident_work_groups"), 1,
                                SWP_MOST_RESIDENT, &out->resident);
    if (reader->errors > 0)
        return;
    read_times(reader, pipeline, loop, out);
    read_roles(reader, pipeline, loop, out);
    read_shifts(reader, pipeline, loop, out);
    read_value_slots(reader, pipeline, loop, out);
    read_objectives(reader, pipeline, loop, out);
}

swp_status swp_loop_answer_read_json(swp_context *ctx, const swp_problem_text *text,
                                     const swp_loop *loop, swp_loop_answer *out)
{
    SWP_REQUIRE(ctx, ctx && text && loop && out);
    swp_json_reader reader = {.ctx = ctx, .in = *text, .code = SWP_E0833};
    json_t *root = NULL;
    *out = (swp_loop_answer){0};
    SWP_TRY(swp_json_parse(ctx, text->text, text->length, text->place, SWP_E0833,
                           SWP_JSON_CERTIFICATE, &root));
    const swp_loop passes = swp_certify_passes_of(loop);
    read_pipeline(&reader, root, &passes, out);
    json_decref(root);
    return swp_json_finish(&reader);
}
