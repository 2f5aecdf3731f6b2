/* SPDX-License-Identifier: Apache-2.0 */
/* Reads ops and entries, holds names against tags, and gathers the phases and tails. */
#include "emit/json/meaning.h"
#include "emit/json/roles.h"
#include "ir/entry.h"
#include "ir/op_meaning.h"
#include "ir/roles.h"

#include "base/text.h"

#include <string.h>

void swp_json_keep(swp_schedule_reader *reader, swp_status status)
{
    if (status != SWP_OK)
        reader->json.status = status;
}

static const char *copy(swp_schedule_reader *reader, const char *text)
{
    char *out = NULL;
    swp_json_keep(reader, swp_copy_text(reader->json.ctx, text, strlen(text), &out));
    return out;
}

static bool is_hint(int tag)
{
    return tag == SWP_TAG_SET_PRIO || tag == SWP_TAG_SCHEDULE_BARRIER ||
           tag == SWP_TAG_SCHED_GROUP_BARRIER;
}

static void check_infrastructure(swp_schedule_reader *reader, const swp_json_path *path,
                                 const swp_json_op *op)
{
    const int tag = op->entry.op.tag;
    const char *name = swp_infrastructure_name(tag);
    if (strcmp(name, op->name) != 0)
        swp_json_complain(&reader->json, path, NULL, "the op of tag %d is `%s`, not `%s`", tag,
                          name, op->name);
    const swp_role role = is_hint(tag) ? SWP_FENCE : SWP_SYNC;
    if (op->entry.op.role != role)
        swp_json_complain(&reader->json, path, NULL, "a %s has `role` %s, not %s", name,
                          swp_role_name(role), swp_role_name(op->entry.op.role));
}

/* The tag that has a name already; -1: none. */
static int tag_of(const swp_schedule_reader *reader, const char *name)
{
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        if (reader->named[tag] && strcmp(reader->schedule->op_names[tag], name) == 0)
            return tag;
    return -1;
}

/* A tag, a name and a kind belong together in all of the file: what is judged is what is emitted. */
static void compare_with_before(swp_schedule_reader *reader, const swp_json_path *path,
                                const swp_json_op *op)
{
    const int tag = op->entry.op.tag;
    const char *known = reader->schedule->op_names[tag];
    const swp_role role = reader->roles[tag];
    if (strcmp(known, op->name) != 0)
        swp_json_complain_once(&reader->json, &(swp_json_path){.up = path, .key = "name"},
                               reader->has_dataflow ? "tags number the ops of `dataflow`, which "
                                                      "names them"
                                                    : "an op has its name wherever it stands",
                               "tag %d is `%s` here, but `%s` before", tag, op->name, known);
    else if (role != op->entry.op.role && !reader->has_dataflow)
        swp_json_complain(&reader->json, path, NULL, "`%s` has `role` %s here, but %s before",
                          known, swp_role_name(op->entry.op.role), swp_role_name(role));
}

static void check_kernel_op(swp_schedule_reader *reader, const swp_json_path *path,
                            const swp_json_op *op)
{
    const int tag = op->entry.op.tag;
    int other_tag = 0;
    if (!swp_is_name(op->name)) {
        swp_json_complain(&reader->json, path, SWP_NAME_HINT, "no op can be named `%s`", op->name);
        return;
    }
    if (swp_infrastructure_tag(op->name, &other_tag)) {
        swp_json_complain(&reader->json, path, NULL,
                          "`%s` is the framework's name, and tag %d is a kernel's", op->name, tag);
        return;
    }
    if (!swp_ir_op_role_fits_tag(&op->entry.op)) {
        swp_json_complain(&reader->json, path, "the framework's tags begin at 128",
                          "`role` %s is the framework's, and tag %d (`%s`) is a kernel's",
                          swp_role_name(op->entry.op.role), tag, op->name);
        return;
    }
    if (reader->named[tag]) {
        compare_with_before(reader, path, op);
        return;
    }
    other_tag = tag_of(reader, op->name);
    if (other_tag >= 0)
        swp_json_complain(&reader->json, path, NULL, "`%s` is tag %d here, but tag %d before",
                          op->name, tag, other_tag);
    const char *name = copy(reader, op->name);
    if (!name)
        return;
    reader->schedule->op_names[tag] = name;
    reader->roles[tag] = op->entry.op.role;
    reader->named[tag] = true;
}

/* Those beyond the framework's are a loop's. */
static bool is_tag(const swp_schedule_reader *reader, int tag)
{
    const int most = reader->has_roles ? SWP_LAST_ROLE_TAG : SWP_TAG_SCHED_GROUP_BARRIER;
    return tag <= most || (tag > SWP_TAG_NONE && reader->has_dataflow);
}

static bool read_op(swp_schedule_reader *reader, const swp_json_path *path, json_t *value,
                    const swp_json_object *object, swp_json_op *op)
{
    op->entry.op = swp_op_none();
    op->object = "";
    if (!swp_json_read_object(&reader->json, path, value, object, op))
        return false;
    const size_t errors = reader->json.errors;
    if (!is_tag(reader, op->entry.op.tag)) {
        const swp_json_path at = {.up = path, .key = "tag"};
        swp_json_complain(&reader->json, &at, NULL, "is %d, but must be 0 to %d", op->entry.op.tag,
                          SWP_TAG_SCHED_GROUP_BARRIER);
        return false;
    }
    if (!swp_ir_is_work(&op->entry.op))
        check_infrastructure(reader, path, op);
    else
        check_kernel_op(reader, path, op);
    return reader->json.errors == errors;
}

json_t *swp_json_array(swp_schedule_reader *reader, const swp_json_path *up, json_t *object,
                       const char *key, bool required)
{
    json_t *array =
        required ? swp_json_require(&reader->json, up, object, key) : json_object_get(object, key);
    const swp_json_path path = {.up = up, .key = key};
    if (!array || !swp_json_expect(&reader->json, &path, array, JSON_ARRAY))
        return NULL;
    return array;
}

void swp_json_read_body(swp_schedule_reader *reader, json_t *root)
{
    json_t *array = swp_json_array(reader, NULL, root, "body", false);
    size_t i = 0;
    json_t *element = NULL;
    json_array_foreach(array, i, element)
    {
        const swp_json_path path = {.up = SWP_JSON_IN_FILE("body"), .index = i};
        swp_json_op op = {0};
        (void)read_op(reader, &path, element, &swp_json_body_op, &op);
        swp_json_keep(reader,
                      swp_op_list_push(reader->json.ctx, &reader->schedule->body, op.entry.op));
        if (reader->json.status != SWP_OK)
            return;
    }
}

static const swp_json_object *entry_object(const swp_schedule_reader *reader, const json_t *entry)
{
    if (reader->has_roles)
        return swp_ir_ranks(reader->schedule) > 1 ? &swp_json_cluster_role_entry
                                                  : &swp_json_role_entry;
    if (!reader->has_dataflow)
        return &swp_json_entry;
    return json_object_get(entry, "stage") ? &swp_json_labelled_entry : &swp_json_loop_entry;
}

/* What a dataflow says of an op has no second source: labels are written anew. */
static void forget_labels(swp_op *op)
{
    const swp_op unset = swp_op_none();
    if (!swp_ir_is_work(op))
        return;
    op->role = unset.role;
    op->stage = unset.stage;
    op->subtile = unset.subtile;
    op->k_offset = unset.k_offset;
    op->channel = unset.channel;
}

void swp_json_read_entries(swp_schedule_reader *reader, const swp_json_path *list, json_t *array,
                           swp_phase phase, swp_entry_list *entries)
{
    size_t i = 0;
    json_t *element = NULL;
    json_array_foreach(array, i, element)
    {
        const swp_json_path path = {.up = list, .index = i};
        swp_json_op op = {0};
        if (read_op(reader, &path, element, entry_object(reader, element), &op))
            swp_json_check_entry(reader, &path, &op.entry);
        swp_json_name_object(reader, &path, &op);
        if (reader->has_dataflow)
            forget_labels(&op.entry.op);
        op.entry.phase = phase;
        op.entry.time_slot = (int)i;
        swp_json_keep(reader, swp_entry_list_push(reader->json.ctx, entries, op.entry));
        if (reader->json.status != SWP_OK)
            return;
    }
}
