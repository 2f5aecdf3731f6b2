/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a schedule with warp roles: who runs what, and which mbarriers and barriers there are. */
#include "emit/c/loop.h"
#include "emit/c/roles.h"

#include <inttypes.h>

static void put(swp_c_header *header, const char *what, const char *of, int value)
{
    swp_text_format(&header->text, "#define %s_%s_%s %d\n", header->prefix, what, of, value);
}

static void put_role(swp_c_header *header, size_t role)
{
    const swp_stream *stream = &header->schedule->streams[role];
    const char *name = header->role_macros[role];
    put(header, "ROLE", name, (int)role);
    put(header, "FIRST_WARP", name, swp_ir_role_warps(header->schedule, role).first);
    put(header, "WARPS", name, stream->warps);
    put(header, "INSTANCES", name, stream->instances);
    if (stream->registers > 0)
        put(header, "REGISTERS", name, stream->registers);
}

/* A chain of the roles' ends. Warps between two roles are beside the one before: no instance of it. */
static void put_chain(swp_c_header *header, const char *macro,
                      void (*put_one)(swp_c_header *header, size_t role))
{
    const swp_schedule *s = header->schedule;
    swp_text_format(&header->text, "#define %s_%s(warp) (", header->prefix, macro);
    for (size_t i = 0; i + 1 < s->stream_count; i++) {
        swp_text_format(&header->text, "(warp) < %d ? ", swp_ir_role_warps(s, i + 1).first);
        put_one(header, i);
        swp_text_format(&header->text, " : ");
    }
    put_one(header, s->stream_count - 1);
    swp_text_format(&header->text, ")\n");
}

static void put_role_number(swp_c_header *header, size_t role)
{
    swp_text_format(&header->text, "%s_ROLE_%s", header->prefix, header->role_macros[role]);
}

static void put_instance_number(swp_c_header *header, size_t role)
{
    const int first = swp_ir_role_warps(header->schedule, role).first;
    const int warps = header->schedule->streams[role].warps;
    swp_text_format(&header->text, "((warp) - %d) / %d", first, warps);
}

static void put_roles(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    const int warps = swp_ir_all_warps(s);
    swp_c_put_figure(header, "WARPS", warps);
    swp_c_put_figure(header, "THREADS", (int64_t)warps * SWP_IR_WARP_THREADS);
    swp_c_put_figure(header, "ROLE_THREADS",
                     (int64_t)swp_ir_instance_warps(s) * SWP_IR_WARP_THREADS);
    if (swp_ir_ranks(s) > 1) {
        swp_c_put_figure(header, "CLUSTER", s->cluster);
        swp_c_put_figure(header, "CLUSTER_MASK", (1 << s->cluster) - 1);
    }
    swp_c_put_figure(header, "LAUNCH_REGISTERS", swp_ir_launch_registers(s));
    for (size_t i = 0; i < s->stream_count; i++)
        put_role(header, i);
    put_chain(header, "ROLE_OF", put_role_number);
    put_chain(header, "INSTANCE_OF", put_instance_number);
}

/* Only where all phases of a pass have the same. */
static void put_phase_bytes(swp_c_header *header, size_t object)
{
    const swp_schedule *s = header->schedule;
    const int64_t bytes = swp_ir_phase_bytes(s, (int)object, 0);
    for (int turn = 1; turn < s->loop.tiles_per_pass; turn++)
        if (swp_ir_phase_bytes(s, (int)object, turn) != bytes)
            return;
    swp_text_format(&header->text, "#define %s_PHASE_BYTES_%s %" PRId64 "\n", header->prefix,
                    header->object_macros[object], bytes);
}

static void put_object(swp_c_header *header, size_t index)
{
    const swp_role_object *object = &header->schedule->objects[index];
    const char *name = header->object_macros[index];
    const char *x = header->prefix;
    const int first = swp_ir_first_slot(header->schedule, index);
    put(header, "OBJECT_SLOTS", name, object->slots);
    if (object->kind == SWP_OBJECT_NAMED_BARRIER) {
        put(header, "BARRIER_THREADS", name, object->threads);
        swp_text_format(&header->text,
                        "#define %s_BARRIER_%s(slot) (%s_FIRST_BARRIER + %d + (slot))\n", x, name,
                        x, first);
        return;
    }
    put(header, "ARRIVALS", name, object->arrivals);
    put_phase_bytes(header, index);
    swp_text_format(&header->text,
                    "#define %s_MBARRIER_%s(ctx, slot) (%s_MBARRIERS(ctx) + (%d + (slot)))\n", x,
                    name, x, first);
}

void swp_c_put_role_figures(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    const int mbarriers = swp_ir_object_slots(s, SWP_OBJECT_MBARRIER);
    swp_text_add(&header->text, "\n", 1);
    swp_c_put_shape(header);
    swp_c_put_loop_figures(header);
    put_roles(header);
    swp_c_put_figure(header, "MBARRIER_COUNT", mbarriers);
    if (s->output_tiles)
        swp_text_format(&header->text,
                        "typedef struct %s_STATE {\n    int pass, tile;\n} %s_STATE;\n"
                        "#define %s_FIRST_STATE {0, 0}\n",
                        header->prefix, header->prefix, header->prefix);
    if (swp_ir_object_slots(s, SWP_OBJECT_NAMED_BARRIER) > 0)
        swp_text_format(&header->text,
                        "#ifndef %s_FIRST_BARRIER\n#define %s_FIRST_BARRIER 1\n#endif\n",
                        header->prefix, header->prefix);
    for (size_t i = 0; i < s->object_count; i++)
        put_object(header, i);
}
