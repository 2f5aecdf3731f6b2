/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of a simulation: a line for each unit and each stall. */
#include "swp/report.h"

#include "base/require.h"
#include "emit/json/parts.h"
#include "ir/loop_resident.h"

json_t *swp_json_unit(const swp_simulation *simulation, size_t index)
{
    const swp_unit_load *unit = &simulation->units[index];
    return json_pack("{s:s, s:I, s:f}", "unit", unit->name, "busy_cycles", (json_int_t)unit->busy,
                     "percent", swp_unit_percent(simulation, unit));
}

/* What the numbers of a report are of. */
typedef struct view {
    const swp_schedule *schedule;
    const swp_simulation *simulation;
    const swp_group_load *group;
} view;

/* What a simulation says of a group beside its number; those of one stream need not be listed. */
static const swp_group_load *group_at(const swp_simulation *simulation, int number)
{
    static const swp_group_load unlisted = {0};
    return (size_t)number < simulation->group_count ? &simulation->groups[number] : &unlisted;
}

/* A group by its number, an instance of a warp role by its name and number. NULL: memory ran out. */
static json_t *with_group(json_t *object, const view *v, int number)
{
    const swp_group_load *group = group_at(v->simulation, number);
    if (object &&
        (!group->role || !json_object_set_new(object, "role", json_string(group->role))) &&
        !json_object_set_new(object, group->role ? "instance" : "group",
                             json_integer(group->role ? group->instance : number)))
        return object;
    json_decref(object);
    return NULL;
}

static json_t *other_value(const view *v, const swp_stall *stall)
{
    if (!stall->has_other)
        return json_null();
    json_t *entry = stall->other.entry < 0 ? json_null() : json_integer(stall->other.entry);
    return with_group(json_pack("{s:s, s:o, s:i}", "phase", swp_phase_name(stall->other.phase),
                                "entry", entry, "passes_before", stall->passes_before),
                      v, stall->other_group);
}

/* What follows the place of a stall. */
static json_t *loss_value(const view *v, const swp_stall *stall)
{
    json_t *loss = json_pack("{s:s, s:I, s:o}", "cause", swp_stall_name(stall->cause), "cycles",
                             (json_int_t)stall->cycles, "other", other_value(v, stall));
    if (!loss || !group_at(v->simulation, stall->group)->role ||
        !json_object_set_new(loss, "object",
                             stall->object ? json_string(stall->object) : json_null()))
        return loss;
    json_decref(loss);
    return NULL;
}

static json_t *stall_value(const view *v, const swp_stall *stall)
{
    const int stream = group_at(v->simulation, stall->group)->stream;
    const int tag = v->schedule->streams[stream].kernel.items[stall->entry].op.tag;
    json_t *value = with_group(json_pack("{s:i, s:s}", "entry", stall->entry, "name",
                                         swp_schedule_op_name(v->schedule, tag)),
                               v, stall->group);
    json_t *loss = loss_value(v, stall);
    if (value && loss && json_object_update(value, loss) == 0) {
        json_decref(loss);
        return value;
    }
    json_decref(value);
    json_decref(loss);
    return NULL;
}

static json_t *busy_value(const void *of, size_t unit)
{
    const view *v = of;
    return json_pack("{s:s, s:I}", "unit", v->simulation->units[unit].name, "busy_cycles",
                     (json_int_t)v->group->busy[unit]);
}

/* When it issues an entry; those that another instance executes alone are null. */
static json_t *issue_value(const void *of, size_t entry)
{
    const int64_t cycle = ((const view *)of)->group->issues[entry];
    return cycle == SWP_NOT_ISSUED ? json_null() : json_integer((json_int_t)cycle);
}

static json_t *instance_value(const view *v)
{
    const size_t entries =
        v->group->issues ? v->schedule->streams[v->group->stream].kernel.count : 0;
    return json_pack("{s:s, s:i, s:I, s:o, s:o}", "role", v->group->role, "instance",
                     v->group->instance, "held_cycles", (json_int_t)v->group->held, "units",
                     swp_json_list(v->simulation->unit_count, busy_value, v), "issues",
                     swp_json_list(entries, issue_value, v));
}

static void put_instances(swp_text *text, const swp_schedule *schedule,
                          const swp_simulation *simulation)
{
    swp_json_put_key(text, "instances");
    for (size_t i = 0; i < simulation->group_count; i++) {
        const view v = {schedule, simulation, &simulation->groups[i]};
        swp_json_put_element(text, i, instance_value(&v));
    }
    swp_json_end_array(text, simulation->group_count);
}

static void put_number(swp_text *text, const char *key, int64_t number)
{
    swp_json_put_key(text, key);
    swp_json_put_value(text, json_integer(number));
}

static void put_simulation(swp_text *text, const swp_schedule *schedule,
                           const swp_simulation *simulation)
{
    put_number(text, "swp", 1);
    put_number(text, "cycles", simulation->cycles);
    put_number(text, "passes", simulation->passes);
    swp_json_put_key(text, "cycles_per_pass");
    swp_json_put_value(text, json_real((double)simulation->cycles / simulation->passes));
    if (schedule->dataflow && swp_ir_loop_resident(schedule->dataflow->loop) > 1)
        put_number(text, "resident_work_groups", swp_ir_loop_resident(schedule->dataflow->loop));
    put_number(text, "prologue_cycles", simulation->prologue_cycles);
    put_number(text, "epilogue_cycles", simulation->epilogue_cycles);
    if (simulation->tiles > 0) {
        swp_json_put_key(text, "output_tiles");
        swp_json_put_value(text, json_pack("{s:I, s:i, s:i}", "cycles",
                                           (json_int_t)simulation->tile_cycles, "tiles",
                                           simulation->tiles, "passes", simulation->tile_passes));
    }
    swp_json_put_key(text, "units");
    for (size_t i = 0; i < simulation->unit_count; i++)
        swp_json_put_element(text, i, swp_json_unit(simulation, i));
    swp_json_end_array(text, simulation->unit_count);
    if (group_at(simulation, 0)->role)
        put_instances(text, schedule, simulation);
    swp_json_put_key(text, "stalls");
    const view all = {schedule, simulation, NULL};
    for (size_t i = 0; i < simulation->stalls.count; i++)
        swp_json_put_element(text, i, stall_value(&all, &simulation->stalls.items[i]));
    swp_json_end_array(text, simulation->stalls.count);
    swp_json_put(text, "\n}\n");
}

swp_status swp_simulation_json(swp_context *ctx, const swp_schedule *schedule,
                               const swp_simulation *simulation, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && simulation && text);
    swp_text sheet = {.ctx = ctx};
    SWP_TRY(swp_json_check_names(ctx, schedule));
    put_simulation(&sheet, schedule, simulation);
    return swp_text_end(&sheet, text, length);
}
