/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_draft.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- Parts --- */

void *draft_take(swp_context *ctx, size_t bytes)
{
    void *memory = swp_context_take(ctx, bytes + 1);
    if (!memory)
        abort();
    return memory;
}

static void *copy(swp_context *ctx, const void *items, size_t bytes, size_t room)
{
    void *out = draft_take(ctx, bytes + room);
    if (bytes > 0)
        memcpy(out, items, bytes);
    return out;
}

static void expect_room(int count, int most)
{
    if (count >= most)
        abort();
}

draft_body *draft_add_body(draft *d, const char *name, int warps, int instances)
{
    expect_room(d->body_count, DRAFT_MOST_BODIES);
    draft_body *body = &d->bodies[d->body_count++];
    *body = (draft_body){.name = name, .warps = warps, .instances = instances};
    return body;
}

int draft_add_value(draft *d, const char *name, swp_space space, int slots)
{
    expect_room(d->value_count, DRAFT_MOST_VALUES);
    d->values[d->value_count] =
        (swp_loop_value){.name = name, .space = space, .bytes = 1024, .least_slots = 1};
    d->slots[d->value_count] = slots;
    return d->value_count++;
}

static int add_object(draft *d, swp_role_object object)
{
    expect_room(d->object_count, DRAFT_MOST_OBJECTS);
    d->objects[d->object_count] = object;
    return d->object_count++;
}

int draft_add_mbarrier(draft *d, const char *name, int slots, int arrivals)
{
    return add_object(
        d, (swp_role_object){
               .name = name, .kind = SWP_OBJECT_MBARRIER, .slots = slots, .arrivals = arrivals});
}

int draft_add_named_barrier(draft *d, const char *name, int slots, int threads)
{
    return add_object(
        d, (swp_role_object){
               .name = name, .kind = SWP_OBJECT_NAMED_BARRIER, .slots = slots, .threads = threads});
}

int draft_add_op(draft *d, const char *name, swp_completion completion)
{
    expect_room(d->op_count, DRAFT_MOST_OPS);
    d->ops[d->op_count] = (swp_loop_op){
        .name = name, .latency = 100, .completion = completion, .read_cycles = 1, .accesses = 1};
    return d->op_count++;
}

void draft_reads(draft *d, int op, int value, int distance)
{
    swp_loop_op *o = &d->ops[op];
    swp_loop_read *reads = copy(d->ctx, o->reads, o->read_count * sizeof *reads, sizeof *reads);
    reads[o->read_count++] = (swp_loop_read){.value = value, .distance = distance};
    o->reads = reads;
}

static const int *with(const draft *d, const int *list, size_t count, int value)
{
    int *out = copy(d->ctx, list, count * sizeof *out, sizeof *out);
    out[count] = value;
    return out;
}

void draft_writes(draft *d, int op, int value)
{
    swp_loop_op *o = &d->ops[op];
    o->writes = with(d, o->writes, o->write_count, value);
    o->write_count++;
}

void draft_updates(draft *d, int op, int value)
{
    swp_loop_op *o = &d->ops[op];
    o->updates = with(d, o->updates, o->update_count, value);
    o->update_count++;
}

draft_line *draft_add_line(draft_body *body, swp_op op, int stage)
{
    expect_room(body->count, DRAFT_MOST_LINES);
    draft_line *line = &body->lines[body->count++];
    *line = (draft_line){.op = op, .stage = stage, .least = INT_MIN, .commit = -1};
    return line;
}

int draft_stages(const draft_body *body)
{
    int most = 0;
    for (int i = 0; i < body->count; i++)
        if (body->lines[i].when == DRAFT_EACH && body->lines[i].stage > most)
            most = body->lines[i].stage;
    return most;
}

/* --- The schedule --- */

static const swp_loop_dataflow *make_dataflow(const draft *d)
{
    const swp_loop loop = {
        .name = "roles",
        .values = copy(d->ctx, d->values, (size_t)d->value_count * sizeof *d->values, 0),
        .value_count = (size_t)d->value_count,
        .ops = copy(d->ctx, d->ops, (size_t)d->op_count * sizeof *d->ops, 0),
        .op_count = (size_t)d->op_count,
        .objectives = {SWP_LEAST_SHARED, SWP_LEAST_REGISTERS, SWP_LEAST_STAGES}};
    const swp_loop_dataflow dataflow = {
        .loop = copy(d->ctx, &loop, sizeof loop, 0),
        .slots = copy(d->ctx, d->slots, (size_t)d->value_count * sizeof *d->slots, 0)};
    return copy(d->ctx, &dataflow, sizeof dataflow, 0);
}

static const char **make_names(const draft *d)
{
    const char **names = draft_take(d->ctx, SWP_SCHEDULE_TAGS * sizeof *names);
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        names[tag] = tag < d->op_count ? d->ops[tag].name : "?";
    return names;
}

swp_schedule draft_schedule(const draft *d)
{
    swp_schedule s = {.name = "roles",
                      .target = "sm_90",
                      .config = swp_pipeline_config_default(),
                      .schedule = swp_schedule_config_default(),
                      .machine = swp_machine_default(),
                      .loop = {.tiles_per_pass = d->tiles_per_pass,
                               .min_tiles = d->min_tiles,
                               .multiple = d->only_whole_passes ? d->tiles_per_pass : 1,
                               .m_mmas = 1,
                               .n_mmas = 1},
                      .op_names = make_names(d),
                      .stream_count = (size_t)d->body_count,
                      .objects =
                          copy(d->ctx, d->objects, (size_t)d->object_count * sizeof *d->objects, 0),
                      .object_count = (size_t)d->object_count,
                      .dataflow = make_dataflow(d),
                      .metrics = {.makespan = -1,
                                  .lower_bound = -1,
                                  .vgpr_peak = -1,
                                  .wait_lgkm_first = -1,
                                  .wait_vm_last = -1}};
    s.machine.groups = 1;
    s.machine.registers = SWP_REGISTERS_SCOREBOARD;
    for (int b = 0; b < d->body_count; b++)
        s.streams[b] = draft_stream(d, &d->bodies[b]);
    return s;
}
