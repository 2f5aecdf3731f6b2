/* SPDX-License-Identifier: Apache-2.0 */
/* Says what a hazard is, in the words of bodies or of loops. */
#include "ir/hazard_words.h"

#include "base/text.h"

/* What is said of each kind. */
typedef struct wording {
    const char *hint;
    const char *meaning; /* NULL: that of swp_hazard_meaning() */
} wording;

static const wording of_bodies[SWP_HAZARD_KINDS] = {
    [SWP_STALE_READ] = {"between the load and this read every wave must wait for its share, then "
                        "meet at a barrier",
                        NULL},
    [SWP_OVERWRITTEN] = {"between that read and this write every wave must wait for the read, then "
                         "meet at a barrier",
                         NULL},
    [SWP_WRITE_RACE] = {"each wave must wait for the first write before it issues the second",
                        NULL},
    [SWP_WRONG_TILE] = {"check the slots and k offsets of the loads that feed this op", NULL},
    [SWP_MISSING_WORK] = {"give every accumulator one COMPUTE for each tile", NULL},
    [SWP_DOUBLE_WORK] = {"this accumulator has its tiles without this COMPUTE", NULL},
    [SWP_REGISTER_NOT_READY] = {"wait for the register's load (lgkmcnt or vmcnt) before this entry",
                                NULL},
    [SWP_OUT_OF_RANGE] = {"load only tiles 0 to N - 1: see its k offset, or leave it out of this "
                          "phase",
                          NULL},
    [SWP_DEADLOCK] = {"every warp group must meet the same number of barriers, its lag's included",
                      NULL},
    [SWP_COUNTER] = {"wait earlier, so that fewer accesses are in flight", NULL},
};

/* Where no hint stands, that of bodies holds. */
static const wording of_loops[SWP_HAZARD_KINDS] = {
    [SWP_STALE_READ] = {"between the write and this read every wave must wait for its share, then "
                        "meet at a barrier",
                        "a read that may come before the write of what it reads"},
    [SWP_OVERWRITTEN] = {NULL, "a write that may come before the last read of what it replaces"},
    [SWP_WRONG_TILE] = {"check the iterations and the order of the ops that make and read this "
                        "value",
                        "it is there, but of another version"},
    [SWP_MISSING_WORK] = {"do each op once for each iteration", "an op that is left out"},
    [SWP_DOUBLE_WORK] = {"the iteration has this op without this entry",
                         "an op that was done for this iteration before"},
    [SWP_REGISTER_NOT_READY] = {"wait for the access in flight (lgkmcnt or vmcnt) before this "
                                "entry",
                                "a register that an access in flight still makes or reads"},
    [SWP_OUT_OF_RANGE] = {"do ops for iterations 0 to N - 1 only: see its iteration, or leave it "
                          "out of this phase",
                          "an op of an iteration that the run does not have"},
};

static const wording *wording_of(swp_hazard_kind kind, bool is_of_loop)
{
    return is_of_loop ? &of_loops[kind] : &of_bodies[kind];
}

const char *swp_ir_hazard_hint(swp_hazard_kind kind, bool is_of_loop)
{
    const char *hint = wording_of(kind, is_of_loop)->hint;
    return hint ? hint : of_bodies[kind].hint;
}

static const char *meaning_of(swp_hazard_kind kind, bool is_of_loop)
{
    const char *meaning = wording_of(kind, is_of_loop)->meaning;
    return meaning ? meaning : swp_hazard_meaning(kind);
}

/* Tiles of a value are its versions, each made in one part or several. */
static void add_part(swp_text *text, int tile, int parts)
{
    const int version = (tile - ((tile % parts + parts) % parts)) / parts;
    swp_text_format(text, "version %d", version);
    if (parts > 1)
        swp_text_format(text, ", part %d of %d", tile - version * parts + 1, parts);
}

static void add_tile(swp_text *text, const swp_hazard_words *words, int tile)
{
    if (tile == SWP_NO_TILE)
        swp_text_format(text, "nothing");
    else if (words->makers > 0)
        add_part(text, tile, words->makers);
    else
        swp_text_format(text, "tile %d", tile);
}

/* What stands between the two ops, or should. */
static const char *link_of(swp_hazard_kind kind)
{
    switch (kind) {
    case SWP_STALE_READ:
        return "no wait and barrier put it after";
    case SWP_OVERWRITTEN:
        return "no wait and barrier put it after the read in";
    case SWP_WRONG_TILE:
        return "the operand comes from";
    default:
        return "still in flight:";
    }
}

static void add_other(swp_text *text, const swp_hazard_words *words)
{
    swp_text_format(text, "; %s %s entry %d (%s)", link_of(words->kind),
                    swp_phase_name(words->other.phase), words->other.entry, words->other_op);
    if (words->passes > 0 && words->other.phase == SWP_KERNEL)
        swp_text_format(text, ", %d pass%s before", words->passes, words->passes == 1 ? "" : "es");
}

swp_status swp_ir_hazard_detail(swp_context *ctx, const swp_hazard_words *words, char **out)
{
    swp_text text = {.ctx = ctx};
    const bool is_empty = words->kind == SWP_WRONG_TILE && words->found == SWP_NO_TILE;
    swp_text_format(&text, "%s",
                    is_empty ? "an operand that was never loaded"
                             : meaning_of(words->kind, words->is_of_loop));
    if (words->op) {
        swp_text_format(&text, ": %s of iteration %d", words->op, words->wanted);
    } else if (words->wanted != SWP_NO_TILE) {
        swp_text_format(&text, ": wants ");
        add_tile(&text, words, words->wanted);
        swp_text_format(&text, ", may find ");
        add_tile(&text, words, words->found);
    }
    if (words->other_op)
        add_other(&text, words);
    return swp_text_end(&text, out, NULL);
}
