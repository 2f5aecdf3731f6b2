/* SPDX-License-Identifier: Apache-2.0 */
/* What runs came to, as JSON: a line for each size, and for each kind of finding of a run. */
#include "swp/run.h"

#include "base/require.h"
#include "emit/json/parts.h"

static json_t *entry_value(const swp_instance *at)
{
    return at->entry < 0 ? json_null() : json_integer(at->entry);
}

static json_t *instance_value(const swp_instance *at)
{
    if (at->is_in_cluster)
        return json_pack("{s:s, s:i, s:i, s:i, s:s, s:o, s:i, s:i}", "role", at->role, "rank",
                         at->rank, "instance", at->instance, "thread", at->thread, "phase",
                         swp_phase_name(at->phase), "entry", entry_value(at), "pass", at->pass,
                         "tile", at->tile);
    if (at->role)
        return json_pack("{s:s, s:i, s:i, s:s, s:o, s:i, s:i}", "role", at->role, "instance",
                         at->instance, "thread", at->thread, "phase", swp_phase_name(at->phase),
                         "entry", entry_value(at), "pass", at->pass, "tile", at->tile);
    return json_pack("{s:i, s:s, s:o, s:i}", "wave", at->wave, "phase", swp_phase_name(at->phase),
                     "entry", entry_value(at), "pass", at->pass);
}

json_t *swp_json_wrong_value(const swp_wrong_value *v)
{
    const json_int_t got = v->got;
    const json_int_t expected = v->expected;
    if (v->is_in_cluster)
        return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:I, s:I}", "role", v->role, "rank",
                         v->rank, "instance", v->instance, "thread", v->thread, "op", v->op,
                         "iteration", v->iteration, "got", got, "expected", expected);
    if (v->role)
        return json_pack("{s:s, s:i, s:i, s:i, s:i, s:I, s:I}", "role", v->role, "instance",
                         v->instance, "thread", v->thread, "op", v->op, "iteration", v->iteration,
                         "got", got, "expected", expected);
    if (v->kind == SWP_WRONG_RESULT)
        return json_pack("{s:i, s:i, s:i, s:I, s:I}", "wave", v->wave, "op", v->op, "iteration",
                         v->iteration, "got", got, "expected", expected);
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:I, s:I}", "wave", v->wave, "row", v->row,
                     "column", v->column, "i", v->i, "j", v->j, "got", got, "expected", expected);
}

static json_t *value_element(const void *of, size_t index)
{
    return swp_json_wrong_value(&((const swp_wrong_value_list *)of)->items[index]);
}

static json_t *tile_value(int tile)
{
    return tile < 0 ? json_null() : json_integer(tile);
}

/* Of a dataflow tiles before the loop are negative. */
static json_t *tiles_value(const swp_wrong_operand *o)
{
    if (o->value < 0)
        return json_pack("{s:o, s:o}", "wanted", tile_value(o->wanted), "found",
                         tile_value(o->found));
    return json_pack("{s:i, s:i, s:i, s:i}", "value", o->value, "slot", o->slot, "wanted",
                     o->wanted, "found", o->found);
}

static json_t *operand_element(const void *of, size_t index)
{
    const swp_wrong_operand *o = &((const swp_wrong_operand_list *)of)->items[index];
    json_t *operand = json_pack("{s:o, s:o, s:b, s:i}", "reader", instance_value(&o->reader),
                                "other", o->has_other ? instance_value(&o->other) : json_null(),
                                "too_late", (int)o->too_late, "share_of_wave", o->wave);
    json_t *tiles = tiles_value(o);
    const bool whole = operand && tiles && json_object_update(operand, tiles) == 0;
    json_decref(tiles);
    if (whole)
        return operand;
    json_decref(operand);
    return NULL;
}

static json_t *outside_element(const void *of, size_t index)
{
    const swp_tile_outside *outside = &((const swp_tile_outside_list *)of)->items[index];
    return json_pack("{s:i, s:o}", "tile", outside->tile, "at", instance_value(&outside->at));
}

static json_t *instance_element(const void *of, size_t index)
{
    return instance_value(&((const swp_instance_list *)of)->items[index]);
}

static json_t *broken_element(const void *of, size_t index)
{
    const swp_broken_rule *broken = &((const swp_broken_rule_list *)of)->items[index];
    return json_pack("{s:s, s:o, s:o, s:s?, s:i, s:i}", "rule", swp_symptom_name(broken->rule),
                     "at", instance_value(&broken->at), "other",
                     broken->has_other ? instance_value(&broken->other) : json_null(), "object",
                     broken->object, "slot", broken->slot, "mbarrier_phase", broken->phase);
}

static json_t *instances_value(const swp_instance_list *list)
{
    return swp_json_list(list->count, instance_element, list);
}

/* A member of an object that has more than one line. */
static void put_member(swp_text *text, const char *before, const char *key, json_t *value)
{
    swp_json_put(text, before);
    swp_json_put_value(text, json_string(key));
    swp_json_put(text, ": ");
    swp_json_put_value(text, value);
}

static void put_outcome(swp_text *text, const swp_run_outcome *outcome)
{
    static const char line[] = ",\n    ";
    put_member(text, "{", "n", json_integer(outcome->n));
    if (outcome->tiles)
        put_member(text, ", ", "tiles", swp_json_tiles(outcome->tiles, outcome->tile_count));
    put_member(text, ", ", outcome->has_roles ? "instances" : "waves",
               json_integer(outcome->waves));
    put_member(text, ", ", "symptom", json_string(swp_symptom_name(outcome->symptom)));
    put_member(text, line, "values",
               swp_json_list(outcome->values.count, value_element, &outcome->values));
    put_member(text, line, "operands",
               swp_json_list(outcome->operands.count, operand_element, &outcome->operands));
    put_member(text, line, "outside",
               swp_json_list(outcome->outside.count, outside_element, &outcome->outside));
    put_member(text, line, "stuck", instances_value(&outcome->stuck));
    put_member(text, line, "passed", instances_value(&outcome->passed));
    put_member(text, line, "unready", instances_value(&outcome->unready));
    if (outcome->has_roles)
        put_member(text, line, "broken",
                   swp_json_list(outcome->broken.count, broken_element, &outcome->broken));
    swp_json_put(text, "}");
}

static void put_start(swp_text *text, bool right)
{
    swp_json_put_key(text, "swp");
    swp_json_put_value(text, json_integer(1));
    swp_json_put_key(text, "right");
    swp_json_put_value(text, json_boolean(right));
}

swp_status swp_run_outcome_json(swp_context *ctx, const swp_run_outcome *outcome, char **text,
                                size_t *length)
{
    SWP_REQUIRE(ctx, ctx && outcome && text);
    swp_text json = {.ctx = ctx};
    put_start(&json, outcome->symptom == SWP_NO_SYMPTOM);
    swp_json_put_key(&json, "run");
    put_outcome(&json, outcome);
    swp_json_put(&json, "\n}\n");
    return swp_text_end(&json, text, length);
}

static void put_sizes(swp_text *text, const swp_run_tally_list *tallies)
{
    swp_json_put_key(text, "sizes");
    for (size_t i = 0; i < tallies->count; i++) {
        const swp_run_tally *tally = &tallies->items[i];
        json_t *size =
            json_pack("{s:i, s:i, s:i}", "n", tally->n, "runs", tally->runs, "wrong", tally->wrong);
        if (size && tally->tiles &&
            json_object_set_new(size, "tiles", swp_json_tiles(tally->tiles, tally->tile_count)) !=
                0) {
            json_decref(size);
            size = NULL;
        }
        swp_json_put_element(text, i, size);
    }
    swp_json_end_array(text, tallies->count);
}

static void put_first(swp_text *text, const swp_run_summary *summary)
{
    swp_json_put_key(text, "first");
    if (!summary->wrong) {
        swp_json_put_value(text, json_null());
        return;
    }
    put_member(text, "{", "seed", json_integer((json_int_t)summary->first_seed));
    put_member(text, ", ", "timing", json_string(swp_timing_name(summary->first.timing)));
    swp_json_put(text, ", \"run\": ");
    put_outcome(text, &summary->first);
    swp_json_put(text, "}");
}

swp_status swp_run_summary_json(swp_context *ctx, const swp_run_summary *summary, char **text,
                                size_t *length)
{
    SWP_REQUIRE(ctx, ctx && summary && text);
    swp_text json = {.ctx = ctx};
    put_start(&json, summary->wrong == 0);
    swp_json_put_key(&json, "timing");
    swp_json_put_value(&json, json_string(swp_timing_name(summary->timing)));
    swp_json_put_key(&json, "runs");
    swp_json_put_value(&json, json_integer(summary->runs));
    swp_json_put_key(&json, "wrong");
    swp_json_put_value(&json, json_integer(summary->wrong));
    swp_json_put_key(&json, "stopped");
    swp_json_put_value(&json, json_boolean(summary->stopped));
    put_sizes(&json, &summary->tallies);
    put_first(&json, summary);
    swp_json_put(&json, "\n}\n");
    return swp_text_end(&json, text, length);
}
