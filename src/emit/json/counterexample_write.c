/* SPDX-License-Identifier: Apache-2.0 */
/* A counterexample as JSON: a line for each event, so that two can be diffed. */
#include "swp/run.h"

#include "base/require.h"
#include "emit/json/parts.h"

static json_t *other_value(const swp_counterexample *c)
{
    if (!c->has_other)
        return json_null();
    return json_pack("{s:s*, s:s, s:i, s:i}", "role", c->other_role, "phase",
                     swp_phase_name(c->other.phase), "entry", c->other.entry, "passes_before",
                     c->passes_before);
}

static json_t *hazard_value(const swp_counterexample *c)
{
    return json_pack("{s:s, s:s*, s:s, s:i, s:o}", "kind", swp_hazard_name(c->kind), "role",
                     c->role, "phase", swp_phase_name(c->at.phase), "entry", c->at.entry, "other",
                     other_value(c));
}

static json_t *event_value(const swp_timing_event *event)
{
    if (event->is_in_cluster && event->issue)
        return json_pack("{s:s, s:i, s:i, s:i, s:i}", "role", event->role, "rank", event->rank,
                         "instance", event->instance, "thread", event->thread, "issue",
                         event->issue);
    if (event->is_in_cluster)
        return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i}", "role", event->role, "rank", event->rank,
                         "instance", event->instance, "thread", event->thread, "effect",
                         event->effect, "to", event->to);
    if (event->role)
        return json_pack("{s:s, s:i, s:i, s:i}", "role", event->role, "instance", event->instance,
                         "thread", event->thread, event->issue ? "issue" : "effect",
                         event->issue ? event->issue : event->effect);
    return json_pack("{s:i, s:i}", "wave", event->wave, event->issue ? "issue" : "effect",
                     event->issue ? event->issue : event->effect);
}

static void put_counterexample(swp_text *text, const swp_counterexample *c)
{
    swp_json_put_key(text, "swp_counterexample");
    swp_json_put_value(text, json_integer(1));
    swp_json_put_key(text, "schedule");
    swp_json_put_value(text, json_string(c->digest));
    swp_json_put_key(text, "n");
    swp_json_put_value(text, json_integer(c->n));
    if (c->tiles) {
        swp_json_put_key(text, "tiles");
        swp_json_put_value(text, swp_json_tiles(c->tiles, c->tile_count));
    }
    swp_json_put_key(text, "waves_per_group");
    swp_json_put_value(text, json_integer(c->waves_per_group));
    swp_json_put_key(text, "seed");
    swp_json_put_value(text, json_integer((json_int_t)c->seed));
    swp_json_put_key(text, "hazard");
    swp_json_put_value(text, hazard_value(c));
    swp_json_put_key(text, "symptom");
    swp_json_put_value(text, json_string(swp_symptom_name(c->symptom)));
    swp_json_put_key(text, "value");
    swp_json_put_value(text, c->has_value ? swp_json_wrong_value(&c->value) : json_null());
    swp_json_put_key(text, "events");
    for (size_t i = 0; i < c->events.count; i++)
        swp_json_put_element(text, i, event_value(&c->events.items[i]));
    swp_json_end_array(text, c->events.count);
    swp_json_put(text, "\n}\n");
}

swp_status swp_counterexample_write(swp_context *ctx, const swp_counterexample *counterexample,
                                    char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && counterexample && text);
    swp_text json = {.ctx = ctx};
    put_counterexample(&json, counterexample);
    return swp_text_end(&json, text, length);
}
