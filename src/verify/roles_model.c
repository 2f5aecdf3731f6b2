/* SPDX-License-Identifier: Apache-2.0 */
/* Notes what the ops of a loop with warp roles operand. */
#include "ir/entry.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "verify/roles.h"

/* --- Ops and values --- */

static swp_role_clock clock_of(const swp_loop *loop, int value)
{
    return swp_ir_is_of_passes(loop, value) ? SWP_PASS_CLOCK : SWP_TILE_CLOCK;
}

/* Only those of the value's clock count. */
static int makers_before(const swp_loop *loop, int value, int op)
{
    const swp_role_clock clock = clock_of(loop, value);
    int count = 0;
    for (int i = 0; i < op; i++)
        count += loop->ops[i].clock == clock && swp_ir_loop_makes(&loop->ops[i], value);
    return count;
}

static swp_status list_makers(swp_context *ctx, swp_role_model *m, int value)
{
    swp_role_value *of = &m->values[value];
    const swp_role_clock clock = clock_of(m->loop, value);
    int part = 0;
    of->makers = makers_before(m->loop, value, (int)m->loop->op_count);
    SWP_TRY(SWP_TAKE(ctx, (size_t)of->makers, &of->made_by));
    for (int op = 0; op < (int)m->loop->op_count; op++)
        if (m->loop->ops[op].clock == clock && swp_ir_loop_makes(&m->loop->ops[op], value))
            of->made_by[part++] = op;
    return SWP_OK;
}

static swp_status count_makers(swp_context *ctx, swp_role_model *m)
{
    for (int v = 0; v < (int)m->loop->value_count; v++) {
        swp_role_value *value = &m->values[v];
        value->is_shared = m->loop->values[v].space == SWP_SPACE_SHARED;
        SWP_TRY(list_makers(ctx, m, v));
        value->is_of_tiles = swp_ir_is_of_tiles(m->loop, v);
        value->is_cleared = swp_ir_is_cleared(m->loop, v);
        value->first = m->places;
        value->slots = m->schedule->dataflow->slots[v];
        if (value->slots < 1) /* nobody says how many an input has */
            value->slots = 1;
        m->places += value->slots;
    }
    return SWP_OK;
}

/* A tile before the first of its version is the last of the version before. */
static void add_operand(swp_role_model *m, int op, swp_role_operand operand)
{
    swp_role_op *to = &m->ops[op];
    const int makers = m->values[operand.value].makers;
    if (operand.part < 0 && makers > 0) {
        operand.part += makers;
        operand.distance++;
    }
    m->values[operand.value].is_read |= operand.kind != SWP_ROLE_WRITES;
    to->operands[to->operand_count++] = operand;
}

static swp_status add_operands(swp_context *ctx, swp_role_model *m, int op)
{
    const swp_loop_op *of = &m->loop->ops[op];
    SWP_TRY(SWP_TAKE(ctx, of->read_count + 2 * of->update_count + of->write_count,
                     &m->ops[op].operands));
    for (size_t i = 0; i < of->read_count; i++) {
        const swp_loop_read *read = &of->reads[i];
        const int last = read->distance > 0 ? m->values[read->value].makers
                                            : makers_before(m->loop, read->value, op);
        add_operand(m, op,
                    (swp_role_operand){SWP_ROLE_READS, read->value, read->distance, last - 1});
    }
    for (size_t i = 0; i < of->update_count; i++) {
        const int part = makers_before(m->loop, of->updates[i], op);
        if (!m->values[of->updates[i]].is_shared) /* of which a thread reads what it writes over */
            add_operand(m, op,
                        (swp_role_operand){SWP_ROLE_UPDATES_FROM, of->updates[i], 0, part - 1});
        add_operand(m, op, (swp_role_operand){SWP_ROLE_UPDATES, of->updates[i], 0, part});
    }
    for (size_t i = 0; i < of->write_count; i++)
        add_operand(m, op,
                    (swp_role_operand){SWP_ROLE_WRITES, of->writes[i], 0,
                                       makers_before(m->loop, of->writes[i], op)});
    return SWP_OK;
}

static swp_status list_registers(swp_context *ctx, swp_role_model *m, int op)
{
    swp_role_op *of = &m->ops[op];
    SWP_TRY(SWP_TAKE(ctx, (size_t)of->operand_count, &of->registers));
    for (int t = 0; t < of->operand_count; t++)
        if (!m->values[of->operands[t].value].is_shared)
            of->registers[of->register_count++] = t;
    return SWP_OK;
}

static void add_readers(swp_role_model *m, int value)
{
    swp_role_value *of = &m->values[value];
    for (size_t op = 0; op < m->loop->op_count; op++)
        for (int t = 0; t < m->ops[op].operand_count; t++) {
            const swp_role_operand *operand = &m->ops[op].operands[t];
            if (operand->kind == SWP_ROLE_READS && operand->value == value)
                of->readers[of->reader_count++] =
                    (swp_role_reader){(int)op, operand->distance, operand->part};
        }
}

static swp_status list_readers(swp_context *ctx, swp_role_model *m)
{
    for (size_t op = 0; op < m->loop->op_count; op++)
        for (int t = 0; t < m->ops[op].operand_count; t++)
            m->values[m->ops[op].operands[t].value].reader_count++;
    for (int v = 0; v < (int)m->loop->value_count; v++) {
        swp_role_value *value = &m->values[v];
        SWP_TRY(SWP_TAKE(ctx, (size_t)value->reader_count, &value->readers));
        value->reader_count = 0;
        add_readers(m, v);
    }
    return SWP_OK;
}

static void note_stream(swp_role_model *m, int stream, const swp_entry_list *entries)
{
    for (size_t i = 0; i < entries->count; i++)
        if (swp_ir_is_work(&entries->items[i].op))
            m->ops[swp_loop_op_of_tag(entries->items[i].op.tag)].stream = stream;
}

static void note_streams(swp_role_model *m)
{
    for (size_t i = 0; i < m->schedule->stream_count; i++) {
        const swp_entry_list *list = NULL;
        for (size_t k = 0; (list = swp_ir_stream_list(&m->schedule->streams[i], k)); k++)
            note_stream(m, (int)i, list);
    }
}

swp_status swp_verify_role_model_build(swp_context *ctx, const swp_schedule *schedule,
                                       swp_role_model *out)
{
    *out = (swp_role_model){.schedule = schedule, .loop = schedule->dataflow->loop};
    SWP_TRY(SWP_TAKE(ctx, out->loop->op_count, &out->ops));
    SWP_TRY(SWP_TAKE(ctx, out->loop->value_count, &out->values));
    SWP_TRY(count_makers(ctx, out));
    for (size_t op = 0; op < out->loop->op_count; op++) {
        SWP_TRY(add_operands(ctx, out, (int)op));
        SWP_TRY(list_registers(ctx, out, (int)op));
    }
    note_streams(out);
    return list_readers(ctx, out);
}

/* --- Steps --- */

bool swp_verify_role_comes_to(const swp_role_judge *judge, swp_happens_at at)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    bool comes = false;
    if (judge->ends && at.step >= judge->ends[at.instance])
        return false;
    for (int which = 0; which < swp_happens_threads_of(step); which++)
        comes |= swp_happens_issued(judge->run, swp_happens_thread_of(at.instance, which), at.step);
    return comes;
}

bool swp_verify_role_reads_all_along(const swp_role_model *model, int op, int value)
{
    return model->values[value].is_of_tiles && model->loop->ops[op].clock == SWP_PASS_CLOCK;
}

int64_t swp_verify_role_version(const swp_role_judge *judge, const swp_happens_step *step,
                                const swp_role_operand *operand)
{
    const int op = swp_loop_op_of_tag(step->op->tag);
    return swp_verify_role_reads_all_along(judge->model, op, operand->value)
               ? step->tile
               : step->iteration - operand->distance;
}
