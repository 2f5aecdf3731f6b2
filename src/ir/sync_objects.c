/* SPDX-License-Identifier: Apache-2.0 */
/* Finds rows of the table of synchronisation objects, by what names them. */
#include "ir/sync_objects.h"

const char *swp_ir_sync_object_name(swp_sync_object object)
{
    return swp_ir_sync_object_row(object)->name;
}

const swp_sync_operation *swp_ir_sync_other_operation(void)
{
    static const swp_sync_operation other = {.object = SWP_NO_OBJECT};
    return &other;
}

/* --- Accesses of one wave --- */

static swp_sync_object object_of(swp_completion kind, swp_wait_kind wait)
{
    swp_sync_object object = 0;
    while (object < SWP_SYNC_OBJECTS && (swp_ir_sync_object_row(object)->kind != kind ||
                                         swp_ir_sync_object_row(object)->wait != wait))
        object++;
    return object;
}

swp_sync_object swp_ir_loop_object_of(const swp_loop *loop, const swp_loop_op *op)
{
    return object_of(swp_ir_completion_kind(op->completion), swp_ir_loop_wait_of(loop, op));
}

bool swp_ir_sync_in_order(swp_sync_object earlier, swp_sync_object later)
{
    return earlier == later && swp_ir_sync_object_row(earlier)->in_order;
}

int swp_ir_sync_largest(const swp_machine *machine, swp_sync_object object)
{
    const swp_sync_object_row *row = swp_ir_sync_object_row(object);
    return row->kind == SWP_COMPLETION_COUNTER ? swp_ir_most_in_flight(machine, row->wait) : 0;
}

/* --- Warp roles --- */

swp_sync_object swp_ir_sync_tracker(swp_completion completion)
{
    for (int o = 0; o < swp_ir_sync_table.object_count; o++)
        if (swp_ir_sync_table.objects[o].tracks == completion &&
            completion != SWP_COMPLETION_UNSTATED)
            return (swp_sync_object)o;
    return SWP_NO_OBJECT;
}

int swp_ir_sync_left(swp_sync_object object, int left)
{
    const int most = swp_ir_sync_object_row(object)->most_left;
    return most > 0 && left > most ? most : left;
}

int swp_ir_sync_commit_of(swp_sync_object object)
{
    for (int i = 0; i < swp_ir_sync_table.operation_count; i++)
        if (swp_ir_sync_table.operations[i].object == object &&
            swp_ir_sync_table.operations[i].commits)
            return SWP_TAG_BARRIER + i;
    return -1;
}

int swp_ir_sync_wait_of(swp_sync_object object, bool reads_alone)
{
    for (int i = 0; i < swp_ir_sync_table.operation_count; i++) {
        const swp_sync_operation *operation = &swp_ir_sync_table.operations[i];
        if (operation->object == object && operation->waits &&
            operation->reads_alone == reads_alone)
            return SWP_TAG_BARRIER + i;
    }
    return -1;
}

bool swp_ir_sync_has_registers(swp_sync_object object)
{
    const swp_op_form *form = swp_ir_op_form(swp_ir_sync_object_row(object)->tracks);
    return form && form->registers;
}
