/* SPDX-License-Identifier: Apache-2.0 */
/* A counterexample from its JSON: what counterexample_write.c wrote, perhaps edited since. */
#include "swp/run.h"

#include "base/require.h"
#include "emit/json/members.h"
#include "json/decode.h"
#include "json/kind.h"

#include <limits.h>
#include <string.h>

enum { MOST_WAVES = 64 };

#define IN_FILE(name) (&(swp_json_path){.key = (name)})

static const swp_name phases[] = {SWP_PHASES(SWP_NAME_ROW)};
static const swp_name kinds[] = {SWP_HAZARDS(SWP_MEANING_ROW)};
static const swp_name symptoms[] = {SWP_SYMPTOMS(SWP_MEANING_ROW)};
static const swp_name_table phase_words = SWP_NAME_TABLE(phases);
static const swp_name_table kind_words = SWP_NAME_TABLE(kinds);
static const swp_name_table symptom_words = SWP_NAME_TABLE(symptoms);

/* Words are read through an int. */
_Static_assert(sizeof(swp_hazard_kind) == sizeof(int), "enumerations have the size of an int");

#define INT(key, type, member, least, most)                                                        \
    {                                                                                              \
        key, SWP_JSON_INT, offsetof(type, member), least, most, NULL                               \
    }
#define WORD(key, type, member, words)                                                             \
    {                                                                                              \
        key, SWP_JSON_WORD, offsetof(type, member), 0, 0, &(words)                                 \
    }
#define TEXT(key, type, member)                                                                    \
    {                                                                                              \
        key, SWP_JSON_TEXT, offsetof(type, member), 0, 0, NULL                                     \
    }
#define FIGURE(key, type, member)                                                                  \
    {                                                                                              \
        key, SWP_JSON_FIGURE, offsetof(type, member), 0, 0, NULL                                   \
    }

static const swp_json_member other_members[] = {
    WORD("phase", swp_counterexample, other.phase, phase_words),
    INT("entry", swp_counterexample, other.entry, 0, INT_MAX),
    INT("passes_before", swp_counterexample, passes_before, -INT_MAX, INT_MAX),
};

static const swp_json_member value_members[] = {
    INT("wave", swp_wrong_value, wave, 0, 2 * MOST_WAVES - 1),
    INT("row", swp_wrong_value, row, 0, INT_MAX),
    INT("column", swp_wrong_value, column, 0, INT_MAX),
    INT("i", swp_wrong_value, i, 0, INT_MAX),
    INT("j", swp_wrong_value, j, 0, INT_MAX),
    FIGURE("got", swp_wrong_value, got),
    FIGURE("expected", swp_wrong_value, expected),
};

static const swp_json_member result_members[] = {
    INT("wave", swp_wrong_value, wave, 0, 2 * MOST_WAVES - 1),
    INT("op", swp_wrong_value, op, 0, INT_MAX),
    INT("iteration", swp_wrong_value, iteration, 0, INT_MAX),
    FIGURE("got", swp_wrong_value, got),
    FIGURE("expected", swp_wrong_value, expected),
};

/* Of a thread of warp roles. */
static const swp_json_member role_result_members[] = {
    TEXT("role", swp_wrong_value, role),
    INT("instance", swp_wrong_value, instance, 0, SWP_MOST_INSTANCES - 1),
    INT("thread", swp_wrong_value, thread, 0, INT_MAX),
    INT("op", swp_wrong_value, op, 0, INT_MAX),
    INT("iteration", swp_wrong_value, iteration, 0, INT_MAX),
    FIGURE("got", swp_wrong_value, got),
    FIGURE("expected", swp_wrong_value, expected),
};

/* And of a cluster. */
static const swp_json_member cluster_result_members[] = {
    TEXT("role", swp_wrong_value, role),
    INT("rank", swp_wrong_value, rank, 0, SWP_MOST_CLUSTER - 1),
    INT("instance", swp_wrong_value, instance, 0, SWP_MOST_INSTANCES - 1),
    INT("thread", swp_wrong_value, thread, 0, INT_MAX),
    INT("op", swp_wrong_value, op, 0, INT_MAX),
    INT("iteration", swp_wrong_value, iteration, 0, INT_MAX),
    FIGURE("got", swp_wrong_value, got),
    FIGURE("expected", swp_wrong_value, expected),
};

/* Of a schedule with warp roles. */
static const swp_json_member role_other_members[] = {
    TEXT("role", swp_counterexample, other_role),
    WORD("phase", swp_counterexample, other.phase, phase_words),
    INT("entry", swp_counterexample, other.entry, 0, INT_MAX),
    INT("passes_before", swp_counterexample, passes_before, -INT_MAX, INT_MAX),
};

/* Without a role, and with one; of one work group, and of a cluster. */
static const swp_json_object other_objects[] = {
    {other_members, SWP_COUNT_OF(other_members)},
    {role_other_members, SWP_COUNT_OF(role_other_members)},
};
static const swp_json_object role_result_objects[] = {
    {role_result_members, SWP_COUNT_OF(role_result_members)},
    {cluster_result_members, SWP_COUNT_OF(cluster_result_members)},
};

/* By swp_wrong_kind. */
static const swp_json_object value_objects[] = {
    {value_members, SWP_COUNT_OF(value_members)},
    {result_members, SWP_COUNT_OF(result_members)},
};

static void read_int(swp_json_reader *reader, const swp_json_path *up, json_t *object,
                     const char *key, int least, int most, int *out)
{
    const json_t *value = swp_json_require(reader, up, object, key);
    const swp_json_path path = {.up = up, .key = key};
    if (value)
        (void)swp_json_read_int(reader, &path, value, least, most, out);
}

static void read_word(swp_json_reader *reader, const swp_json_path *up, json_t *object,
                      const char *key, const swp_name_table *words, int *out)
{
    const json_t *value = swp_json_require(reader, up, object, key);
    const swp_json_path path = {.up = up, .key = key};
    if (value)
        (void)swp_json_read_word(reader, &path, value, words, out);
}

/* A text that was read stays behind the JSON that it stands in. */
static void keep_text(swp_json_reader *reader, const char **text)
{
    char *copy = NULL;
    if (*text && swp_copy_text(reader->ctx, *text, strlen(*text), &copy) != SWP_OK)
        reader->status = swp_why_none(reader->ctx);
    *text = copy;
}

/* The name of a warp role, if there is one. */
static void read_role(swp_json_reader *reader, const swp_json_path *up, const json_t *object,
                      const char **out)
{
    const json_t *value = json_object_get(object, "role");
    const swp_json_path path = {.up = up, .key = "role"};
    if (!value || !swp_json_expect(reader, &path, value, JSON_STRING))
        return;
    *out = json_string_value(value);
    keep_text(reader, out);
}

static void read_hazard(swp_json_reader *reader, json_t *root, swp_counterexample *out)
{
    static const char *const known[] = {"kind", "role", "phase", "entry", "other"};
    const swp_json_path *path = IN_FILE("hazard");
    json_t *hazard = swp_json_require(reader, NULL, root, "hazard");
    if (!hazard || !swp_json_expect(reader, path, hazard, JSON_OBJECT))
        return;
    int kind = 0;
    int phase = 0;
    swp_json_refuse_unknown(reader, path, hazard, known, SWP_COUNT_OF(known));
    read_word(reader, path, hazard, "kind", &kind_words, &kind);
    read_role(reader, path, hazard, &out->role);
    read_word(reader, path, hazard, "phase", &phase_words, &phase);
    read_int(reader, path, hazard, "entry", 0, INT_MAX, &out->at.entry);
    out->kind = (swp_hazard_kind)kind;
    out->at.phase = (swp_phase)phase;
    json_t *other = swp_json_require(reader, path, hazard, "other");
    const swp_json_path other_path = {.up = path, .key = "other"};
    out->has_other = other && !json_is_null(other);
    if (out->has_other)
        (void)swp_json_read_object(reader, &other_path, other, &other_objects[out->role != NULL],
                                   out);
    keep_text(reader, &out->other_role);
}

/* A wrong accumulator, or with a dataflow the result of an op. */
static void read_value(swp_json_reader *reader, json_t *value, swp_wrong_value *out)
{
    if (json_object_get(value, "op"))
        out->kind = SWP_WRONG_RESULT;
    const bool has_role = json_object_get(value, "role") != NULL;
    out->is_in_cluster = has_role && json_object_get(value, "rank") != NULL;
    (void)swp_json_read_object(
        reader, IN_FILE("value"), value,
        has_role ? &role_result_objects[out->is_in_cluster] : &value_objects[out->kind], out);
    keep_text(reader, &out->role);
}

static void read_symptom(swp_json_reader *reader, json_t *root, swp_counterexample *out)
{
    int symptom = 0;
    read_word(reader, NULL, root, "symptom", &symptom_words, &symptom);
    out->symptom = (swp_symptom)symptom;
    json_t *value = swp_json_require(reader, NULL, root, "value");
    out->has_value = value && !json_is_null(value);
    if (out->has_value)
        read_value(reader, value, &out->value);
    if (reader->errors)
        return;
    if (out->symptom == SWP_NO_SYMPTOM)
        swp_json_complain(reader, IN_FILE("symptom"), NULL,
                          "is none, but a counterexample shows something wrong");
    if (out->has_value != (out->symptom == SWP_WRONG_VALUE))
        swp_json_complain(reader, IN_FILE("value"), NULL,
                          "a wrong value stands here with the symptom wrong_value, else null");
}

/* In a cluster: of the instance, and that in which its operation is retired. */
static void read_rank(swp_json_reader *reader, const swp_json_path *path, json_t *value,
                      bool takes_effect, swp_timing_event *out)
{
    out->is_in_cluster = json_object_get(value, "rank") != NULL;
    if (!out->is_in_cluster)
        return;
    read_int(reader, path, value, "rank", 0, SWP_MOST_CLUSTER - 1, &out->rank);
    if (takes_effect)
        read_int(reader, path, value, "to", 0, SWP_MOST_CLUSTER - 1, &out->to);
}

static void read_event(swp_json_reader *reader, const swp_json_path *path, json_t *value,
                       swp_timing_event *out)
{
    static const char *const known[] = {"wave", "issue", "effect"};
    static const char *const known_of_role[] = {"role",   "instance", "thread", "issue",
                                                "effect", "rank",     "to"};
    if (!swp_json_expect(reader, path, value, JSON_OBJECT))
        return;
    const bool issues = json_object_get(value, "issue") != NULL;
    const bool takes_effect = json_object_get(value, "effect") != NULL;
    read_role(reader, path, value, &out->role);
    if (out->role) {
        read_int(reader, path, value, "instance", 0, SWP_MOST_INSTANCES - 1, &out->instance);
        read_int(reader, path, value, "thread", 0, INT_MAX, &out->thread);
        read_rank(reader, path, value, takes_effect, out);
    } else {
        read_int(reader, path, value, "wave", 0, 2 * MOST_WAVES - 1, &out->wave);
    }
    if (issues == takes_effect)
        swp_json_complain(reader, path, NULL, "must have `issue` or `effect`, and not both");
    else if (issues)
        read_int(reader, path, value, "issue", 1, INT_MAX, &out->issue);
    else
        read_int(reader, path, value, "effect", 0, INT_MAX, &out->effect);
    if (out->role)
        swp_json_refuse_unknown(reader, path, value, known_of_role, SWP_COUNT_OF(known_of_role));
    else
        swp_json_refuse_unknown(reader, path, value, known, SWP_COUNT_OF(known));
}

static swp_status read_events(swp_json_reader *reader, json_t *root, swp_counterexample *out)
{
    const swp_json_path *up = IN_FILE("events");
    json_t *array = swp_json_require(reader, NULL, root, "events");
    if (!array || !swp_json_expect(reader, up, array, JSON_ARRAY))
        return SWP_OK;
    size_t i = 0;
    json_t *element = NULL;
    json_array_foreach(array, i, element)
    {
        swp_timing_event event = {0};
        const swp_json_path path = {.up = up, .index = i};
        read_event(reader, &path, element, &event);
        SWP_TRY(SWP_PUSH(reader->ctx, &out->events, event));
    }
    return SWP_OK;
}

/* The iterations of each output tile, of a schedule that has them. */
static swp_status read_tiles(swp_json_reader *reader, json_t *root, swp_counterexample *out)
{
    const swp_json_path *up = IN_FILE("tiles");
    const json_t *array = json_object_get(root, "tiles");
    int *tiles = NULL;
    if (!array || !swp_json_expect(reader, up, array, JSON_ARRAY))
        return SWP_OK;
    const size_t count = json_array_size(array);
    SWP_TRY(SWP_TAKE(reader->ctx, count + 1, &tiles));
    for (size_t i = 0; i < count; i++) {
        const swp_json_path path = {.up = up, .index = i};
        (void)swp_json_read_int(reader, &path, json_array_get(array, i), 0, INT_MAX, &tiles[i]);
    }
    out->tiles = tiles;
    out->tile_count = (int)count;
    return SWP_OK;
}

static void read_digest(swp_json_reader *reader, json_t *root, swp_counterexample *out)
{
    const json_t *value = swp_json_require(reader, NULL, root, "schedule");
    if (!value || !swp_json_expect(reader, IN_FILE("schedule"), value, JSON_STRING))
        return;
    const char *text = json_string_value(value);
    if (strlen(text) == SWP_DIGEST_SIZE - 1 &&
        strspn(text, "0123456789abcdef") == SWP_DIGEST_SIZE - 1)
        memcpy(out->digest, text, SWP_DIGEST_SIZE);
    else
        swp_json_complain(reader, IN_FILE("schedule"), NULL,
                          "is no digest of %d hexadecimal digits, in lower case",
                          SWP_DIGEST_SIZE - 1);
}

/* What follows an unknown version may mean anything. */
static bool is_counterexample(swp_json_reader *reader, const json_t *root)
{
    const json_t *version = json_object_get(root, "swp_counterexample");
    if (swp_json_is_other_file(reader, root, SWP_JSON_COUNTEREXAMPLE))
        return false;
    if (!version) {
        swp_json_complain(reader, NULL, NULL,
                          "this is no counterexample: `swp_counterexample` is missing");
        return false;
    }
    if (!swp_json_expect(reader, IN_FILE("swp_counterexample"), version, JSON_INTEGER))
        return false;
    if (json_integer_value(version) != 1)
        swp_json_complain(reader, IN_FILE("swp_counterexample"), NULL,
                          "is %lld, but this swp reads version 1 of the format",
                          (long long)json_integer_value(version));
    return json_integer_value(version) == 1;
}

static swp_status read_file(swp_json_reader *reader, json_t *root, swp_counterexample *out)
{
    static const char *const known[] = {"swp_counterexample",
                                        "schedule",
                                        "n",
                                        "tiles",
                                        "waves_per_group",
                                        "seed",
                                        "hazard",
                                        "value",
                                        "symptom",
                                        "events"};
    int seed = 0;
    if (!swp_json_expect(reader, NULL, root, JSON_OBJECT) || !is_counterexample(reader, root))
        return SWP_OK;
    swp_json_refuse_unknown(reader, NULL, root, known, SWP_COUNT_OF(known));
    read_digest(reader, root, out);
    read_int(reader, NULL, root, "n", 0, INT_MAX, &out->n);
    SWP_TRY(read_tiles(reader, root, out));
    read_int(reader, NULL, root, "waves_per_group", 1, MOST_WAVES, &out->waves_per_group);
    read_int(reader, NULL, root, "seed", 0, INT_MAX, &seed);
    out->seed = (uint64_t)seed;
    read_hazard(reader, root, out);
    read_symptom(reader, root, out);
    return read_events(reader, root, out);
}

swp_status swp_counterexample_read(swp_context *ctx, const char *text, size_t length,
                                   const char *file, swp_counterexample *out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && out);
    *out = (swp_counterexample){0};
    json_t *root = NULL;
    SWP_TRY(swp_json_parse(ctx, text, length, (swp_place){file, 1, 1}, SWP_E0715,
                           SWP_JSON_COUNTEREXAMPLE, &root));
    swp_json_reader reader = {.ctx = ctx,
                              .in = {text, length, {file, 1, 1}},
                              .code = SWP_E0715,
                              .about = "`swp verify SCHEDULE --counterexample OUT` writes one"};
    const swp_status status = read_file(&reader, root, out);
    json_decref(root);
    SWP_TRY(status);
    return swp_json_finish(&reader);
}
