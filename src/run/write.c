/* SPDX-License-Identifier: Apache-2.0 */
/* A counterexample as JSON. */
#include "swp/run.h"

#include "base/require.h"
#include "base/text.h"
#include "run/value_json.h"

static void add_ref(swp_text *text, const swp_entry_ref *ref)
{
    swp_text_format(text, "\"phase\": \"%s\", \"entry\": %d", swp_phase_name(ref->phase),
                    ref->entry);
}

static void add_hazard(swp_text *text, const swp_counterexample *c)
{
    swp_text_format(text, "  \"hazard\": {\"kind\": \"%s\", ", swp_hazard_name(c->kind));
    add_ref(text, &c->at);
    swp_text_format(text, ", \"other\": ");
    if (c->has_other) {
        swp_text_format(text, "{");
        add_ref(text, &c->other);
        swp_text_format(text, ", \"passes_before\": %d}", c->passes_before);
    } else {
        swp_text_format(text, "null");
    }
    swp_text_format(text, "},\n");
}

static void add_value(swp_text *text, const swp_counterexample *c)
{
    const swp_wrong_value *v = &c->value;
    swp_text_format(text, "  \"symptom\": \"%s\",\n  \"value\": ", swp_symptom_name(c->symptom));
    if (c->has_value)
        swp_run_add_value(text, v);
    else
        swp_text_format(text, "null");
    swp_text_format(text, ",\n");
}

static void add_events(swp_text *text, const swp_timing_event_list *events)
{
    swp_text_format(text, "  \"events\": [");
    for (size_t i = 0; i < events->count; i++) {
        const swp_timing_event *event = &events->items[i];
        swp_text_format(text, "%s\n    {\"wave\": %d, \"%s\": %d}", i ? "," : "", event->wave,
                        event->issue ? "issue" : "effect",
                        event->issue ? event->issue : event->effect);
    }
    swp_text_format(text, events->count ? "\n  ]\n}\n" : "]\n}\n");
}

swp_status swp_counterexample_write(swp_context *ctx, const swp_counterexample *counterexample,
                                    char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && counterexample && text);
    swp_text json = {.ctx = ctx, .escape = SWP_ESCAPE_JSON};
    swp_text_format(&json,
                    "{\n  \"swp_counterexample\": 1,\n  \"schedule\": \"%s\",\n  \"n\": %d,\n"
                    "  \"waves_per_group\": %d,\n  \"seed\": %llu,\n",
                    counterexample->digest, counterexample->n, counterexample->waves_per_group,
                    (unsigned long long)counterexample->seed);
    add_hazard(&json, counterexample);
    add_value(&json, counterexample);
    add_events(&json, &counterexample->events);
    return swp_text_end(&json, text, length);
}
