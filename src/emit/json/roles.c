/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what only schedules with warp roles have: sync objects, what an instance is, objects of entries. */
#include "emit/json/roles.h"

#include "base/text.h"
#include "ir/roles.h"
#include "target/roles.h"

#include <string.h>

static const swp_json_object *role_object(const swp_schedule_reader *reader)
{
    return reader->schedule->output_tiles ? &swp_json_tile_role_object : &swp_json_role_object;
}

static void read_object(swp_schedule_reader *reader, const swp_json_path *path, json_t *value,
                        swp_role_object *objects, size_t index)
{
    swp_role_object *object = &objects[index];
    char *name = NULL;
    const bool is_right =
        swp_json_read_object(&reader->json, path, value, role_object(reader), object);
    const char *text = object->name ? object->name : "";
    swp_json_keep(reader, swp_copy_text(reader->json.ctx, text, strlen(text), &name));
    object->name = name ? name : "";
    if (!is_right || !name) /* entries may name it all the same */
        return;
    if (!swp_is_name(object->name))
        swp_json_complain(&reader->json, path, SWP_NAME_HINT, "no object can be named `%s`",
                          object->name);
    for (size_t i = 0; i < index; i++)
        if (!strcmp(objects[i].name, object->name))
            swp_json_complain(&reader->json, path, NULL, "`%s` is the name of two objects",
                              object->name);
}

void swp_json_read_role_objects(swp_schedule_reader *reader, json_t *root)
{
    const swp_json_path *path = SWP_JSON_IN_FILE("sync_objects");
    json_t *array = swp_json_array(reader, NULL, root, "sync_objects", false);
    const size_t count = json_array_size(array);
    swp_role_object *objects = NULL;
    reader->has_roles = json_object_get(root, "sync_objects") != NULL;
    if (!array)
        return;
    if (count > SWP_MOST_ROLE_OBJECTS) {
        swp_json_complain(&reader->json, path, NULL,
                          "there are %zu objects, and a schedule has at most %d", count,
                          SWP_MOST_ROLE_OBJECTS);
        return;
    }
    swp_json_keep(reader, SWP_TAKE(reader->json.ctx, count, &objects));
    for (size_t i = 0; i < count && reader->json.status == SWP_OK; i++) {
        const swp_json_path one = {.up = path, .index = i};
        read_object(reader, &one, json_array_get(array, i), objects, i);
    }
    reader->schedule->objects = objects;
    reader->schedule->object_count = objects ? count : 0;
}

void swp_json_read_role_instances(swp_schedule_reader *reader, const swp_json_path *path,
                                  json_t *role, swp_stream *stream)
{
    for (size_t i = 0; reader->has_roles && i < swp_json_role.count; i++) {
        const swp_json_member *member = &swp_json_role.members[i];
        const swp_json_path at = {.up = path, .key = member->key};
        const json_t *value = swp_json_require(&reader->json, path, role, member->key);
        if (value)
            (void)swp_json_read_int(&reader->json, &at, value, member->least, member->most,
                                    (int *)((char *)stream + member->offset));
    }
}

void swp_json_name_object(swp_schedule_reader *reader, const swp_json_path *path, swp_json_op *op)
{
    const swp_json_names names = SWP_JSON_NAMES("sync_objects", reader->schedule->objects,
                                                reader->schedule->object_count, swp_role_object);
    if (!reader->has_roles || !op->object || !op->object[0])
        return;
    const size_t found = swp_json_find_name(&names, op->object);
    op->entry.op.object = (int)found;
    if (found == names.count)
        swp_json_complain_of_name(&reader->json, &(swp_json_path){.up = path, .key = "object"},
                                  &names, op->object);
}

static swp_status check(swp_context *ctx, const swp_schedule *schedule)
{
    SWP_TRY(swp_ir_check_roles(ctx, schedule));
    SWP_TRY(swp_ir_check_role_hardware(ctx, schedule));
    return swp_target_check_roles(ctx, schedule);
}

void swp_json_check_roles(swp_schedule_reader *reader)
{
    const size_t first = reader->json.ctx->diags->count;
    if (!reader->has_roles || reader->json.errors > 0)
        return;
    swp_json_keep(reader, check(reader->json.ctx, reader->schedule));
    swp_json_place_diags(&reader->json, first);
}
