/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of a comparison: a line for each setting and each row, so that it can be searched. */
#include "swp/diff.h"

#include "base/require.h"
#include "emit/json/loop.h"
#include "emit/json/parts.h"
#include "ir/roles.h"
#include "ir/schedule.h"

static json_t *entry_value(int entry)
{
    return entry < 0 ? json_null() : json_integer(entry);
}

static json_t *hazard_value(const void *hazards, size_t index)
{
    const swp_diff_hazard *hazard = &((const swp_diff_hazard_list *)hazards)->items[index];
    json_t *value =
        json_pack("{s:s, s:s, s:o, s:o, s:s, s:i}", "kind", swp_hazard_name(hazard->kind), "phase",
                  swp_phase_name(hazard->phase), "a", entry_value(hazard->a), "b",
                  entry_value(hazard->b), "name", hazard->name, "smallest_n", hazard->smallest_n);
    if (!value || !hazard->role || !json_object_set_new(value, "role", json_string(hazard->role)))
        return value;
    json_decref(value);
    return NULL;
}

static json_t *list_of(const swp_diff_hazard_list *hazards)
{
    return swp_json_list(hazards->count, hazard_value, hazards);
}

static json_t *unit_value(const void *simulation, size_t index)
{
    return swp_json_unit(simulation, index);
}

static json_t *bool_or_null(bool known, bool value)
{
    return known ? json_boolean(value) : json_null();
}

static json_t *figure_or_null(bool known, int64_t figure)
{
    return known ? json_integer(figure) : json_null();
}

/* What the instances of warp roles execute in a pass. NULL: memory ran out. */
static json_t *with_role_sync(json_t *value, const swp_schedule *schedule)
{
    const swp_role_counts counts = swp_count_role_sync(schedule);
    if (!value || !swp_ir_role_name(schedule, 0) ||
        !json_object_set_new(value, "role_sync",
                             json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "mbarriers",
                                       counts.mbarriers, "named_barriers", counts.named_barriers,
                                       "waits", counts.waits, "arrivals", counts.arrivals,
                                       "group_waits", counts.group_waits, "fences", counts.fences)))
        return value;
    json_decref(value);
    return NULL;
}

/* clang-format off */
static json_t *effect_value(const swp_diff_effect *effect)
{
    if (!effect)
        return json_null();
    const bool simulated = effect->simulated;
    return json_pack("{s:o, s:o, s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:o}",
                     "was_safe", bool_or_null(effect->judged, effect->was_safe),
                     "safe", bool_or_null(effect->judged, effect->is_safe),
                     "hazards", list_of(&effect->hazards),
                     "gone", list_of(&effect->gone),
                     "barriers", effect->barriers,
                     "waits", effect->waits,
                     "cycles_per_pass", simulated ? json_real(effect->cycles_per_pass) : json_null(),
                     "cycles_per_tile", simulated ? json_real(effect->cycles_per_tile) : json_null(),
                     "prologue_cycles", figure_or_null(simulated, effect->prologue_cycles),
                     "epilogue_cycles", figure_or_null(simulated, effect->epilogue_cycles));
}

static json_t *setting_value(const swp_diff_setting *setting)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:o}",
                     "path", setting->path,
                     "a", setting->a,
                     "b", setting->b,
                     "with", effect_value(setting->with),
                     "without", effect_value(setting->without));
}

static json_t *row_value(const swp_diff *diff, const swp_diff_role *role, swp_phase phase,
                         const swp_diff_row *row)
{
    const bool of_a = row->a >= 0;
    const swp_schedule *schedule = of_a ? diff->a.schedule : diff->b.schedule;
    const swp_stream *stream = &schedule->streams[of_a ? role->a : role->b];
    const swp_entry *entry = &swp_stream_phase(stream, phase)->items[of_a ? row->a : row->b];
    return json_pack("{s:s, s:o, s:o, s:s, s:o, s:o}",
                     "difference", swp_difference_name(row->difference),
                     "a", entry_value(row->a),
                     "b", entry_value(row->b),
                     "name", swp_schedule_op_name(schedule, entry->op.tag),
                     "with", effect_value(row->with),
                     "without", effect_value(row->without));
}

static json_t *side_value(const swp_diff_side *side)
{
    const swp_schedule *schedule = side->schedule;
    const swp_simulation *simulation = &side->simulation;
    const swp_sync_counts counts = swp_count_sync(swp_schedule_phase(schedule, SWP_KERNEL));
    const bool judged = !side->unjudged;
    const bool simulated = !side->unsimulated;
    const double cycles = simulated ? (double)simulation->cycles / simulation->passes : 0;
    const size_t units = simulated ? simulation->unit_count : 0;
    const swp_metrics *metrics = &schedule->metrics;
    json_t *value = json_pack("{s:s, s:s, s:o, s:s?, s:o, s:i, s:i, s:i, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "name", schedule->name,
                     "target", schedule->target,
                     "safe", bool_or_null(judged, side->hazards.count == 0),
                     "unjudged", side->unjudged,
                     "hazards", list_of(&side->hazards),
                     "barriers_per_pass", counts.barriers,
                     "waits_per_pass", counts.vm_waits + counts.lgkm_waits,
                     "tiles_per_pass", schedule->loop.tiles_per_pass,
                     "unsimulated", side->unsimulated,
                     "cycles_per_pass", simulated ? json_real(cycles) : json_null(),
                     "prologue_cycles", figure_or_null(simulated, simulation->prologue_cycles),
                     "epilogue_cycles", figure_or_null(simulated, simulation->epilogue_cycles),
                     "units", swp_json_list(units, unit_value, simulation),
                     "makespan", figure_or_null(metrics->makespan >= 0, metrics->makespan),
                     "vgpr_peak", figure_or_null(metrics->vgpr_peak >= 0, metrics->vgpr_peak),
                     "pipeline", schedule->pipeline ? swp_json_pipeline(schedule->pipeline)
                                                    : json_null());
    return with_role_sync(value, schedule);
}
/* clang-format on */

static json_t *form_value(const void *of, size_t index)
{
    const swp_diff *diff = of;
    const swp_diff_form *form = &diff->forms.items[index];
    char name[SWP_LIST_NAME_SIZE];
    return json_pack("{s:s, s:I}", "list",
                     swp_ir_list_name(diff->a.schedule, form->form, SWP_EPILOGUE, name),
                     "differences", (json_int_t)form->differences);
}

static void put(swp_text *text, const char *key, json_t *value)
{
    swp_json_put_key(text, key);
    swp_json_put_value(text, value);
}

static void put_phase(swp_text *text, const swp_diff *diff, swp_phase phase)
{
    const swp_diff_role *role = &diff->roles[0];
    const swp_diff_phase *rows = &role->phases[phase];
    swp_json_put_key(text, swp_phase_name(phase));
    for (size_t i = 0; i < rows->count; i++)
        swp_json_put_element(text, i, row_value(diff, role, phase, &rows->items[i]));
    swp_json_end_array(text, rows->count);
}

static json_t *phase_effects(const swp_diff_phase *phase)
{
    return json_pack("{s:I, s:o, s:o}", "differences", (json_int_t)phase->differences, "with",
                     effect_value(phase->with), "without", effect_value(phase->without));
}

static void put_phases(swp_text *text, const swp_diff *diff)
{
    swp_json_put_key(text, "phases");
    swp_json_put(text, "{");
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        swp_json_put(text, phase == SWP_PROLOGUE ? "\n    " : ",\n    ");
        swp_json_put_value(text, json_string(swp_phase_name(phase)));
        swp_json_put(text, ": ");
        swp_json_put_value(text, phase_effects(&diff->roles[0].phases[phase]));
    }
    swp_json_put(text, "\n  }");
}

/* A row of a phase of a role. */
typedef struct row_view {
    const swp_diff *diff;
    const swp_diff_role *role;
    swp_phase phase;
} row_view;

static json_t *row_at(const void *of, size_t index)
{
    const row_view *v = of;
    return row_value(v->diff, v->role, v->phase, &v->role->phases[v->phase].items[index]);
}

static json_t *phase_value(const swp_diff *diff, const swp_diff_role *role, swp_phase phase)
{
    const row_view v = {diff, role, phase};
    json_t *value = phase_effects(&role->phases[phase]);
    if (value &&
        !json_object_set_new(value, "rows", swp_json_list(role->phases[phase].count, row_at, &v)))
        return value;
    json_decref(value);
    return NULL;
}

/* With warp roles the phases of each. */
static json_t *role_value(const swp_diff *diff, const swp_diff_role *role)
{
    const bool has_tiles = diff->a.schedule->output_tiles || diff->b.schedule->output_tiles;
    json_t *value = json_pack("{s:s?}", "role", role->name);
    for (swp_phase phase = SWP_PROLOGUE; value && phase <= (has_tiles ? SWP_DRAIN : SWP_EPILOGUE);
         phase++)
        if (json_object_set_new(value, swp_phase_name(phase), phase_value(diff, role, phase))) {
            json_decref(value);
            value = NULL;
        }
    return value;
}

static void put_roles(swp_text *text, const swp_diff *diff)
{
    swp_json_put_key(text, "roles");
    for (size_t i = 0; i < diff->role_count; i++)
        swp_json_put_element(text, i, role_value(diff, &diff->roles[i]));
    swp_json_end_array(text, diff->role_count);
}

static void put_diff(swp_text *text, const swp_diff *diff)
{
    put(text, "swp", json_integer(1));
    put(text, "alike", json_boolean(diff->alike));
    put(text, "little_in_common", json_boolean(diff->little_in_common));
    put(text, "stopped", json_boolean(diff->stopped));
    put(text, "a", side_value(&diff->a));
    put(text, "b", side_value(&diff->b));
    put(text, "effect", effect_value(&diff->effect));
    swp_json_put_key(text, "settings");
    for (size_t i = 0; i < diff->settings.count; i++)
        swp_json_put_element(text, i, setting_value(&diff->settings.items[i]));
    swp_json_end_array(text, diff->settings.count);
    const bool has_roles = diff->role_count > 1 || diff->roles[0].name;
    if (!has_roles)
        put_phases(text, diff);
    put(text, "forms", swp_json_list(diff->forms.count, form_value, diff));
    if (has_roles)
        put_roles(text, diff);
    for (swp_phase phase = SWP_PROLOGUE; !has_roles && phase <= SWP_EPILOGUE; phase++)
        put_phase(text, diff, phase);
    swp_json_put(text, "\n}\n");
}

swp_status swp_diff_json(swp_context *ctx, const swp_diff *diff, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && diff && text);
    swp_text sheet = {.ctx = ctx};
    SWP_TRY(swp_json_check_names(ctx, diff->a.schedule));
    SWP_TRY(swp_json_check_names(ctx, diff->b.schedule));
    put_diff(&sheet, diff);
    return swp_text_end(&sheet, text, length);
}
