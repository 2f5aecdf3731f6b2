/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of a simulation: a line for each unit and each stall. */
#include "swp/report.h"

#include "base/require.h"
#include "emit/json/parts.h"

json_t *swp_json_unit(const swp_simulation *simulation, size_t index)
{
    const swp_unit_load *unit = &simulation->units[index];
    return json_pack("{s:s, s:I, s:f}", "unit", unit->name, "busy_cycles", (json_int_t)unit->busy,
                     "percent", swp_unit_percent(simulation, unit));
}

static json_t *other_value(const swp_stall *stall)
{
    if (!stall->has_other)
        return json_null();
    json_t *entry = stall->other.entry < 0 ? json_null() : json_integer(stall->other.entry);
    return json_pack("{s:s, s:o, s:i, s:i}", "phase", swp_phase_name(stall->other.phase), "entry",
                     entry, "passes_before", stall->passes_before, "group", stall->other_group);
}

static json_t *stall_value(const swp_schedule *schedule, const swp_stall *stall)
{
    const int tag = swp_schedule_phase(schedule, SWP_KERNEL)->items[stall->entry].op.tag;
    return json_pack("{s:i, s:s, s:i, s:s, s:I, s:o}", "entry", stall->entry, "name",
                     swp_schedule_op_name(schedule, tag), "group", stall->group, "cause",
                     swp_stall_name(stall->cause), "cycles", (json_int_t)stall->cycles, "other",
                     other_value(stall));
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
    put_number(text, "prologue_cycles", simulation->prologue_cycles);
    put_number(text, "epilogue_cycles", simulation->epilogue_cycles);
    swp_json_put_key(text, "units");
    for (size_t i = 0; i < simulation->unit_count; i++)
        swp_json_put_element(text, i, swp_json_unit(simulation, i));
    swp_json_end_array(text, simulation->unit_count);
    swp_json_put_key(text, "stalls");
    for (size_t i = 0; i < simulation->stalls.count; i++)
        swp_json_put_element(text, i, stall_value(schedule, &simulation->stalls.items[i]));
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
