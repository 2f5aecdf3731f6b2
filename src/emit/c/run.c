/* SPDX-License-Identifier: Apache-2.0 */
/* The run that joins the phases, for the numbers of tiles that the loop takes. */
#include "emit/c/condition.h"
#include "ir/implied_barriers.h"
#include "ir/schedule.h"

static bool takes_any_n(const swp_schedule *schedule)
{
    return swp_schedule_forms(schedule) > 1;
}

void swp_c_put_tiles_ok(swp_c_header *header)
{
    const char *x = header->prefix;
    const swp_loop_shape *loop = &header->schedule->loop;
    swp_text *text = &header->text;
    swp_text_format(
        text,
        "\n/* Whether the loop takes so many tiles; and an error if a constant number is "
        "refused. */\n#define %s_TILES_OK(n) ((n) >= %d && (n) <= %s_MAX_TILES",
        x, takes_any_n(header->schedule) ? 0 : loop->min_tiles, x);
    if (loop->multiple > 1)
        swp_text_format(text, " && (n) %% %d == 0", loop->multiple);
    if (!takes_any_n(header->schedule) &&
        (loop->min_tiles % loop->tiles_per_pass != 0 || loop->multiple % loop->tiles_per_pass != 0))
        swp_text_format(text, " && ((n) - %d) %% %d == 0", loop->min_tiles, loop->tiles_per_pass);
    swp_text_format(
        text,
        ")\n#if defined(__GNUC__)\n"
        "#define %s_ASSERT_TILES(n) \\\n"
        "    ((void)sizeof(char[(__builtin_constant_p(n) ? %s_TILES_OK(n) : 1) ? 1 : -1]))\n"
        "#else\n#define %s_ASSERT_TILES(n) ((void)0)\n#endif\n",
        x, x, x);
}

static void put_line(swp_c_header *header, const char *line)
{
    swp_text_format(&header->text, "            %s \\\n", line);
}

/* The call of a prologue, or of a part of it. */
static void put_run_part(swp_c_header *header, const char *part)
{
    swp_text_format(&header->text, "            %s_%s(ctx", header->prefix, part);
    if (swp_c_loop_asks_for_last(header))
        swp_text_format(&header->text, ", %s_n_", header->local);
    swp_text_format(&header->text, "); \\\n");
}

int swp_c_group_barrier(const swp_c_header *header, swp_phase phase, int group)
{
    const swp_entry_list *entries = swp_schedule_phase(header->schedule, phase);
    for (size_t i = 0; i < entries->count; i++)
        if (swp_ir_only_group(&entries->items[i].op) == group)
            return (int)i;
    return -1;
}

/* A barrier that one group runs and the other does not. */
static void put_group_barrier(swp_c_header *header, int group)
{
    swp_text_format(&header->text,
                    "            if (%s_group_ == %d) { \\\n                SWP_BARRIER(); \\\n"
                    "            } \\\n",
                    header->local, group);
}

static void put_run_prologue(swp_c_header *header)
{
    if (swp_c_group_barrier(header, SWP_PROLOGUE, 1) >= 0) {
        put_run_part(header, "PROLOGUE_HEAD");
        put_group_barrier(header, 1);
        put_run_part(header, "PROLOGUE_TAIL");
    } else {
        put_run_part(header, "PROLOGUE");
    }
}

/* Where the passes end: `behind` tiles before N. */
static void put_end(swp_c_header *header, int behind)
{
    swp_text_format(&header->text, "%s_n_", header->local);
    if (behind != 0)
        swp_text_format(&header->text, " %c %d", behind > 0 ? '-' : '+',
                        behind > 0 ? behind : -behind);
}

/* How far before N the kb of an epilogue is, where r tiles are left over. */
static int epilogue_base(const swp_c_header *header, int r)
{
    const swp_schedule *s = header->schedule;
    if (swp_c_is_of_loop(header))
        return s->loop.min_tiles + r;
    return s->loop.placement == SWP_PLACE_K_OFFSET ? 0 : s->loop.min_tiles - s->loop.first_base;
}

static void put_remainder(swp_c_header *header, int r)
{
    const swp_schedule *s = header->schedule;
    swp_text_format(&header->text,
                    "            %sif ((%s_n_ - %d) %% %d == %d) { \\\n"
                    "                %s_EPILOGUE_%d%s(%s, ",
                    r > 1 ? "} else " : "", header->local, s->loop.min_tiles,
                    s->loop.tiles_per_pass, r, header->prefix, r, header->list_suffix,
                    header->list_arguments);
    put_end(header, epilogue_base(header, r));
    swp_text_format(&header->text, "); \\\n");
}

/* With k offsets the epilogue's kb is N; otherwise it goes on from the last pass. */
void swp_c_put_run_loop(swp_c_header *header, int tiles_per_pass)
{
    const swp_schedule *s = header->schedule;
    const swp_loop_shape *loop = &s->loop;
    const char *x = header->prefix;
    const char *v = header->local;
    const int behind = loop->min_tiles - loop->first_base;
    swp_text *text = &header->text;
    swp_text_format(text, "            for (int %s_kb_ = %d; %s_kb_ < ", v, loop->first_base, v);
    /* Tiles that fill no pass are the epilogue's. */
    put_end(header, takes_any_n(s) ? behind + tiles_per_pass - 1 : behind);
    swp_text_format(text, "; %s_kb_ += %d) { \\\n                %s_KERNEL%s(%s, %s_kb_", v,
                    tiles_per_pass, x, header->list_suffix, header->list_arguments, v);
    if (swp_c_loop_asks_for_last(header))
        swp_text_format(text, ", %s_n_", v);
    swp_text_format(text, "); \\\n            } \\\n");
    const bool chooses = tiles_per_pass > 1 && s->streams[0].tails.epilogue_count > 0;
    for (int r = 1; chooses && r <= (int)s->streams[0].tails.epilogue_count; r++)
        put_remainder(header, r);
    if (chooses)
        put_line(header, "} else {");
    swp_text_format(text, "            %s%s_EPILOGUE%s(%s, ", chooses ? "    " : "", x,
                    header->list_suffix, header->list_arguments);
    put_end(header, epilogue_base(header, 0));
    swp_text_format(text, "); \\\n");
    if (chooses)
        put_line(header, "}");
}

/* Runs that take no pass have a list for each number of tiles. */
void swp_c_put_run_straight(swp_c_header *header)
{
    const char *v = header->local;
    const bool from_0 = swp_c_is_of_loop(header);
    for (size_t n = 0; n < header->schedule->streams[0].tails.straight_count; n++)
        swp_text_format(&header->text,
                        "        %sif (%s_n_ == %zu) { \\\n"
                        "            %s_STRAIGHT_%zu%s(%s, %s%s); \\\n",
                        n > 0 ? "} else " : "", v, n, header->prefix, n, header->list_suffix,
                        header->list_arguments, from_0 ? "0" : v, from_0 ? "" : "_n_");
}

void swp_c_put_run(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    const char *x = header->prefix;
    const char *v = header->local;
    swp_text *text = &header->text;
    swp_c_put_tiles_ok(header);
    swp_text_format(text,
                    "\n#define %s_RUN(ctx, n_tiles, group) \\\n    do { \\\n"
                    "        const long long %s_all_ = (n_tiles); \\\n"
                    "        const int %s_n_ = (int)%s_all_ == %s_all_ ? (int)%s_all_ : -1; \\\n"
                    "        const int %s_group_ = (group); \\\n"
                    "        (void)%s_group_; \\\n"
                    "        %s_ASSERT_TILES(n_tiles); \\\n",
                    x, v, v, v, v, v, v, v, x);
    swp_c_put_run_straight(header);
    swp_text_format(text, "        %sif (%s_TILES_OK(%s_n_)) { \\\n",
                    s->streams[0].tails.straight_count > 0 ? "} else " : "", x, v);
    put_run_prologue(header);
    swp_c_put_run_loop(header, s->loop.tiles_per_pass);
    if (swp_c_group_barrier(header, SWP_EPILOGUE, 0) >= 0)
        put_group_barrier(header, 0);
    swp_text_format(text,
                    "        } else { \\\n            SWP_BAD_TILES(ctx, %s_n_); \\\n        } \\\n"
                    "    } while (0)\n",
                    v);
}
