/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the op that makes each version which an op reads, and the slot that it lies in. */
#include "run/dataflow.h"

#include "ir/roles.h"
#include "run/unroll.h"

static bool has(const int *values, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] == value)
            return true;
    return false;
}

static swp_role_clock clock_of(const swp_loop *loop, int value)
{
    return swp_ir_is_of_tiles(loop, value) ? SWP_TILE_CLOCK : SWP_PASS_CLOCK;
}

int swp_run_makers_before(const swp_loop *loop, int value, int op)
{
    const swp_role_clock clock = clock_of(loop, value);
    int makers = 0;
    for (const swp_loop_op *o = loop->ops; o < loop->ops + op; o++)
        makers += o->clock == clock && (has(o->writes, o->write_count, value) ||
                                        has(o->updates, o->update_count, value));
    return makers;
}

int swp_run_makers(const swp_loop *loop, int value)
{
    return swp_run_makers_before(loop, value, (int)loop->op_count);
}

int swp_run_last_tile(const swp_loop *loop, int value, int version)
{
    const int makers = swp_run_makers(loop, value);
    return makers == 0 ? 0 : version * makers + makers - 1;
}

int swp_run_version_of(const swp_loop *loop, int value, int tile)
{
    const int makers = swp_run_makers(loop, value);
    if (makers == 0)
        return 0;
    return tile < 0 ? -((makers - 1 - tile) / makers) : tile / makers;
}

bool swp_run_is_read(const swp_loop *loop, int value)
{
    for (const swp_loop_op *o = loop->ops; o < loop->ops + loop->op_count; o++) {
        if (has(o->updates, o->update_count, value))
            return true;
        for (size_t i = 0; i < o->read_count; i++)
            if (o->reads[i].value == value)
                return true;
    }
    return false;
}

bool swp_run_in_lds(const swp_loop *loop, int value)
{
    return loop->values[value].space == SWP_SPACE_SHARED;
}

bool swp_run_accesses_share(const swp_run_program *program, int value, int wave, int share)
{
    const swp_run_sharing *sharing = program->sharing;
    if (!swp_run_in_lds(program->dataflow->loop, value))
        return share == wave;
    if (program->manner->shares_all)
        return true;
    const int maker = sharing->maker[value];
    if (maker < 0)
        return share == 0;
    if (maker != sharing->role_of_instance[share])
        return false;
    if (sharing->is_multicast[value])
        return true;
    return share == wave || (maker != sharing->role_of_instance[wave] &&
                             sharing->rank_of_instance[share] == sharing->rank_of_instance[wave]);
}

bool swp_run_update_reads(const swp_run_program *program, int value)
{
    return program->manner->shares_all || !swp_run_in_lds(program->dataflow->loop, value);
}

/* The place or register in which a version stands. */
static int index_of(const swp_run_program *program, int value, int version)
{
    const int slots = program->dataflow->slots[value];
    const int slot = (version % slots + slots) % slots;
    return program->first_place[value] + slot;
}

swp_status swp_run_add_slots(swp_run_unroller *u)
{
    swp_run_program *program = u->program;
    const swp_loop *loop = program->dataflow->loop;
    SWP_TRY(SWP_TAKE(u->ctx, loop->value_count, &program->first_place));
    for (int value = 0; value < (int)loop->value_count; value++) {
        const bool in_lds = swp_run_in_lds(loop, value);
        swp_run_place_list *list = in_lds ? &program->places : &program->registers;
        program->first_place[value] = (int)list->count;
        for (int slot = 0; slot < program->dataflow->slots[value]; slot++) {
            const swp_run_place place = {value, in_lds ? slot : -1, in_lds ? 0 : slot};
            SWP_TRY(SWP_PUSH(u->ctx, list, place));
        }
    }
    return SWP_OK;
}

/* An op on its way to a step. */
typedef struct placing {
    swp_run_unroller *u;
    const swp_loop *loop;
    int op;
    bool is_of_tiles;
    swp_run_point at;
    int iteration; /* of its tile; of an op of the tile clock, the output tile */
    swp_run_step *step;
} placing;

static swp_status add(const placing *p, swp_run_operand_list *list, int value, int version,
                      int tile, bool update)
{
    const swp_run_operand operand = {.in_lds = swp_run_in_lds(p->loop, value),
                                     .update = update,
                                     .index = index_of(p->u->program, value, version),
                                     .tile = tile};
    return SWP_PUSH(p->u->ctx, list, operand);
}

/* What stands before iteration 0 of the tile, at the place of this version. */
static int before_tile(const placing *p, int value, int tile)
{
    return swp_ir_is_cleared(p->loop, value) ? swp_run_cleared(p->at.tile) : tile;
}

/* A value of the pass clock for an op of it; `tile` is counted from the output tile's first iteration. */
static swp_status add_of_passes(const placing *p, int value, int tile, bool update)
{
    const int version = swp_run_version_of(p->loop, value, tile);
    const int makers = swp_run_makers(p->loop, value);
    const bool is_cleared = swp_ir_is_cleared(p->loop, value);
    if (version >= 0 || swp_run_in_lds(p->loop, value))
        return add(p, &p->step->reads, value, p->at.base + version, p->at.base * makers + tile,
                   update);
    return add(p, &p->step->reads, value, p->at.base + (is_cleared ? -1 : version),
               before_tile(p, value, tile), update);
}

/* What the passes of the tile left, for an op of the tile clock. */
static swp_status add_last(const placing *p, int value)
{
    const int end = p->at.base + p->at.n;
    const int tile = p->at.n > 0 ? swp_run_last_tile(p->loop, value, end - 1)
                                 : before_tile(p, value, swp_run_last_tile(p->loop, value, -1));
    return add(p, &p->step->reads, value, end - 1, tile, false);
}

/* A value for an op of its own clock, or of the tile clock for one of the pass clock. */
static swp_status add_read(const placing *p, const swp_loop_read *read)
{
    const int value = read->value;
    const int makers = swp_run_makers(p->loop, value);
    const bool crosses = !p->is_of_tiles && swp_ir_is_of_tiles(p->loop, value);
    const int version = (crosses ? p->at.tile : p->iteration) - read->distance;
    int tile = swp_run_last_tile(p->loop, value, version);
    if (p->is_of_tiles && swp_ir_is_of_passes(p->loop, value))
        return add_last(p, value);
    if (read->distance == 0 && makers > 0)
        tile = version * makers + swp_run_makers_before(p->loop, value, p->op) - 1;
    return p->is_of_tiles || crosses || makers == 0
               ? add(p, &p->step->reads, value, version, tile, false)
               : add_of_passes(p, value, tile, false);
}

/* An op of the tile clock makes what stands before the first iteration of its tile. */
static swp_status add_clearing(const placing *p, int value)
{
    return add(p, &p->step->writes, value, p->at.base - 1, swp_run_cleared(p->at.tile), false);
}

/* Its tile of this iteration's version; an update reads the tile before. */
static swp_status add_made(const placing *p, int value, bool update)
{
    const int makers = swp_run_makers(p->loop, value);
    const int tile = p->iteration * makers + swp_run_makers_before(p->loop, value, p->op);
    const int base = p->is_of_tiles ? 0 : p->at.base;
    if (p->is_of_tiles && swp_ir_is_of_passes(p->loop, value))
        return add_clearing(p, value);
    update = update && swp_run_update_reads(p->u->program, value);
    if (update && p->is_of_tiles)
        SWP_TRY(add(p, &p->step->reads, value, swp_run_version_of(p->loop, value, tile - 1),
                    tile - 1, true));
    else if (update)
        SWP_TRY(add_of_passes(p, value, tile - 1, true));
    return add(p, &p->step->writes, value, base + p->iteration, base * makers + tile, false);
}

static bool reads_lds(const swp_loop *loop, const swp_loop_op *op)
{
    bool reads = false;
    for (size_t i = 0; i < op->read_count; i++)
        reads = reads || swp_run_in_lds(loop, op->reads[i].value);
    for (size_t i = 0; i < op->update_count; i++)
        reads = reads || swp_run_in_lds(loop, op->updates[i]);
    return reads;
}

/*
 * Where an asynchronous op waits. Where only the kind is stated, what it reads decides, and swp_check_loop() has
 * refused what could be either.
 */
static int queue_of(const swp_loop *loop, const swp_loop_op *op)
{
    switch (op->completion) {
    case SWP_COMPLETION_COUNTER:
        return SWP_RUN_VM + reads_lds(loop, op);
    case SWP_COMPLETION_GROUP:
        return SWP_RUN_COPY_GROUP + reads_lds(loop, op);
    case SWP_COMPLETION_MBARRIER:
        return SWP_RUN_COPY_MBARRIER + reads_lds(loop, op);
    case SWP_COMPLETION_VMCNT:
        return SWP_RUN_VM;
    case SWP_COMPLETION_LGKMCNT:
        return SWP_RUN_LGKM;
    case SWP_COMPLETION_COPY_GROUP:
        return SWP_RUN_COPY_GROUP;
    case SWP_COMPLETION_MATRIX_GROUP:
        return SWP_RUN_MATRIX_GROUP;
    case SWP_COMPLETION_COPY_MBARRIER:
        return SWP_RUN_COPY_MBARRIER;
    case SWP_COMPLETION_MATRIX_MBARRIER:
        return SWP_RUN_MATRIX_MBARRIER;
    case SWP_COMPLETION_STORE_GROUP:
        return SWP_RUN_STORE_GROUP;
    case SWP_COMPLETION_UNSTATED:
    case SWP_COMPLETION_NONE:
        break;
    }
    return SWP_RUN_NO_QUEUE;
}

static bool writes_shared(const swp_run_step *step)
{
    for (size_t i = 0; i < step->writes.count; i++)
        if (step->writes.items[i].in_lds)
            return true;
    return false;
}

/* Counters belong to instructions that read registers as they issue; groups and mbarriers do not. */
static void set_completion(swp_run_step *step)
{
    const bool is_counted = step->queue == SWP_RUN_VM || step->queue == SWP_RUN_LGKM;
    step->is_awaited = is_counted && step->writes.count == 1 && !step->writes.items[0].in_lds;
    step->reads_in_flight = !is_counted && step->queue != SWP_RUN_NO_QUEUE;
    step->in_order = step->queue == SWP_RUN_MATRIX_GROUP && !writes_shared(step);
}

/* What it is there for: an iteration of its tile, or a tile of the run. */
static void set_row(const placing *p)
{
    const int tiles = p->u->program->extent.tile_count;
    p->step->tile = p->is_of_tiles ? p->iteration : p->at.base + p->iteration;
    p->step->is_outside = p->iteration < 0 || p->iteration >= (p->is_of_tiles ? tiles : p->at.n);
}

swp_status swp_run_set_op(swp_run_unroller *u, const swp_op *op, swp_run_point at,
                          swp_run_step *step)
{
    const swp_loop *loop = u->program->dataflow->loop;
    if (swp_infrastructure_name(op->tag))
        return SWP_OK;
    const int index = swp_loop_op_of_tag(op->tag);
    const swp_loop_op *o = &loop->ops[index];
    const bool is_of_tiles = o->clock == SWP_TILE_CLOCK;
    const int from = is_of_tiles ? at.tile : at.from;
    const placing p = {u, loop, index, is_of_tiles, at, from + op->iteration, step};
    step->action = SWP_RUN_OP;
    step->op = index;
    set_row(&p);
    step->queue = queue_of(loop, o);
    step->cost = step->queue == SWP_RUN_NO_QUEUE ? 0 : o->accesses;
    for (size_t i = 0; i < o->read_count; i++)
        SWP_TRY(add_read(&p, &o->reads[i]));
    for (size_t i = 0; i < o->update_count; i++)
        SWP_TRY(add_made(&p, o->updates[i], true));
    for (size_t i = 0; i < o->write_count; i++)
        SWP_TRY(add_made(&p, o->writes[i], false));
    set_completion(step);
    step->may_not_run = o->when.kind != SWP_WHEN_ALWAYS;
    return SWP_OK;
}
