/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of a verdict: a line for each hazard, so that two verdicts can be diffed. */
#include "swp/report.h"

#include "base/require.h"
#include "emit/json/parts.h"
#include "ir/entry.h"
#include "ir/schedule.h"

/* A value of NULL is memory that ran out, and makes the object NULL too. */
static json_t *place_value(const swp_hazard *hazard)
{
    if (hazard->value)
        return json_pack("{s:s, s:i}", "value", hazard->value, "slot", hazard->slot);
    switch (hazard->site) {
    case SWP_SITE_LDS:
        return json_pack("{s:i, s:i, s:i}", "channel", hazard->channel, "stage", hazard->stage,
                         "subtile", hazard->subtile);
    case SWP_SITE_REGISTER:
        return json_pack("{s:i, s:i}", "channel", hazard->channel, "subtile", hazard->subtile);
    case SWP_SITE_ACCUMULATOR:
        return json_pack("{s:i, s:i}", "row", hazard->stage, "column", hazard->subtile);
    case SWP_SITE_NONE:
        break;
    }
    return json_null();
}

/* Which of the epilogues and straight lists an entry stands in tells the number of iterations. */
static const char *list_of(const swp_schedule *schedule, const swp_hazard *hazard, int tile,
                           swp_phase phase, char name[SWP_LIST_NAME_SIZE])
{
    int n = hazard->smallest_n;
    if (hazard->tiles)
        n = tile < hazard->tile_count ? hazard->tiles[tile] : 0;
    return swp_ir_list_name(schedule, swp_ir_form_at(schedule, phase, n), phase, name);
}

static json_t *other_value(const swp_schedule *schedule, const swp_hazard *hazard)
{
    char list[SWP_LIST_NAME_SIZE];
    if (!hazard->has_other)
        return json_null();
    (void)list_of(schedule, hazard, hazard->other_tile, hazard->other.phase, list);
    if (hazard->tiles)
        return json_pack("{s:s, s:i, s:i, s:s, s:s, s:i, s:i}", "role", hazard->other_role,
                         "instance", hazard->other_instance, "tile", hazard->other_tile, "phase",
                         swp_phase_name(hazard->other.phase), "list", list, "entry",
                         hazard->other.entry, "passes_before", hazard->passes_before);
    if (hazard->role)
        return json_pack("{s:s, s:i, s:s, s:s, s:i, s:i}", "role", hazard->other_role, "instance",
                         hazard->other_instance, "phase", swp_phase_name(hazard->other.phase),
                         "list", list, "entry", hazard->other.entry, "passes_before",
                         hazard->passes_before);
    return json_pack("{s:s, s:s, s:i, s:i}", "phase", swp_phase_name(hazard->other.phase), "list",
                     list, "entry", hazard->other.entry, "passes_before", hazard->passes_before);
}

static json_t *text_value(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *phase_value(const swp_hazard *hazard)
{
    return hazard->has_phase ? json_integer(hazard->mbarrier_phase) : json_null();
}

static json_t *slack_value(const swp_hazard *hazard)
{
    return hazard->has_slack ? json_integer(hazard->slack_cycles) : json_null();
}

/* The sequence of output tiles, and which of them it is in. False: memory ran out. */
static bool add_tiles(json_t *object, const swp_hazard *hazard)
{
    return !hazard->tiles ||
           (!json_object_set_new(object, "tiles",
                                 swp_json_tiles(hazard->tiles, hazard->tile_count)) &&
            !json_object_set_new(object, "tile", json_integer(hazard->tile)));
}

/* In a cluster: the rank of whose instance it is. False: memory ran out. */
static bool add_rank(json_t *object, const swp_hazard *hazard)
{
    json_t *other = json_object_get(object, "other");
    return !hazard->is_in_cluster ||
           (!json_object_set_new(object, "rank", json_integer(hazard->rank)) &&
            (!hazard->has_other ||
             !json_object_set_new(other, "rank", json_integer(hazard->other_rank))));
}

/* What a schedule with warp roles has besides. False: memory ran out. */
static bool add_role(json_t *object, const swp_hazard *hazard)
{
    return !hazard->role ||
           (!json_object_set_new(object, "role", json_string(hazard->role)) &&
            !json_object_set_new(object, "instance", json_integer(hazard->instance)) &&
            !json_object_set_new(object, "object", text_value(hazard->object)) &&
            !json_object_set_new(object, "mbarrier_phase", phase_value(hazard)));
}

/* clang-format off */
static json_t *common_value(const swp_schedule *schedule, const swp_hazard *hazard)
{
    char list[SWP_LIST_NAME_SIZE];
    return json_pack("{s:s, s:s, s:s, s:i, s:s, s:o, s:o, s:i, s:b, s:o, s:s, s:s}",
                     "kind", swp_hazard_name(hazard->kind),
                     "phase", swp_phase_name(hazard->at.phase),
                     "list", list_of(schedule, hazard, hazard->tile, hazard->at.phase, list),
                     "entry", hazard->at.entry,
                     "name", hazard->name,
                     "place", place_value(hazard),
                     "other", other_value(schedule, hazard),
                     "smallest_n", hazard->smallest_n,
                     "accepted", (int)hazard->accepted,
                     "slack_cycles", slack_value(hazard),
                     "hint", hazard->hint,
                     "detail", hazard->detail);
}
/* clang-format on */

json_t *swp_json_hazard(const swp_schedule *schedule, const swp_hazard *hazard)
{
    json_t *object = common_value(schedule, hazard);
    if (object && add_role(object, hazard) && add_rank(object, hazard) && add_tiles(object, hazard))
        return object;
    json_decref(object);
    return NULL;
}

static void put_verdict(swp_text *text, const swp_schedule *schedule, const swp_verdict *verdict)
{
    swp_json_put_key(text, "swp");
    swp_json_put_value(text, json_integer(1));
    swp_json_put_key(text, "safe");
    swp_json_put_value(text, json_boolean(verdict->safe));
    swp_json_put_key(text, "accepted");
    swp_json_put_value(text, json_integer(verdict->accepted));
    swp_json_put_key(text, "passes_explored");
    swp_json_put_value(text, json_integer(verdict->passes_explored));
    swp_json_put_key(text, "hazards");
    for (size_t i = 0; i < verdict->hazards.count; i++)
        swp_json_put_element(text, i, swp_json_hazard(schedule, &verdict->hazards.items[i]));
    swp_json_end_array(text, verdict->hazards.count);
    swp_json_put(text, "\n}\n");
}

swp_status swp_verdict_json(swp_context *ctx, const swp_schedule *schedule,
                            const swp_verdict *verdict, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && verdict && text);
    swp_text sheet = {.ctx = ctx};
    SWP_TRY(swp_json_check_names(ctx, schedule));
    put_verdict(&sheet, schedule, verdict);
    return swp_text_end(&sheet, text, length);
}
