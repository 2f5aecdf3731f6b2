/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output tiles in the derivation (docs/roles-proof.md, "Derivation"): what a role does once a tile is taken for a role of its own, whose
 * iterations are tiles. There one op stands for all passes.
 */
#include "ir/loop_clocks.h"
#include "ir/loop_dataflow.h"
#include "sync/roles.h"

typedef struct splitter {
    swp_roles *r;
    const swp_loop *from;
    int roles;
    swp_loop_op *ops;
} splitter;

static bool reads(const swp_loop_op *op, int value)
{
    for (size_t i = 0; i < op->read_count; i++)
        if (op->reads[i].value == value)
            return true;
    return false;
}

/* Whether some op of passes in the role reads it, or makes it. */
static bool is_accessed(const splitter *s, int role, int value, bool makes)
{
    for (size_t i = 0; i < s->from->op_count; i++) {
        const swp_loop_op *op = &s->from->ops[i];
        if (op->clock == SWP_PASS_CLOCK && op->role == role &&
            (makes ? swp_ir_loop_makes(op, value) : reads(op, value)))
            return true;
    }
    return false;
}

/*
 * All passes of a tile, as one ordinary op: it reads what is made once a tile, and has the registers of passes. Asynchronous ops of
 * passes are retired by then.
 */
static swp_status stand_for_passes(const splitter *s, int role, swp_loop_op *out)
{
    swp_loop_read *tiles = NULL;
    int *updates = NULL;
    SWP_TRY(SWP_TAKE(s->r->ctx, s->from->value_count, &tiles));
    SWP_TRY(SWP_TAKE(s->r->ctx, s->from->value_count, &updates));
    *out = (swp_loop_op){.name = "",
                         .completion = SWP_COMPLETION_NONE,
                         .accesses = 1,
                         .role = s->roles + role,
                         .clock = SWP_TILE_CLOCK,
                         .reads = tiles,
                         .updates = updates,
                         .place = s->from->place};
    for (int value = 0; value < (int)s->from->value_count; value++) {
        const bool is_register = s->from->values[value].space == SWP_SPACE_REGISTERS;
        if (swp_ir_is_of_tiles(s->from, value) && is_accessed(s, role, value, false))
            tiles[out->read_count++].value = value;
        else if (is_register && is_accessed(s, role, value, true))
            updates[out->update_count++] = value;
    }
    return SWP_OK;
}

bool swp_sync_roles_passes_read_late(const swp_roles *r, int op, int value)
{
    const swp_loop *from = r->schedule->dataflow->loop;
    const int role = r->loop->ops[op].role - (int)r->schedule->stream_count;
    for (int i = 0; r->output_tiles && op >= r->passes && i < (int)from->op_count; i++)
        if (from->ops[i].clock == SWP_PASS_CLOCK && from->ops[i].role == role &&
            reads(&from->ops[i], value) && swp_sync_roles_is_asynchronous(r, i))
            return true;
    return false;
}

/* An op of passes without what it reads of its tile. */
static swp_status leave_tiles_out(const splitter *s, swp_loop_op *op)
{
    const swp_loop_read *from = op->reads;
    swp_loop_read *kept = NULL;
    SWP_TRY(SWP_TAKE(s->r->ctx, op->read_count, &kept));
    op->reads = kept;
    const size_t count = op->read_count;
    op->read_count = 0;
    for (size_t i = 0; i < count; i++)
        if (!swp_ir_is_of_tiles(s->from, from[i].value))
            kept[op->read_count++] = from[i];
    return SWP_OK;
}

static swp_status split_ops(const splitter *s)
{
    const size_t count = s->from->op_count;
    for (size_t i = 0; i < count; i++) {
        s->ops[i] = s->from->ops[i];
        if (s->ops[i].clock == SWP_TILE_CLOCK)
            s->ops[i].role += s->roles;
        else
            SWP_TRY(leave_tiles_out(s, &s->ops[i]));
    }
    for (int role = 0; role < s->roles; role++)
        SWP_TRY(stand_for_passes(s, role, &s->ops[count + (size_t)role]));
    return SWP_OK;
}

static swp_status split_roles(const splitter *s, swp_loop *out)
{
    swp_loop_role *roles = NULL;
    SWP_TRY(SWP_TAKE(s->r->ctx, 2 * (size_t)s->roles, &roles));
    for (int i = 0; i < 2 * s->roles; i++)
        roles[i] = s->from->roles[i % s->roles];
    out->roles = roles;
    out->role_count = 2 * (size_t)s->roles;
    return SWP_OK;
}

/* What is done once a tile has one stage, and no times: it is done where it stands. */
static swp_status split_pipeline(const splitter *s, size_t count)
{
    const swp_pipeline *from = s->r->pipeline;
    const int first = swp_ir_loop_first_of_passes(s->from);
    swp_pipeline *out = NULL;
    int *stage = NULL;
    int64_t *times = NULL;
    SWP_TRY(SWP_TAKE(s->r->ctx, 1, &out));
    SWP_TRY(SWP_TAKE(s->r->ctx, count, &stage));
    SWP_TRY(SWP_TAKE(s->r->ctx, count, &times));
    for (size_t i = 0; i < count; i++)
        stage[i] = s->r->least;
    for (size_t i = 0; i < from->loop->op_count; i++) {
        stage[(size_t)first + i] = from->stage[i];
        times[(size_t)first + i] = from->answer.times[i];
    }
    *out = *from;
    out->stage = stage;
    out->answer.times = times;
    s->r->pipeline = out;
    return SWP_OK;
}

swp_status swp_sync_roles_split_clocks(swp_roles *r, const swp_loop *loop)
{
    const int roles = (int)r->schedule->stream_count;
    const size_t count = loop->op_count + (size_t)roles;
    splitter s = {.r = r, .from = loop, .roles = roles};
    swp_loop *out = NULL;
    SWP_TRY(SWP_TAKE(r->ctx, 1, &out));
    SWP_TRY(SWP_TAKE(r->ctx, count, &s.ops));
    *out = *loop;
    out->ops = s.ops;
    out->op_count = count;
    SWP_TRY(split_ops(&s));
    SWP_TRY(split_roles(&s, out));
    SWP_TRY(split_pipeline(&s, count));
    r->loop = out;
    r->passes = (int)loop->op_count;
    return SWP_OK;
}
