/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up the table of synchronisation objects. */
#include "ir/sync_objects.h"

static const swp_sync_object_row rows[] = {
#define SWP_ROW(identifier, name, kind, wait, fence_retires, in_order)                             \
    [identifier] = {name, SWP_COMPLETION_##kind, SWP_WAIT_FOR_##wait, fence_retires, in_order},
    SWP_SYNC_OBJECT_ROWS(SWP_ROW)
#undef SWP_ROW
};

const swp_sync_object_row *swp_ir_sync_object_row(swp_sync_object object)
{
    return &rows[object];
}

swp_sync_object swp_ir_sync_object_of(swp_completion kind, swp_wait_kind wait)
{
    swp_sync_object object = 0;
    while (object < SWP_SYNC_OBJECTS && (rows[object].kind != kind || rows[object].wait != wait))
        object++;
    return object;
}

bool swp_ir_sync_in_order(swp_sync_object earlier, swp_sync_object later)
{
    return earlier == later && earlier != SWP_NO_OBJECT && rows[earlier].in_order;
}

int swp_ir_sync_largest(const swp_machine *machine, swp_sync_object object)
{
    if (rows[object].kind != SWP_COMPLETION_COUNTER)
        return 0;
    return swp_ir_most_in_flight(machine, rows[object].wait);
}
