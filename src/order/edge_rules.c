/* SPDX-License-Identifier: Apache-2.0 */
/* Derives dependence edges from a table of rules (docs/descriptions.md, "edges"). */
#include "base/context.h"
#include "base/names.h"
#include "base/require.h"
#include "swp/graph.h"

/* The members of a rule that hold an ordinal or a flag of three values, each written once. */
#define HALF(half) .producer_half = (half)
#define CARRIED(producer, consumer)                                                                \
    .producer_loop_carried = (producer), .consumer_loop_carried = (consumer)
#define ORDINALS(producer, consumer) .producer_ordinal = (producer), .consumer_ordinal = (consumer)
#define ANY_HALF HALF(SWP_ANY)
#define ANY_CARRIED CARRIED(SWP_ANY, SWP_ANY)
#define ANY_ORDINALS ORDINALS(SWP_ANY, SWP_ANY)

static const swp_edge_rule double_buffer_rules[] = {
    /* A fragment feeds the MMAs of its row or column. */
    {SWP_FRAGMENT_LOAD, SWP_COMPUTE, SWP_FLOW, 0, .same_half = true, .use_config_match = true,
     ANY_HALF, ANY_CARRIED, ANY_ORDINALS},
    /* An accumulator passes from half 0 to half 1, and on to the next iteration. */
    {SWP_COMPUTE, SWP_COMPUTE, SWP_FLOW, 0, .match_stage = true, .match_subtile = true,
     .cross_half = true, HALF(0), ANY_CARRIED, ANY_ORDINALS},
    {SWP_COMPUTE, SWP_COMPUTE, SWP_FLOW, 1, .match_stage = true, .match_subtile = true,
     .cross_half = true, HALF(1), ANY_CARRIED, ANY_ORDINALS},
    /* A load fills the slot in LDS that a fragment reads, and must not overtake its readers. */
    {SWP_GLOBAL_LOAD, SWP_FRAGMENT_LOAD, SWP_FLOW, SWP_DISTANCE_BY_K, .match_channel = true,
     .match_stage = true, ANY_HALF, ANY_CARRIED, ANY_ORDINALS},
    {SWP_FRAGMENT_LOAD, SWP_GLOBAL_LOAD, SWP_ANTI, 0, .match_channel = true, .match_stage = true,
     .k_offset_filter = SWP_K_NOT_PREV, ANY_HALF, ANY_CARRIED, ANY_ORDINALS},
};

static const swp_edge_rule single_buffer_rules[] = {
    {SWP_FRAGMENT_LOAD, SWP_COMPUTE, SWP_FLOW, 0, .match_subtile = true, .first_match_only = true,
     ANY_HALF, CARRIED(0, 0), ANY_ORDINALS},
    {SWP_SYNC, SWP_SHARED_STORE, SWP_FLOW, 0, ANY_HALF, ANY_CARRIED, ORDINALS(0, SWP_ANY)},
    {SWP_SHARED_STORE, SWP_SYNC, SWP_FLOW, 0, ANY_HALF, ANY_CARRIED, ORDINALS(SWP_ANY, 1)},
    {SWP_SYNC, SWP_FRAGMENT_LOAD, SWP_FLOW, 0, ANY_HALF, CARRIED(SWP_ANY, 1), ORDINALS(1, SWP_ANY)},
    {SWP_FRAGMENT_LOAD, SWP_SYNC, SWP_ANTI, 0, ANY_HALF, CARRIED(0, SWP_ANY), ORDINALS(SWP_ANY, 0)},
    {SWP_FRAGMENT_LOAD, SWP_COMPUTE, SWP_FLOW, 1, ANY_HALF, CARRIED(1, 1), ANY_ORDINALS},
    {SWP_GLOBAL_LOAD, SWP_SHARED_STORE, SWP_FLOW, 1, ANY_HALF, ANY_CARRIED, ANY_ORDINALS},
    {SWP_FRAGMENT_LOAD, SWP_SHARED_STORE, SWP_ANTI, 1, ANY_HALF, CARRIED(1, SWP_ANY), ANY_ORDINALS},
};

swp_edge_rule swp_edge_rule_any(swp_role producer, swp_role consumer, swp_dep_kind kind,
                                int distance)
{
    return (swp_edge_rule){producer, consumer, kind, distance, ANY_HALF, ANY_CARRIED, ANY_ORDINALS};
}

const swp_edge_rule *swp_double_buffer_edge_rules(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = SWP_COUNT_OF(double_buffer_rules);
    return double_buffer_rules;
}

const swp_edge_rule *swp_single_buffer_edge_rules(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = SWP_COUNT_OF(single_buffer_rules);
    return single_buffer_rules;
}

/* An op, with what the rules ask about its place in the body. */
typedef struct placed_op {
    const swp_op *op;
    int half;
    int ordinal; /* among the ops of its kind */
    bool loop_carried;
} placed_op;

static swp_status place_ops(swp_context *ctx, const swp_op *body, size_t count,
                            const swp_pipeline_config *config, placed_op **out)
{
    int seen[256] = {0};
    SWP_TRY(SWP_TAKE(ctx, count, out));
    for (size_t i = 0; i < count; i++)
        (*out)[i] = (placed_op){
            .op = &body[i],
            .half = i < count / 2 ? 0 : 1,
            .ordinal = seen[(unsigned char)body[i].role]++,
            .loop_carried = swp_is_loop_carried(config, &body[i]),
        };
    return SWP_OK;
}

static bool flag_allows(int wanted, bool is)
{
    return wanted == SWP_ANY || (wanted == 1) == is;
}

static bool number_allows(int wanted, int is)
{
    return wanted == SWP_ANY || wanted == is;
}

static bool admits_producer(const swp_edge_rule *rule, const placed_op *producer)
{
    return producer->op->role == rule->producer &&
           number_allows(rule->producer_half, producer->half) &&
           flag_allows(rule->producer_loop_carried, producer->loop_carried) &&
           number_allows(rule->producer_ordinal, producer->ordinal);
}

static bool k_filter_allows(swp_k_filter filter, swp_k_offset k_offset)
{
    return filter == SWP_K_ANY || (filter == SWP_K_ONLY_PREV) == (k_offset == SWP_K_PREV);
}

static bool admits_consumer(const swp_edge_rule *rule, const placed_op *consumer)
{
    return consumer->op->role == rule->consumer &&
           k_filter_allows(rule->k_offset_filter, consumer->op->k_offset) &&
           flag_allows(rule->consumer_loop_carried, consumer->loop_carried) &&
           number_allows(rule->consumer_ordinal, consumer->ordinal);
}

static bool places_match(const swp_edge_rule *rule, const placed_op *producer,
                         const placed_op *consumer, const swp_pipeline_config *config)
{
    const swp_op *p = producer->op;
    const swp_op *c = consumer->op;
    if ((rule->match_channel && p->channel != c->channel) ||
        (rule->match_stage && p->stage != c->stage) ||
        (rule->match_subtile && p->subtile != c->subtile))
        return false;
    if ((rule->same_half && producer->half != consumer->half) ||
        (rule->cross_half && producer->half == consumer->half))
        return false;
    return !rule->use_config_match || (consumer->half == p->stage &&
                                       swp_compute_match_key(config, c, p->channel) == p->subtile);
}

static int distance_of(const swp_edge_rule *rule, const swp_op *producer)
{
    if (rule->distance != SWP_DISTANCE_BY_K)
        return rule->distance;
    return producer->k_offset == SWP_K_PREV ? 0 : 1;
}

static swp_status apply_rule(swp_context *ctx, const placed_op *ops, size_t count,
                             const swp_pipeline_config *config, const swp_edge_rule *rule,
                             swp_edge_list *edges)
{
    for (size_t p = 0; p < count; p++) {
        if (!admits_producer(rule, &ops[p]))
            continue;
        for (size_t c = 0; c < count; c++) {
            if (c == p || !admits_consumer(rule, &ops[c]) ||
                !places_match(rule, &ops[p], &ops[c], config))
                continue;
            const swp_edge edge = {(int)p, (int)c, rule->kind, distance_of(rule, ops[p].op)};
            SWP_TRY(SWP_PUSH(ctx, edges, edge));
            if (rule->first_match_only)
                break;
        }
    }
    return SWP_OK;
}

swp_status swp_apply_edge_rules(swp_context *ctx, const swp_op *body, size_t count,
                                const swp_pipeline_config *config, const swp_edge_rule *rules,
                                size_t rule_count, swp_edge_list *edges)
{
    SWP_REQUIRE(ctx, ctx && (body || count == 0) && config && (rules || rule_count == 0) && edges);
    placed_op *ops = NULL;
    SWP_TRY(place_ops(ctx, body, count, config, &ops));
    for (size_t i = 0; i < rule_count; i++)
        SWP_TRY(apply_rule(ctx, ops, count, config, &rules[i], edges));
    return SWP_OK;
}

swp_status swp_derive_edges_from_ops(swp_context *ctx, const swp_op *body, size_t count,
                                     const swp_pipeline_config *config, swp_edge_list *edges)
{
    SWP_REQUIRE(ctx, ctx && (body || count == 0) && config && edges);
    size_t rule_count = 0;
    const swp_edge_rule *rules = config->depth == 1 ? swp_single_buffer_edge_rules(&rule_count)
                                                    : swp_double_buffer_edge_rules(&rule_count);
    return swp_apply_edge_rules(ctx, body, count, config, rules, rule_count, edges);
}
