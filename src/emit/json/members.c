/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of members, with their offsets, ranges and words. */
#include "emit/json/members.h"

#include "ir/roles.h"
#include "ir/type_names.h"
#include "swp/loop.h"

#include <limits.h>

/* As many MMAs a side as pipeline.m_mmas and .n_mmas may have. */
enum { MOST_TAG = SWP_SCHEDULE_TAGS - 1, MOST_MMAS = 64 };

static const swp_name placement_rows[] = {SWP_PLACEMENTS(SWP_NAME_ROW)};
static const swp_name_table placement_names = SWP_NAME_TABLE(placement_rows);

/* Words are read and written through an int. */
_Static_assert(sizeof(swp_role) == sizeof(int) && sizeof(swp_threads) == sizeof(int) &&
                   sizeof(swp_role_clock) == sizeof(int) &&
                   sizeof(swp_arrival_target) == sizeof(int) &&
                   sizeof(swp_role_object_kind) == sizeof(int),
               "enumerations have the size of an int");

#define INT(key, type, path, least, most)                                                          \
    {                                                                                              \
        key, SWP_JSON_INT, offsetof(type, path), least, most, NULL                                 \
    }
#define WORD(key, type, path, words)                                                               \
    {                                                                                              \
        key, SWP_JSON_WORD, offsetof(type, path), 0, 0, &(words)                                   \
    }
#define OTHER(key, kind, type, path)                                                               \
    {                                                                                              \
        key, SWP_JSON_##kind, offsetof(type, path), 0, 0, NULL                                     \
    }

#define OP_INT(key, path, least, most) INT(key, swp_json_op, entry.op.path, least, most)
#define OP_WORD(key, path, words) WORD(key, swp_json_op, entry.op.path, words)

static const swp_json_member body_op_members[] = {
    OP_INT("tag", tag, 0, MOST_TAG),
    OTHER("name", TEXT, swp_json_op, name),
    OP_INT("stage", stage, 0, INT_MAX),
    OP_INT("subtile", subtile, 0, INT_MAX),
    OP_WORD("k_offset", k_offset, swp_ir_k_offset_names),
    OP_INT("channel", channel, -1, 1),
    OP_WORD("role", role, swp_ir_role_names),
    OP_WORD("resource", resource, swp_ir_resource_names),
    OP_INT("latency", latency, 0, INT_MAX),
    OP_INT("vgpr_def", vgpr_def, 0, INT_MAX),
    OP_INT("vgpr_kill", vgpr_kill, 0, INT_MAX),
};

static const swp_json_member entry_members[] = {
    OP_INT("tag", tag, 0, MOST_TAG),
    OTHER("name", TEXT, swp_json_op, name),
    OP_INT("stage", stage, 0, INT_MAX),
    OP_INT("subtile", subtile, 0, INT_MAX),
    OP_WORD("k_offset", k_offset, swp_ir_k_offset_names),
    OP_INT("channel", channel, -1, 1),
    OP_INT("wait", wait_value, 0, INT_MAX),
    OP_WORD("role", role, swp_ir_role_names),
    OTHER("prefetch", BOOL, swp_json_op, entry.is_prefetch),
    OP_INT("vm_cost", vm_cost, 0, SWP_MOST_ACCESSES),
    OP_INT("lgkm_cost", lgkm_cost, 0, SWP_MOST_ACCESSES),
};

/* Of a schedule with a dataflow; the labels at the end are those of a GEMM. */
enum { LOOP_LABELS = 3 };
static const swp_json_member loop_entry_members[] = {
    OP_INT("tag", tag, 0, MOST_TAG),
    OTHER("name", TEXT, swp_json_op, name),
    OP_INT("iteration", iteration, -SWP_MOST_ACCESSES, SWP_MOST_ACCESSES),
    OP_INT("wait", wait_value, 0, INT_MAX),
    OP_INT("subtile", subtile, 0, INT_MAX),
    OP_WORD("role", role, swp_ir_role_names),
    OP_INT("stage", stage, 0, INT_MAX),
    OP_WORD("k_offset", k_offset, swp_ir_k_offset_names),
    OP_INT("channel", channel, -1, 1),
};

static const swp_json_member role_entry_members[] = {
    OP_INT("tag", tag, 0, MOST_TAG),
    OTHER("name", TEXT, swp_json_op, name),
    OP_INT("iteration", iteration, -SWP_MOST_ACCESSES, SWP_MOST_ACCESSES),
    OP_INT("wait", wait_value, 0, SWP_MOST_ACCESSES),
    OP_INT("subtile", subtile, 0, INT_MAX),
    OP_WORD("role", role, swp_ir_role_names),
    OTHER("object", TEXT, swp_json_op, object),
    OP_INT("slot", slot, 0, SWP_MOST_SLOTS - 1),
    OP_INT("slot_step", slot_step, -SWP_MOST_SLOTS, SWP_MOST_SLOTS),
    OP_INT("bytes", bytes, 0, INT_MAX),
    OP_WORD("by", by, swp_ir_threads_names),
    OP_INT("instances", instances, 0, (1 << SWP_MOST_INSTANCES) - 1),
    OP_WORD("to", to, swp_ir_arrival_target_names), /* in a cluster */
};

static const swp_json_member role_object_members[] = {
    OTHER("name", TEXT, swp_role_object, name),
    WORD("kind", swp_role_object, kind, swp_ir_role_object_names),
    INT("slots", swp_role_object, slots, 1, SWP_MOST_SLOTS),
    INT("arrivals", swp_role_object, arrivals, 0, SWP_MOST_ACCESSES),
    INT("threads", swp_role_object, threads, 0, SWP_MOST_ACCESSES),
    WORD("clock", swp_role_object, clock, swp_ir_clock_names), /* with output tiles */
};

static const swp_json_member role_members[] = {
    INT("warps", swp_stream, warps, 1, SWP_MOST_ROLE_WARPS),
    INT("instances", swp_stream, instances, 1, SWP_MOST_INSTANCES),
    INT("registers", swp_stream, registers, 0, SWP_MOST_ROLE_REGISTERS),
};

static const swp_json_member role_counts_members[] = {
    INT("mbarriers", swp_role_counts, mbarriers, 0, INT_MAX),
    INT("named_barriers", swp_role_counts, named_barriers, 0, INT_MAX),
    INT("waits", swp_role_counts, waits, 0, INT_MAX),
    INT("arrivals", swp_role_counts, arrivals, 0, INT_MAX),
    INT("group_waits", swp_role_counts, group_waits, 0, INT_MAX),
    INT("fences", swp_role_counts, fences, 0, INT_MAX),
};

static const swp_json_member edge_members[] = {
    INT("producer", swp_edge, producer, 0, INT_MAX),
    INT("consumer", swp_edge, consumer, 0, INT_MAX),
    WORD("kind", swp_edge, kind, swp_ir_dep_kind_names),
    INT("distance", swp_edge, distance, 0, INT_MAX),
};

static const swp_json_member loop_members[] = {
    INT("tiles_per_pass", swp_loop_shape, tiles_per_pass, 1, 1024),
    INT("first_base", swp_loop_shape, first_base, 0, SWP_MOST_ACCESSES),
    INT("min_tiles", swp_loop_shape, min_tiles, 0, SWP_MOST_ACCESSES),
    INT("multiple", swp_loop_shape, multiple, 1, 1024),
    INT("m_mmas", swp_loop_shape, m_mmas, 1, MOST_MMAS),
    INT("n_mmas", swp_loop_shape, n_mmas, 1, MOST_MMAS),
    WORD("placement", swp_loop_shape, placement, placement_names),
};

enum { MOST_SIZE = 65536, MOST_ELEM_BYTES = 16, MOST_WARPS = 64 };

static const swp_json_member geometry_members[] = {
    INT("block_m", swp_schedule, geometry.block[0], 1, MOST_SIZE),
    INT("block_n", swp_schedule, geometry.block[1], 1, MOST_SIZE),
    INT("block_k", swp_schedule, geometry.block[2], 1, MOST_SIZE),
    INT("mma_m", swp_schedule, geometry.mma[0], 1, MOST_SIZE),
    INT("mma_n", swp_schedule, geometry.mma[1], 1, MOST_SIZE),
    INT("mma_k", swp_schedule, geometry.mma[2], 1, MOST_SIZE),
    INT("elem_bytes", swp_schedule, geometry.elem_bytes, 1, MOST_ELEM_BYTES),
    INT("warps_m", swp_schedule, layout.warps_m, 1, MOST_WARPS),
    INT("warps_n", swp_schedule, layout.warps_n, 1, MOST_WARPS),
};

static const swp_json_member metrics_members[] = {
    OTHER("makespan", FIGURE, swp_metrics, makespan),
    OTHER("lower_bound", FIGURE, swp_metrics, lower_bound),
    OTHER("vgpr_peak", FIGURE, swp_metrics, vgpr_peak),
    OTHER("optimal", BOOL, swp_metrics, optimal),
    OTHER("seed", BOOL, swp_metrics, seed),
    OTHER("work", WORK, swp_metrics, work),
    OTHER("wait_lgkm_first", WAIT, swp_metrics, wait_lgkm_first),
    OTHER("wait_vm_last", WAIT, swp_metrics, wait_vm_last),
};

static const swp_json_member sync_members[] = {
    INT("barriers", swp_sync_result, barriers, 0, INT_MAX),
    INT("least_barriers", swp_sync_result, least_barriers, 0, INT_MAX),
    OTHER("cycles", FIGURE, swp_sync_result, cycles),
    INT("passes", swp_sync_result, passes, 1, INT_MAX),
    OTHER("bound", FIGURE, swp_sync_result, bound),
    OTHER("optimal", BOOL, swp_sync_result, optimal),
    OTHER("work", WORK, swp_sync_result, work),
};

static const swp_json_member counted_members[] = {
    OTHER("cycles", FIGURE, swp_counted_cycles, cycles),
    INT("passes", swp_counted_cycles, passes, 1, INT_MAX),
};

#define OBJECT(members)                                                                            \
    {                                                                                              \
        members, SWP_COUNT_OF(members)                                                             \
    }
const swp_json_object swp_json_body_op = OBJECT(body_op_members);
const swp_json_object swp_json_entry = OBJECT(entry_members);
const swp_json_object swp_json_labelled_entry = OBJECT(loop_entry_members);
const swp_json_object swp_json_loop_entry = {loop_entry_members,
                                             SWP_COUNT_OF(loop_entry_members) - LOOP_LABELS};
const swp_json_object swp_json_role_entry = {role_entry_members,
                                             SWP_COUNT_OF(role_entry_members) - 1};
const swp_json_object swp_json_cluster_role_entry = OBJECT(role_entry_members);
const swp_json_object swp_json_role_object = {role_object_members,
                                              SWP_COUNT_OF(role_object_members) - 1};
const swp_json_object swp_json_tile_role_object = OBJECT(role_object_members);
const swp_json_object swp_json_role = OBJECT(role_members);
const swp_json_object swp_json_role_counts = OBJECT(role_counts_members);
const swp_json_object swp_json_edge = OBJECT(edge_members);
const swp_json_object swp_json_loop = OBJECT(loop_members);
const swp_json_object swp_json_geometry = OBJECT(geometry_members);
const swp_json_object swp_json_metrics = OBJECT(metrics_members);
const swp_json_object swp_json_sync = OBJECT(sync_members);
const swp_json_object swp_json_counted = OBJECT(counted_members);
