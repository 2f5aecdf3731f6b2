/* SPDX-License-Identifier: Apache-2.0 */
/* Says in words what the table of synchronisation objects says in cells. */
#include "base/require.h"
#include "ir/sync_objects.h"
#include "swp/objects.h"

#include <stdio.h>
#include <string.h>

/* A text of parts with commas in between. */
static void add(char *text, const char *part)
{
    const size_t length = strlen(text);
    (void)snprintf(text + length, SWP_OBJECT_TEXT_SIZE - length, "%s%s", length ? ", " : "", part);
}

static const char *kind_of(const swp_sync_object_row *row)
{
    switch (row->completes) {
    case SWP_COMPLETES_BY_MEETING:
        return "barrier";
    case SWP_COMPLETES_BY_PHASE:
        return swp_completion_name(SWP_COMPLETION_MBARRIER);
    case SWP_COMPLETES_BY_GROUP:
        return swp_completion_name(SWP_COMPLETION_GROUP);
    default:
        return swp_completion_name(row->kind);
    }
}

static void add_operations(swp_sync_object object, swp_object_description *out)
{
    for (int i = 0; i < swp_ir_sync_table.operation_count; i++) {
        const swp_sync_operation *operation = &swp_ir_sync_table.operations[i];
        const char *name = swp_infrastructure_name(SWP_TAG_BARRIER + i);
        if (operation->object == object && operation->waits)
            add(out->waited_for_by, name);
        if (operation->object == object && (operation->arrives || operation->commits))
            add(out->told_by, name);
    }
}

static void add_tracked(const swp_sync_object_row *row, swp_object_description *out)
{
    if (row->tracks == SWP_COMPLETION_UNSTATED)
        return;
    add(out->tracks, swp_completion_name(row->tracks));
    add(out->tracks, row->word);
    const swp_op_form *form = swp_ir_op_form(row->tracks);
    add(out->tracks, form && form->by == SWP_ONE_THREAD ? "by one thread"
                     : row->collective                  ? "by all threads together"
                                                        : "by all threads");
    add(out->tracks, row->async_proxy ? "async proxy" : "generic proxy");
    if (row->completes == SWP_COMPLETES_BY_GROUP)
        add(out->tracks, row->any_order ? "in any order" : "in order");
}

bool swp_object_describe(size_t index, swp_object_description *out)
{
    SWP_REQUIRE_OR(false, out);
    const size_t object = index < SWP_NO_OBJECT ? index : index + 1;
    if (object >= (size_t)swp_ir_sync_table.object_count)
        return false;
    const swp_sync_object_row *row = &swp_ir_sync_table.objects[object];
    *out = (swp_object_description){.name = row->name,
                                    .kind = kind_of(row),
                                    .arrives = row->arrives,
                                    .completes = row->completed,
                                    .retires = row->retires,
                                    .orders = row->order,
                                    .leaves = row->leaves,
                                    .evidence = row->evidence};
    if (object < SWP_SYNC_OBJECTS)
        add(out->waited_for_by,
            swp_infrastructure_name(row->wait == SWP_WAIT_FOR_VM ? SWP_TAG_WAIT_VM
                                                                 : SWP_TAG_WAIT_LGKM));
    add_operations((swp_sync_object)object, out);
    add_tracked(row, out);
    return true;
}
