/* SPDX-License-Identifier: Apache-2.0 */
/* Writes problems and answers as JSON, one line each: jansson encodes the texts, the numbers are plain. */
#include "swp/problem.h"

#include "base/require.h"
#include "problem/names.h"
#include "json/put.h"

static void put_name(swp_text *out, const char *name)
{
    swp_json_put_value(out, json_string(name));
}

static void put_uses(swp_text *out, const swp_problem *problem, const swp_problem_op *op)
{
    for (size_t i = 0; i < op->use_count; i++) {
        const swp_problem_use *use = &op->uses[i];
        swp_json_put(out, i ? ",{\"resource\":" : "{\"resource\":");
        put_name(out, problem->resources[use->resource].name);
        swp_text_format(out, ",\"amount\":%lld,\"cycles\":%lld}", (long long)use->amount,
                        (long long)use->cycles);
    }
}

static void put_edges(swp_text *out, const swp_problem *problem)
{
    for (size_t i = 0; i < problem->edge_count; i++) {
        const swp_problem_edge *edge = &problem->edges[i];
        swp_text_format(out, "%s{\"producer\":%d,\"consumer\":%d,\"distance\":%lld,\"delay\":%lld}",
                        i ? "," : "", edge->producer, edge->consumer, (long long)edge->distance,
                        (long long)edge->delay);
    }
}

swp_status swp_problem_json(swp_context *ctx, const swp_problem *problem, char **text,
                            size_t *length)
{
    SWP_REQUIRE(ctx, ctx && problem && text);
    swp_text out = {.ctx = ctx};
    swp_json_put(&out, "{\"swp\":1,\"name\":");
    put_name(&out, problem->name);
    swp_text_format(&out, ",\"problem\":\"%s\",\"resources\":[",
                    swp_shown_name(swp_problem_kind_names.names, swp_problem_kind_names.count,
                                   (int)problem->kind));
    for (size_t i = 0; i < problem->resource_count; i++) {
        swp_json_put(&out, i ? ",{\"name\":" : "{\"name\":");
        put_name(&out, problem->resources[i].name);
        swp_text_format(&out, ",\"capacity\":%lld}", (long long)problem->resources[i].capacity);
    }
    swp_json_put(&out, "],\"ops\":[");
    for (size_t i = 0; i < problem->op_count; i++) {
        swp_json_put(&out, i ? ",{\"name\":" : "{\"name\":");
        put_name(&out, problem->ops[i].name);
        swp_text_format(&out, ",\"latency\":%lld,\"uses\":[", (long long)problem->ops[i].latency);
        put_uses(&out, problem, &problem->ops[i]);
        swp_json_put(&out, "]}");
    }
    swp_json_put(&out, "],\"edges\":[");
    put_edges(&out, problem);
    swp_json_put(&out, "]}");
    return swp_text_end(&out, text, length);
}

swp_status swp_answer_json(swp_context *ctx, const swp_problem *problem, const swp_answer *answer,
                           char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && problem && answer && text);
    swp_text out = {.ctx = ctx};
    swp_json_put(&out, "{\"name\":");
    put_name(&out, problem->name);
    swp_text_format(&out, ",\"status\":\"%s\"", swp_answer_status_name(answer->status));
    if (answer->times)
        swp_text_format(&out, ",\"value\":%lld", (long long)answer->value);
    else
        swp_json_put(&out, ",\"value\":null");
    if (answer->status == SWP_ANSWER_INFEASIBLE)
        swp_json_put(&out, ",\"bound\":null,\"times\":");
    else
        swp_text_format(&out, ",\"bound\":%lld,\"times\":", (long long)answer->bound);
    if (!answer->times)
        swp_json_put(&out, "null");
    for (size_t i = 0; answer->times && i < problem->op_count; i++)
        swp_text_format(&out, "%s%lld", i ? "," : "[", (long long)answer->times[i]);
    if (answer->times)
        swp_json_put(&out, problem->op_count ? "]" : "[]");
    swp_text_format(&out, ",\"seconds\":%.6f,\"work\":%llu,\"bound_kind\":\"%s\"}", answer->seconds,
                    (unsigned long long)answer->work, swp_bound_kind_name(answer->bound_kind));
    return swp_text_end(&out, text, length);
}
