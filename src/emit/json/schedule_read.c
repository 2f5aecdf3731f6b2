/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule from its JSON: what schedule_write.c wrote, perhaps edited since. */
#include "swp/emit.h"

#include "base/diag.h"
#include "base/require.h"
#include "base/text.h"
#include "emit/json/dataflow.h"
#include "emit/json/lists.h"
#include "emit/json/loop.h"
#include "emit/json/meaning.h"
#include "emit/json/roles.h"
#include "emit/json/section.h"
#include "ir/implied_barriers.h"
#include "ir/roles.h"
#include "swp/target.h"
#include "target/names.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void read_text(swp_schedule_reader *reader, json_t *root, const char *key, const char **out)
{
    const json_t *value = json_object_get(root, key);
    if (!value || !swp_json_expect(&reader->json, SWP_JSON_IN_FILE(key), value, JSON_STRING))
        return;
    char *text = NULL;
    swp_json_keep(reader, swp_copy_text(reader->json.ctx, json_string_value(value),
                                        json_string_length(value), &text));
    *out = text;
}

/* What the configuration was matters to none of the judges of a schedule, so it may be missing. */
static void read_sections(swp_schedule_reader *reader, json_t *root)
{
    swp_schedule *schedule = reader->schedule;
    swp_json_reader *json = &reader->json;
    swp_settings settings = swp_settings_default();
    json_t *config = json_object_get(root, "config");
    if (config)
        swp_json_read_section(json, SWP_JSON_IN_FILE("config"), config, SWP_SECTION_PIPELINE, false,
                              &settings);
    json_t *sched = json_object_get(root, "schedule");
    if (sched)
        swp_json_read_section(json, SWP_JSON_IN_FILE("schedule"), sched, SWP_SECTION_SCHEDULE,
                              false, &settings);
    json_t *machine = swp_json_require(json, NULL, root, "machine");
    if (machine)
        swp_json_read_section(json, SWP_JSON_IN_FILE("machine"), machine, SWP_SECTION_MACHINE, true,
                              &settings);
    json_t *loop = swp_json_require(json, NULL, root, "loop");
    reader->has_tails = swp_json_has_tails(root);
    reader->knows_loop = loop && swp_json_read_object(json, SWP_JSON_IN_FILE("loop"), loop,
                                                      &swp_json_loop, &schedule->loop);
    if (reader->knows_loop)
        swp_json_check_loop(reader);
    json_t *geometry = json_object_get(root, "geometry");
    if (geometry)
        (void)swp_json_read_object(json, SWP_JSON_IN_FILE("geometry"), geometry, &swp_json_geometry,
                                   schedule);
    schedule->config = settings.pipeline;
    schedule->schedule = settings.schedule;
    schedule->machine = settings.machine;
    schedule->machine.registers =
        swp_target_registers(swp_target_find(schedule->target), schedule->machine.registers);
    if (machine && json->errors == 0) /* else it may not be as the file says */
        swp_json_check_machine(reader);
}

static void read_figures(swp_schedule_reader *reader, json_t *root)
{
    swp_json_reader *json = &reader->json;
    swp_schedule *schedule = reader->schedule;
    const json_t *stagger = json_object_get(root, "warp_stagger_index");
    if (stagger)
        (void)swp_json_read_int(json, SWP_JSON_IN_FILE("warp_stagger_index"), stagger, 0, INT_MAX,
                                &schedule->warp_stagger_index);
    json_t *metrics = json_object_get(root, "metrics");
    if (metrics)
        (void)swp_json_read_object(json, SWP_JSON_IN_FILE("metrics"), metrics, &swp_json_metrics,
                                   &schedule->metrics);
    json_t *sync = json_object_get(root, "sync");
    if (sync)
        (void)swp_json_read_object(json, SWP_JSON_IN_FILE("sync"), sync, &swp_json_sync,
                                   &schedule->sync);
    json_t *counted = json_object_get(root, "by_figures");
    if (counted)
        (void)swp_json_read_object(json, SWP_JSON_IN_FILE("by_figures"), counted, &swp_json_counted,
                                   &schedule->by_figures);
}

/* Into the schedule's memory: jansson's own text would only be released by its free(). */
static swp_status keep_pipeline(swp_schedule_reader *reader, const json_t *pipeline)
{
    swp_context *ctx = reader->json.ctx;
    struct swp_kept_pipeline *kept = NULL;
    char *text = NULL;
    const size_t length = json_dumpb(pipeline, NULL, 0, 0);
    SWP_TRY(SWP_TAKE(ctx, 1, &kept));
    SWP_TRY(SWP_TAKE(ctx, length + 1, &text));
    if (length == 0 || json_dumpb(pipeline, text, length, 0) != length)
        return swp_out_of_memory(ctx);
    const json_int_t interval = json_integer_value(json_object_get(pipeline, "interval"));
    kept->text = text;
    kept->interval = interval > 0 && interval <= SWP_PROBLEM_MOST ? interval : 0;
    reader->schedule->kept_pipeline = kept;
    return SWP_OK;
}

static void read_pipeline(swp_schedule_reader *reader, json_t *root)
{
    json_t *pipeline = json_object_get(root, "pipeline");
    if (pipeline &&
        swp_json_expect(&reader->json, SWP_JSON_IN_FILE("pipeline"), pipeline, JSON_OBJECT))
        swp_json_keep(reader, keep_pipeline(reader, pipeline));
}

static void check_keys(swp_schedule_reader *reader, json_t *root)
{
    static const char *const known[] = {
        "swp",          "name",     "target",     "config",       "schedule",
        "machine",      "loop",     "geometry",   "body",         "edges",
        "order",        "prologue", "kernel",     "epilogue",     "epilogues",
        "straight",     "pipeline", "roles",      "kernel_deps",  "warp_stagger_index",
        "metrics",      "sync",     "dataflow",   "sync_objects", "role_sync",
        "output_tiles", "cluster",  "by_figures", "loop_barrier",
    };
    swp_json_refuse_unknown(&reader->json, NULL, root, known, SWP_COUNT_OF(known));
}

/* Only of warp roles: one stream has no lists for them. */
static void read_output_tiles(swp_schedule_reader *reader, json_t *root)
{
    const json_t *value = json_object_get(root, "output_tiles");
    const swp_json_path *path = SWP_JSON_IN_FILE("output_tiles");
    if (!value || !swp_json_expect(&reader->json, path, value, JSON_TRUE))
        return;
    reader->schedule->output_tiles = json_is_true(value);
    if (reader->schedule->output_tiles && !json_object_get(root, "sync_objects"))
        swp_json_complain(&reader->json, path, NULL,
                          "is true, and without `sync_objects` the schedule has no warp roles");
}

static void read_cluster(swp_schedule_reader *reader, json_t *root)
{
    const json_t *value = json_object_get(root, "cluster");
    const swp_json_path *path = SWP_JSON_IN_FILE("cluster");
    if (!value || !swp_json_read_int(&reader->json, path, value, 1, SWP_MOST_CLUSTER,
                                     &reader->schedule->cluster))
        return;
    if (swp_ir_ranks(reader->schedule) > 1 && !json_object_get(root, "sync_objects"))
        swp_json_complain(&reader->json, path, NULL,
                          "is %d, and without `sync_objects` the schedule has no warp roles",
                          reader->schedule->cluster);
}

/* Only a barrier that the lists imply can be dropped. */
static void read_loop_barrier(swp_schedule_reader *reader, json_t *root)
{
    swp_schedule *schedule = reader->schedule;
    const json_t *value = json_object_get(root, "loop_barrier");
    const swp_json_path *path = SWP_JSON_IN_FILE("loop_barrier");
    if (!value || !swp_json_expect(&reader->json, path, value, JSON_TRUE))
        return;
    if (!swp_ir_implies_loop_barrier(schedule) || json_object_get(root, "sync_objects")) {
        swp_json_complain(&reader->json, path, "leave it out",
                          "means nothing here: only the lists have barriers before this loop");
        return;
    }
    schedule->drops_loop_barrier = json_is_false(value);
}

/* Entries state neither resource, latency nor registers: they have their tag's in the body. */
static void complete_entries(const swp_op_list *body, swp_entry_list *entries)
{
    const swp_op *of_tag[SWP_SCHEDULE_TAGS] = {NULL};
    for (size_t i = body->count; i-- > 0;)
        if (body->items[i].tag < SWP_SCHEDULE_TAGS)
            of_tag[body->items[i].tag] = &body->items[i];
    for (size_t i = 0; i < entries->count; i++) {
        swp_op *op = &entries->items[i].op;
        const swp_op *model = op->tag < SWP_SCHEDULE_TAGS ? of_tag[op->tag] : NULL;
        op->resource = model ? model->resource : swp_role_resource(op->role);
        op->latency = model ? model->latency : 0;
        op->vgpr_def = model ? model->vgpr_def : 0;
        op->vgpr_kill = model ? model->vgpr_kill : 0;
    }
}

static void complete_stream(const swp_op_list *body, swp_stream *stream)
{
    complete_entries(body, &stream->prologue);
    complete_entries(body, &stream->kernel);
    complete_entries(body, &stream->epilogue);
    complete_entries(body, &stream->begin);
    complete_entries(body, &stream->end);
    complete_entries(body, &stream->drain);
    for (size_t i = 0; i < stream->tails.epilogue_count; i++)
        complete_entries(body, &stream->tails.epilogues[i]);
    for (size_t i = 0; i < stream->tails.straight_count; i++)
        complete_entries(body, &stream->tails.straight[i]);
}

static void complete(swp_schedule *s)
{
    for (size_t i = 0; i < s->stream_count; i++)
        complete_stream(&s->body, &s->streams[i]);
    s->lgkm_per_load_a =
        s->config.lgkm_per_load_a ? s->config.lgkm_per_load_a : s->schedule.lgkm_per_load_a;
    s->lgkm_per_load_b =
        s->config.lgkm_per_load_b ? s->config.lgkm_per_load_b : s->schedule.lgkm_per_load_b;
}

/* It is found as a deadlock, too, where group 0 then has a barrier too many at the end. */
static void check_lag(swp_schedule_reader *reader)
{
    const swp_machine *machine = &reader->schedule->machine;
    const size_t entries = swp_schedule_phase(reader->schedule, SWP_PROLOGUE)->count;
    if (reader->json.errors || machine->groups < 2 || machine->lag == 0 ||
        (size_t)machine->lag_prologue_index <= entries)
        return;
    char *hint = NULL;
    const swp_json_path path = {.up = SWP_JSON_IN_FILE("machine"), .key = "lag_prologue_index"};
    swp_json_keep(reader,
                  swp_format(reader->json.ctx, &hint,
                             "set machine.lag_prologue_index to %zu at most, or machine.lag "
                             "to 0",
                             entries));
    swp_json_keep(reader,
                  swp_warn(reader->json.ctx, SWP_W0112, swp_json_place(&reader->json, &path),
                           hint ? hint : "",
                           "machine.lag_prologue_index is %d, but the prologue has %zu entries: "
                           "group 1 never comes to its extra barrier, and does not lag",
                           machine->lag_prologue_index, entries));
}

static void read_file(swp_schedule_reader *reader, json_t *root)
{
    swp_schedule *schedule = reader->schedule;
    if (!swp_json_expect(&reader->json, NULL, root, JSON_OBJECT))
        return;
    if (!swp_json_is_schedule(reader, root))
        return;
    check_keys(reader, root);
    (void)swp_json_require(&reader->json, NULL, root, "swp");
    read_text(reader, root, "name", &schedule->name);
    read_text(reader, root, "target", &schedule->target);
    schedule->target = swp_target_proper_name(schedule->target);
    read_sections(reader, root);
    read_output_tiles(reader, root);
    read_cluster(reader, root);
    read_loop_barrier(reader, root);
    swp_json_read_dataflow(reader, root);
    swp_json_read_body(reader, root);
    swp_json_read_edges(reader, root, "edges", schedule->body.count, "ops in the body",
                        &schedule->edges);
    swp_json_read_order(reader, root);
    swp_json_read_role_objects(reader, root);
    swp_json_read_streams(reader, root);
    read_pipeline(reader, root);
    swp_json_read_edges(reader, root, "kernel_deps",
                        swp_schedule_phase(schedule, SWP_KERNEL)->count,
                        "entries in the kernel phase", &schedule->kernel_deps);
    read_figures(reader, root);
    check_lag(reader);
    complete(schedule);
    swp_json_check_roles(reader);
}

/* A schedule with no phases, tags named "op<tag>" and figures that do not apply. */
static swp_status new_schedule(swp_context *ctx, swp_schedule **out)
{
    swp_schedule *schedule = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &schedule));
    SWP_TRY(SWP_TAKE(ctx, SWP_SCHEDULE_TAGS, &schedule->op_names));
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++) {
        char *name = NULL;
        SWP_TRY(swp_format(ctx, &name, "op%d", tag));
        schedule->op_names[tag] = name;
    }
    schedule->name = schedule->target = "";
    schedule->stream_count = 1;
    schedule->metrics = (swp_metrics){.makespan = -1,
                                      .lower_bound = -1,
                                      .vgpr_peak = -1,
                                      .wait_lgkm_first = -1,
                                      .wait_vm_last = -1};
    schedule->arena = ctx->arena;
    *out = schedule;
    return SWP_OK;
}

static swp_status build(swp_context *ctx, json_t *root, const swp_problem_text *in,
                        swp_schedule **out)
{
    swp_schedule_reader reader = {
        .json = {.ctx = ctx, .in = *in, .about = "`swp schema schedule` describes the format"}};
    SWP_TRY(new_schedule(ctx, &reader.schedule));
    read_file(&reader, root);
    SWP_TRY(swp_json_finish(&reader.json));
    *out = reader.schedule;
    return SWP_OK;
}

swp_status swp_schedule_read_json(swp_context *ctx, const char *text, size_t length,
                                  const char *file, swp_schedule **out)
{
    if (out)
        *out = NULL;
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && out);
    json_t *root = NULL;
    const swp_problem_text in = {text, length, {file, 1, 1}};
    SWP_TRY(swp_json_parse(ctx, text, length, in.place, SWP_E0111, SWP_JSON_SCHEDULE, &root));
    swp_context inner;
    swp_status status = swp_scope_open(ctx, &inner);
    if (status == SWP_OK)
        status = build(&inner, root, &in, out);
    json_decref(root);
    if (status != SWP_OK)
        swp_scope_close(&inner);
    return status;
}
