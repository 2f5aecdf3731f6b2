/* SPDX-License-Identifier: Apache-2.0 */
/* What runs came to, as JSON. */
#include "swp/run.h"

#include "base/require.h"
#include "base/text.h"
#include "run/value_json.h"

static void add_instance(swp_text *text, const swp_instance *at)
{
    swp_text_format(text, "{\"wave\": %d, \"phase\": \"%s\", \"entry\": ", at->wave,
                    swp_phase_name(at->phase));
    if (at->entry < 0)
        swp_text_format(text, "null");
    else
        swp_text_format(text, "%d", at->entry);
    swp_text_format(text, ", \"pass\": %d}", at->pass);
}

static void add_values(swp_text *text, const swp_wrong_value_list *values)
{
    swp_text_format(text, "\"values\": [");
    for (size_t i = 0; i < values->count; i++) {
        swp_text_format(text, i ? ", " : "");
        swp_run_add_value(text, &values->items[i]);
    }
    swp_text_format(text, "]");
}

static void add_tile(swp_text *text, const char *key, int tile)
{
    if (tile < 0)
        swp_text_format(text, ", \"%s\": null", key);
    else
        swp_text_format(text, ", \"%s\": %d", key, tile);
}

/* Of a dataflow tiles before the loop are negative. */
static void add_tiles(swp_text *text, const swp_wrong_operand *o)
{
    if (o->value < 0) {
        add_tile(text, "wanted", o->wanted);
        add_tile(text, "found", o->found);
        return;
    }
    swp_text_format(text, ", \"value\": %d, \"slot\": %d, \"wanted\": %d, \"found\": %d", o->value,
                    o->slot, o->wanted, o->found);
}

static void add_operands(swp_text *text, const swp_wrong_operand_list *operands)
{
    swp_text_format(text, "\"operands\": [");
    for (size_t i = 0; i < operands->count; i++) {
        const swp_wrong_operand *o = &operands->items[i];
        swp_text_format(text, "%s{\"reader\": ", i ? ", " : "");
        add_instance(text, &o->reader);
        swp_text_format(text, ", \"other\": ");
        if (o->has_other)
            add_instance(text, &o->other);
        else
            swp_text_format(text, "null");
        swp_text_format(text, ", \"too_late\": %s, \"share_of_wave\": %d",
                        o->too_late ? "true" : "false", o->wave);
        add_tiles(text, o);
        swp_text_format(text, "}");
    }
    swp_text_format(text, "]");
}

static void add_outside(swp_text *text, const swp_tile_outside_list *outside)
{
    swp_text_format(text, "\"outside\": [");
    for (size_t i = 0; i < outside->count; i++) {
        swp_text_format(text, "%s{\"tile\": %d, \"at\": ", i ? ", " : "", outside->items[i].tile);
        add_instance(text, &outside->items[i].at);
        swp_text_format(text, "}");
    }
    swp_text_format(text, "]");
}

static void add_instances(swp_text *text, const char *key, const swp_instance_list *list)
{
    swp_text_format(text, "\"%s\": [", key);
    for (size_t i = 0; i < list->count; i++) {
        swp_text_format(text, i ? ", " : "");
        add_instance(text, &list->items[i]);
    }
    swp_text_format(text, "]");
}

static void add_outcome(swp_text *text, const swp_run_outcome *outcome)
{
    swp_text_format(text, "{\"n\": %d, \"waves\": %d, \"symptom\": \"%s\",\n    ", outcome->n,
                    outcome->waves, swp_symptom_name(outcome->symptom));
    add_values(text, &outcome->values);
    swp_text_format(text, ",\n    ");
    add_operands(text, &outcome->operands);
    swp_text_format(text, ",\n    ");
    add_outside(text, &outcome->outside);
    swp_text_format(text, ",\n    ");
    add_instances(text, "stuck", &outcome->stuck);
    swp_text_format(text, ",\n    ");
    add_instances(text, "passed", &outcome->passed);
    swp_text_format(text, ",\n    ");
    add_instances(text, "unready", &outcome->unready);
    swp_text_format(text, "}");
}

swp_status swp_run_outcome_json(swp_context *ctx, const swp_run_outcome *outcome, char **text,
                                size_t *length)
{
    SWP_REQUIRE(ctx, ctx && outcome && text);
    swp_text json = {.ctx = ctx, .escape = SWP_ESCAPE_JSON};
    swp_text_format(&json, "{\n  \"swp\": 1,\n  \"right\": %s,\n  \"run\": ",
                    outcome->symptom == SWP_NO_SYMPTOM ? "true" : "false");
    add_outcome(&json, outcome);
    swp_text_format(&json, "\n}\n");
    return swp_text_end(&json, text, length);
}

swp_status swp_run_summary_json(swp_context *ctx, const swp_run_summary *summary, char **text,
                                size_t *length)
{
    SWP_REQUIRE(ctx, ctx && summary && text);
    swp_text json = {.ctx = ctx, .escape = SWP_ESCAPE_JSON};
    swp_text_format(&json,
                    "{\n  \"swp\": 1,\n  \"right\": %s,\n  \"timing\": \"%s\",\n"
                    "  \"runs\": %ld,\n  \"wrong\": %ld,\n  \"stopped\": %s,\n  \"sizes\": [",
                    summary->wrong ? "false" : "true", swp_timing_name(summary->timing),
                    summary->runs, summary->wrong, summary->stopped ? "true" : "false");
    for (size_t i = 0; i < summary->tallies.count; i++) {
        const swp_run_tally *tally = &summary->tallies.items[i];
        swp_text_format(&json, "%s\n    {\"n\": %d, \"runs\": %d, \"wrong\": %d}", i ? "," : "",
                        tally->n, tally->runs, tally->wrong);
    }
    swp_text_format(&json, "\n  ],\n  \"first\": ");
    if (summary->wrong) {
        swp_text_format(&json, "{\"seed\": %llu, \"timing\": \"%s\", \"run\": ",
                        (unsigned long long)summary->first_seed,
                        swp_timing_name(summary->first.timing));
        add_outcome(&json, &summary->first);
        swp_text_format(&json, "}");
    } else {
        swp_text_format(&json, "null");
    }
    swp_text_format(&json, "\n}\n");
    return swp_text_end(&json, text, length);
}
