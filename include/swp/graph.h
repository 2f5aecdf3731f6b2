/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file graph.h  Dependence edges by rule (docs/descriptions.md, "edges"), and the loop dependence graph.
 */
#ifndef SWP_GRAPH_H
#define SWP_GRAPH_H

#include "swp/config.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Any value: for the int fields of a rule that may leave something open. */
#define SWP_ANY (-1)
/** Loop distance 0 if the producer's k offset is K_PREV, else 1. */
#define SWP_DISTANCE_BY_K (-1)

/** Which k offsets of the consumer a rule takes. */
typedef enum swp_k_filter { SWP_K_ANY = 0, SWP_K_ONLY_PREV = 1, SWP_K_NOT_PREV = 2 } swp_k_filter;

/** One line of an edge table (EdgeRule): every producer and consumer it admits get an edge. */
typedef struct swp_edge_rule {
    swp_role producer;
    swp_role consumer;
    swp_dep_kind kind;
    int distance; /**< or SWP_DISTANCE_BY_K */
    bool match_channel;
    bool match_stage;
    bool match_subtile;
    /** The consumer's half is the producer's slot, and its match key is the producer's subtile. */
    bool use_config_match;
    bool same_half;
    bool cross_half;
    int producer_half; /**< SWP_ANY, or 0 or 1 */
    swp_k_filter k_offset_filter;
    int producer_loop_carried; /**< SWP_ANY, 0: not, 1: only */
    int consumer_loop_carried;
    int producer_ordinal; /**< SWP_ANY, else the Nth op of that kind, from 0 */
    int consumer_ordinal;
    bool first_match_only; /**< an edge to the first consumer alone */
} swp_edge_rule;

/** Returns a rule that takes any op of two kinds; set what it demands beyond that. */
SWP_API swp_edge_rule swp_edge_rule_any(swp_role producer, swp_role consumer, swp_dep_kind kind,
                                        int distance);

/** Return the published tables: 5 rules for depth 2, 8 for depth 1. */
SWP_API const swp_edge_rule *swp_double_buffer_edge_rules(size_t *count);
SWP_API const swp_edge_rule *swp_single_buffer_edge_rules(size_t *count);

/**
 * apply_edge_rules: appends the edges of a table, rule by rule. Producers and consumers are visited
 * in body order. An op never gets an edge to itself.
 */
SWP_API swp_status swp_apply_edge_rules(swp_context *ctx, const swp_op *body, size_t count,
                                        const swp_pipeline_config *config,
                                        const swp_edge_rule *rules, size_t rule_count,
                                        swp_edge_list *edges);

/** derive_edges_from_ops: applies the table that the config's depth calls for. */
SWP_API swp_status swp_derive_edges_from_ops(swp_context *ctx, const swp_op *body, size_t count,
                                             const swp_pipeline_config *config,
                                             swp_edge_list *edges);

/**
 * filter_spurious_cross_stage_flow: drops FLOW edges from a cross-stage fragment load (subtile 0,
 * slot other than its half) to a COMPUTE of the same half. The published table makes none; it is
 * for tables of a caller's own.
 */
SWP_API void swp_filter_spurious_cross_stage_flow(const swp_op *body, size_t count,
                                                  swp_edge_list *edges);

/** derive_cross_stage_rotation_edges: appends the edges of cross-stage fragment loads. */
SWP_API swp_status swp_derive_cross_stage_rotation_edges(swp_context *ctx, const swp_op *body,
                                                         size_t count, swp_edge_list *edges);

/** An op of a graph and its latency, which may differ from the op's own (OpNode). */
typedef struct swp_op_node {
    swp_op op;
    int latency; /**< cycles */
} swp_op_node;

/** A loop dependence graph (LoopBody). */
typedef struct swp_loop_body {
    swp_op_node *nodes;
    size_t count;
    swp_edge_list edges;
} swp_loop_body;

/** Makes a graph of a body and its edges, with the latencies of the ops. Copies both. */
SWP_API swp_status swp_loop_body_init(swp_context *ctx, const swp_op *body, size_t count,
                                      const swp_edge_list *edges, swp_loop_body *out);

/**
 * Refuses edges to ops that do not exist, negative distances, and self-loops and cycles of distance
 * 0 (named op by op).
 */
SWP_API swp_status swp_loop_body_validate(swp_context *ctx, const swp_loop_body *body);

/**
 * Computes earliest starts in cycles over edges of distance 0; `asap` has an element for each op.
 * The graph must be valid.
 */
SWP_API swp_status swp_loop_body_compute_asap(swp_context *ctx, const swp_loop_body *body,
                                              int64_t *asap);

#ifdef __cplusplus
}
#endif
#endif
