/* SPDX-License-Identifier: Apache-2.0 */
/* What a warp role's threads run: how they begin, and the lists one after the other. */
#include "base/diag.h"
#include "emit/c/condition.h"
#include "emit/c/roles.h"

#include "base/context.h"

/* Whether the calling thread is the one that `one` stands for: it is in its instance's first warp. */
static void put_elect(swp_c_header *header, const char *indent)
{
    swp_text_format(&header->text, "%sint %s_one_ = 0; \\\n%sSWP_ELECT(%s_one_); \\\n", indent,
                    header->local, indent, header->local);
}

static void put_init_object(swp_c_header *header, size_t index)
{
    const swp_role_object *object = &header->schedule->objects[index];
    if (object->kind != SWP_OBJECT_MBARRIER)
        return;
    for (int slot = 0; slot < object->slots; slot++)
        swp_text_format(&header->text,
                        "            SWP_MBARRIER_INIT(%s_MBARRIER_%s(ctx, %d), %d); \\\n",
                        header->prefix, header->object_macros[index], slot, object->arrivals);
}

static void put_init(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    swp_text_format(&header->text, "\n#define %s_INIT(ctx) \\\n    do { \\\n", header->prefix);
    put_elect(header, "        ");
    /* All lanes have to come to SWP_WARP(), which is a shuffle: it stands first. */
    swp_text_format(&header->text, "        if (SWP_WARP() == 0 && %s_one_) { \\\n", header->local);
    for (size_t i = 0; i < s->object_count; i++)
        put_init_object(header, i);
    if (swp_ir_object_slots(s, SWP_OBJECT_MBARRIER) > 0)
        swp_text_format(&header->text, "            SWP_MBARRIER_INIT_FENCE(); \\\n");
    swp_text_format(&header->text, "        } \\\n");
    if (swp_ir_ranks(s) >
        1) /* nobody copies to a work group, or arrives there, before it has done so */
        swp_text_format(&header->text,
                        "        SWP_CLUSTER_ARRIVE(); \\\n        SWP_CLUSTER_WAIT(); \\\n");
    else
        swp_text_format(&header->text, "        SWP_NAMED_SYNC(0, %s_THREADS); \\\n",
                        header->prefix);
    swp_text_format(&header->text, "    } while (0)\n");
}

static void put_enter(swp_c_header *header, size_t role)
{
    const int registers = header->schedule->streams[role].registers;
    const int launched = swp_ir_launch_registers(header->schedule);
    swp_text_format(&header->text, "\n#define %s_ENTER_%s(ctx) ", header->prefix,
                    header->role_macros[role]);
    if (registers == 0 || registers == launched)
        swp_text_format(&header->text, "((void)0)\n");
    else
        swp_text_format(&header->text, "SWP_%s_REGISTERS(%d)\n",
                        registers < launched ? "LOWER" : "RAISE", registers);
}

/* Whether this is the thread of its instance that `one` means. */
static void put_own_thread(swp_c_header *header, size_t role)
{
    const swp_stream *stream = &header->schedule->streams[role];
    const char *v = header->local;
    put_elect(header, "        ");
    if (stream->warps > 1)
        swp_text_format(&header->text,
                        "        %s_one_ = SWP_WARP() == %s_FIRST_WARP_%s + %d * %s_instance_ && "
                        "%s_one_; \\\n",
                        v, header->prefix, header->role_macros[role], stream->warps, v, v);
    swp_text_format(&header->text, "        (void)%s_one_; \\\n", v);
}

/* Warps beside the instances of a role have numbers behind theirs, and do nothing. */
static void put_leave(swp_c_header *header, size_t role)
{
    swp_text_format(&header->text,
                    "        if (%s_instance_ >= %s_INSTANCES_%s) { \\\n            break; \\\n"
                    "        } \\\n",
                    header->local, header->prefix, header->role_macros[role]);
}

static void put_begin(swp_c_header *header, size_t role)
{
    const char *v = header->local;
    const char *x = header->prefix;
    const char *name = header->role_macros[role];
    swp_text_format(&header->text,
                    "\n#define %s_RUN_%s(ctx, instance, %sn_tiles) \\\n    do { \\\n"
                    "        const long long %s_all_ = (n_tiles); \\\n"
                    "        const int %s_n_ = (int)%s_all_ == %s_all_ ? (int)%s_all_ : -1; \\\n"
                    "        const int %s_instance_ = (instance); \\\n",
                    x, name, header->schedule->output_tiles ? "state, " : "", v, v, v, v, v, v);
    put_own_thread(header, role);
    swp_text_format(&header->text, "        %s_ASSERT_TILES(n_tiles); \\\n", x);
    put_leave(header, role);
}

/* Behind the last output tile. */
static void put_drain(swp_c_header *header, size_t role)
{
    if (header->schedule->streams[role].drain.count == 0) {
        swp_text_format(&header->text,
                        "\n#define %s_DRAIN_%s(ctx, instance, state) ((void)(instance))\n",
                        header->prefix, header->role_macros[role]);
        return;
    }
    swp_text_format(&header->text,
                    "\n#define %s_DRAIN_%s(ctx, instance, state) \\\n    do { \\\n"
                    "        const int %s_instance_ = (instance); \\\n",
                    header->prefix, header->role_macros[role], header->local);
    put_own_thread(header, role);
    put_leave(header, role);
    swp_text_format(&header->text, "        %s_LAST%s(%s); \\\n    } while (0)\n", header->prefix,
                    header->list_suffix, header->list_arguments);
}

static void put_end(swp_c_header *header)
{
    const char *v = header->local;
    swp_text_format(&header->text,
                    "        %s_END%s(%s, %s_n_); \\\n"
                    "        (state).pass += %s_n_; \\\n        (state).tile++; \\\n",
                    header->prefix, header->list_suffix, header->list_arguments, v, v);
}

/* What is no number of iterations must not touch the state, which goes on to the next tile. */
static void put_begin_of_tile(swp_c_header *header, const char *told)
{
    const char *v = header->local;
    const char *x = header->prefix;
    swp_text_format(
        &header->text,
        "        if (!%s_TILES_OK(%s_n_)) { \\\n"
        "            SWP_BAD_TILES(ctx, %s_n_); \\\n            break; \\\n        } \\\n"
        "        %s_BEGIN%s(%s%s); \\\n",
        x, v, v, x, header->list_suffix, header->list_arguments, told);
}

static swp_status put_run(swp_c_header *header, size_t role)
{
    const char *v = header->local;
    const char *x = header->prefix;
    const bool tiles = header->schedule->output_tiles;
    char *suffix = NULL;
    char *arguments = NULL;
    char *told = "";
    SWP_TRY(swp_format(header->ctx, &suffix, "_%s", header->role_macros[role]));
    SWP_TRY(swp_format(header->ctx, &arguments, "ctx, %s_instance_, %s_one_%s", v, v,
                       tiles ? ", state" : ""));
    if (swp_c_loop_asks_for_last(header))
        SWP_TRY(swp_format(header->ctx, &told, ", %s_n_", v));
    header->list_suffix = suffix;
    header->list_arguments = arguments;
    put_begin(header, role);
    if (tiles)
        put_begin_of_tile(header, told);
    swp_c_put_run_straight(header);
    swp_text_format(&header->text,
                    "        %sif (%s_TILES_OK(%s_n_)) { \\\n            %s_PROLOGUE%s(%s%s); \\\n",
                    header->schedule->streams[0].tails.straight_count > 0 ? "} else " : "", x, v, x,
                    suffix, arguments, told);
    swp_c_put_run_loop(header, swp_c_role_pass(header->schedule, role));
    swp_text_format(
        &header->text,
        "        } else { \\\n            SWP_BAD_TILES(ctx, %s_n_); \\\n        } \\\n", v);
    if (tiles)
        put_end(header);
    swp_text_format(&header->text, "    } while (0)\n");
    if (tiles)
        put_drain(header, role);
    return header->text.status;
}

swp_status swp_c_put_role_runs(swp_c_header *header)
{
    swp_c_put_tiles_ok(header);
    put_init(header);
    for (size_t i = 0; i < header->schedule->stream_count; i++) {
        put_enter(header, i);
        SWP_TRY(put_run(header, i));
    }
    return header->text.status;
}
