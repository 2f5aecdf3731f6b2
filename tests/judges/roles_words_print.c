/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "roles_words.h"

static void print_list(const role_program *p, const char *name, const swp_entry_list *list)
{
    printf("%s\n", name);
    for (size_t i = 0; i < list->count; i++) {
        const swp_op *op = &list->items[i].op;
        const char *tag = swp_infrastructure_name(op->tag);
        printf("%s %s %d wait %d slot %d step %d bytes %d %s only %d\n",
               tag ? tag : p->loop.ops[swp_loop_op_of_tag(op->tag)].name,
               op->object < 0 ? "" : p->objects[op->object].name, op->iteration, op->wait_value,
               op->slot, op->slot_step, op->bytes, swp_threads_name(op->by), op->instances);
    }
}

void role_program_print(const role_program *p)
{
    for (size_t i = 0; i < p->schedule.object_count; i++)
        printf("%s %s %d %d\n", swp_role_object_kind_name(p->objects[i].kind), p->objects[i].name,
               p->objects[i].slots, p->objects[i].arrivals + p->objects[i].threads);
    for (size_t i = 0; i < p->schedule.stream_count; i++) {
        const swp_stream *stream = &p->schedule.streams[i];
        printf("role %s %d %d\n", stream->name, stream->warps, stream->instances);
        print_list(p, "prologue", &stream->prologue);
        print_list(p, "kernel", &stream->kernel);
        print_list(p, "epilogue", &stream->epilogue);
    }
}
