/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_run.h"

#include "roles_memory.h"

enum { WARP_THREADS = 32 };

bool role_is_tag(const role_act *act, int tag)
{
    return act->op->tag == tag;
}

static bool has_completion(const role_act *act, swp_completion completion)
{
    return act->work && act->work->completion == completion;
}

bool role_is_ordinary(const role_act *act)
{
    return has_completion(act, SWP_COMPLETION_NONE) || has_completion(act, SWP_COMPLETION_UNSTATED);
}

bool role_is_copy(const role_act *act)
{
    return has_completion(act, SWP_COMPLETION_COPY_MBARRIER);
}

bool role_is_matrix(const role_act *act)
{
    return has_completion(act, SWP_COMPLETION_MATRIX_GROUP);
}

bool role_is_store(const role_act *act)
{
    return has_completion(act, SWP_COMPLETION_STORE_GROUP);
}

bool role_is_arrival(const role_act *act)
{
    return role_is_tag(act, SWP_TAG_ARRIVE) || role_is_tag(act, SWP_TAG_ARRIVE_EXPECT);
}

bool role_executes(const role_act *act, int thread)
{
    return act->op->by == SWP_ALL_THREADS || thread == 0;
}

const role_lane *role_lane_of(const role_run *run, const role_act *act)
{
    return &run->lanes[act->lane];
}

int role_threads(const role_run *run, const role_act *act)
{
    const swp_stream *stream = &run->form->streams[role_lane_of(run, act)->stream];
    return act->op->by == SWP_ALL_THREADS ? stream->warps * WARP_THREADS : 1;
}

int role_quotient(int a, int b)
{
    return (a - role_remainder(a, b)) / b;
}

int role_remainder(int a, int b)
{
    return (a % b + b) % b;
}

bool role_is_shared(const role_run *run, int value)
{
    return run->loop->values[value].space == SWP_SPACE_SHARED;
}

/* --- The lists --- */

static bool is_work(const swp_op *op)
{
    return op->tag < SWP_FIRST_INFRASTRUCTURE_TAG || op->tag > SWP_TAG_NONE;
}

static void write_entry(role_run *run, role_act act)
{
    for (int t = 0; t < ROLE_THREADS; t++)
        act.issue[t] = act.back[t] = ROLE_NO_MOMENT;
    act.retired = act.written = ROLE_NO_MOMENT;
    act.slot = -1;
    if (is_work(act.op))
        act.work = &run->loop->ops[swp_loop_op_of_tag(act.op->tag)];
    act.touch = run->touch_count;
    if (act.work)
        role_touches(run, &act);
    act.touch_count = run->touch_count - act.touch;
    run->acts = role_room(run->acts, run->act_count, &run->act_capacity, sizeof *run->acts);
    run->acts[run->act_count++] = act;
}

static void write_list(role_run *run, int lane, swp_phase phase, int pass, int base)
{
    const role_lane *l = &run->lanes[lane];
    const swp_entry_list *entries = swp_stream_phase(&run->form->streams[l->stream], phase);
    for (int i = 0; i < (int)entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        if (op->instances == 0 || (op->instances >> l->instance & 1) != 0)
            write_entry(run, (role_act){.op = op,
                                        .lane = lane,
                                        .phase = phase,
                                        .pass = pass,
                                        .entry = i,
                                        .turn = base + op->iteration});
    }
}

static void write_lane(role_run *run, int lane)
{
    const swp_loop_shape *loop = &run->form->loop;
    const int tiles = loop->tiles_per_pass;
    const int passes = tiles > 0 ? (run->n - loop->min_tiles) / tiles : 0;
    run->lanes[lane].first = (int)run->act_count;
    write_list(run, lane, SWP_PROLOGUE, 0, 0);
    for (int p = 0; p < passes; p++)
        write_list(run, lane, SWP_KERNEL, p, p * tiles);
    write_list(run, lane, SWP_EPILOGUE, 0, passes * tiles);
    run->lanes[lane].count = (int)run->act_count - run->lanes[lane].first;
}

static void write_lanes(role_run *run)
{
    const swp_schedule *form = run->form;
    for (size_t s = 0; s < form->stream_count; s++)
        run->lane_count += form->streams[s].instances;
    run->lanes = role_take((size_t)run->lane_count, sizeof *run->lanes);
    int lane = 0;
    for (size_t s = 0; s < form->stream_count; s++)
        for (int i = 0; i < form->streams[s].instances; i++) {
            run->lanes[lane].stream = (int)s;
            run->lanes[lane].instance = i;
            write_lane(run, lane++);
        }
}

role_run role_run_new(const swp_schedule *schedule, int n)
{
    swp_schedule *form = role_take(1, sizeof *form);
    *form = swp_schedule_form(schedule, swp_schedule_form_of(schedule, n));
    role_run run = {.schedule = schedule, .form = form, .loop = form->dataflow->loop, .n = n};
    write_lanes(&run);
    role_moments(&run);
    role_order_close(&run.order);
    return run;
}

void role_run_free(role_run *run)
{
    for (int i = 0; i < run->slot_count; i++) {
        free(run->slots[i].phases);
        free(run->slots[i].openings);
    }
    free(run->slots);
    free(run->lanes);
    free(run->acts);
    free(run->touches);
    role_order_free(&run->order);
    free(run->form);
    *run = (role_run){0};
}
