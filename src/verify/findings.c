/* SPDX-License-Identifier: Apache-2.0 */
/* Collects hazards by kind and entry, describes them, and sorts them by place. */
#include "verify/findings.h"

#include "base/text.h"
#include "ir/implied_barriers.h"
#include "swp/loop.h"

#include <stdlib.h>

/* What is said of a hazard. */
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

static wording wording_of(const swp_model *model, swp_hazard_kind kind)
{
    wording found = swp_is_of_loop(model) ? of_loops[kind] : of_bodies[kind];
    found.hint = found.hint ? found.hint : of_bodies[kind].hint;
    found.meaning = found.meaning ? found.meaning : swp_hazard_meaning(kind);
    return found;
}

swp_status swp_verify_findings_begin(swp_context *scratch, const swp_model *model,
                                     swp_findings *out)
{
    out->model = model;
    for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        SWP_TRY(SWP_TAKE(scratch, ((size_t)model->effects.lengths[phase] + 1) * SWP_HAZARD_KINDS,
                         &out->told[phase]));
    return SWP_OK;
}

/* Whether the hazard is new. Runs are followed in the order of their numbers of tiles. */
static bool is_first(swp_findings *findings, const swp_finding *finding)
{
    const swp_entry_ref at = swp_verify_model_published(findings->model, finding->at.ref);
    bool *told = &findings->told[at.phase][at.entry * SWP_HAZARD_KINDS + (int)finding->kind];
    const bool first = !*told;
    *told = true;
    return first;
}

/* NULL for what is about no place in LDS and no register. */
static const swp_effect_place *place_of(const swp_model *model, const swp_finding *finding)
{
    return finding->site == SWP_SITE_LDS        ? &model->effects.places.items[finding->place]
           : finding->site == SWP_SITE_REGISTER ? &model->effects.registers.items[finding->place]
                                                : NULL;
}

/* Tiles of a value are its versions, each made in one part or several. */
static void add_part(swp_text *text, int tile, int parts)
{
    const int version = (tile - ((tile % parts + parts) % parts)) / parts;
    swp_text_format(text, "version %d", version);
    if (parts > 1)
        swp_text_format(text, ", part %d of %d", tile - version * parts + 1, parts);
}

static void add_tile(swp_text *text, const swp_findings *findings, const swp_finding *finding,
                     int tile)
{
    const swp_effect_place *place = place_of(findings->model, finding);
    if (tile == SWP_NO_TILE)
        swp_text_format(text, "nothing");
    else if (place && place->makers > 0)
        add_part(text, tile, place->makers);
    else
        swp_text_format(text, "tile %d", tile);
}

static void add_entry(swp_text *text, const swp_findings *findings, const swp_verify_event *event)
{
    const swp_entry *entry = swp_verify_model_entry(findings->model, event->ref);
    const swp_entry_ref at = swp_verify_model_published(findings->model, event->ref);
    swp_text_format(text, "%s entry %d (%s)", swp_phase_name(at.phase), at.entry,
                    swp_schedule_op_name(findings->model->schedule, entry->op.tag));
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

static void add_other(swp_text *text, const swp_findings *findings, const swp_finding *finding)
{
    const int passes = finding->at.pass - finding->other->pass;
    swp_text_format(text, "; %s ", link_of(finding->kind));
    add_entry(text, findings, finding->other);
    if (passes > 0 && finding->other->ref.phase == SWP_KERNEL)
        swp_text_format(text, ", %d pass%s before", passes, passes == 1 ? "" : "es");
}

/* An op for an iteration, in place of what stands in a place. */
static bool is_work(const swp_model *model, const swp_finding *finding)
{
    return swp_is_of_loop(model) &&
           (finding->kind == SWP_MISSING_WORK || finding->kind == SWP_OUT_OF_RANGE);
}

static void add_work(swp_text *text, const swp_findings *findings, const swp_finding *finding)
{
    swp_text_format(text, ": %s of iteration %d",
                    swp_schedule_op_name(findings->model->schedule, finding->place),
                    finding->wanted);
}

static swp_status describe(const swp_findings *findings, const swp_finding *finding, char **out)
{
    swp_text text = {.ctx = findings->ctx};
    const bool empty = finding->kind == SWP_WRONG_TILE && finding->found == SWP_NO_TILE;
    swp_text_format(&text, "%s",
                    empty ? "an operand that was never loaded"
                          : wording_of(findings->model, finding->kind).meaning);
    if (is_work(findings->model, finding)) {
        add_work(&text, findings, finding);
    } else if (finding->wanted != SWP_NO_TILE) {
        swp_text_format(&text, ": wants ");
        add_tile(&text, findings, finding, finding->wanted);
        swp_text_format(&text, ", may find ");
        add_tile(&text, findings, finding, finding->found);
    }
    if (finding->other && finding->other->ref.entry >= 0)
        add_other(&text, findings, finding);
    return swp_text_end(&text, out, NULL);
}

static void set_site(const swp_model *model, const swp_finding *finding, swp_hazard *out)
{
    const swp_effect_place *place = place_of(model, finding);
    out->site = finding->site;
    if (place && place->makers > 0) {
        out->value = swp_ir_effect_value(&model->effects, place);
        out->slot = place->stage;
    } else if (place) {
        out->channel = place->channel;
        out->stage = place->stage;
        out->subtile = place->subtile;
    } else if (finding->site == SWP_SITE_ACCUMULATOR) {
        out->stage = model->effects.accumulators.items[finding->place].stage;
        out->subtile = model->effects.accumulators.items[finding->place].subtile;
    }
}

/* A barrier that has no number goes by the name of what stands behind it. */
static const char *name_at(const swp_model *model, swp_entry_ref at)
{
    while (at.entry < model->effects.lengths[at.phase] &&
           swp_ir_is_implied(&swp_verify_model_entry(model, at)->op))
        at.entry++;
    if (at.entry >= model->effects.lengths[at.phase])
        return "end";
    return swp_schedule_op_name(model->schedule, swp_verify_model_entry(model, at)->op.tag);
}

swp_status swp_verify_findings_add(swp_findings *findings, const swp_finding *finding)
{
    if (!swp_rule_holds(findings->model, SWP_RULE_OF_HAZARDS + finding->kind) ||
        !is_first(findings, finding))
        return SWP_OK;
    char *detail = NULL;
    SWP_TRY(describe(findings, finding, &detail));
    swp_hazard hazard = {.kind = finding->kind,
                         .at = swp_verify_model_published(findings->model, finding->at.ref),
                         .name = name_at(findings->model, finding->at.ref),
                         .smallest_n = findings->n,
                         .detail = detail,
                         .hint = wording_of(findings->model, finding->kind).hint};
    set_site(findings->model, finding, &hazard);
    hazard.has_other = finding->other && finding->other->ref.entry >= 0;
    if (hazard.has_other) {
        hazard.other = swp_verify_model_published(findings->model, finding->other->ref);
        hazard.passes_before = finding->at.pass - finding->other->pass;
    }
    return SWP_PUSH(findings->ctx, &findings->list, hazard);
}

static int compare(const void *a, const void *b)
{
    const swp_hazard *x = a;
    const swp_hazard *y = b;
    if (x->at.phase != y->at.phase)
        return x->at.phase < y->at.phase ? -1 : 1;
    if (x->at.entry != y->at.entry)
        return x->at.entry < y->at.entry ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

void swp_verify_findings_sort(swp_findings *findings)
{
    if (findings->list.count > 0)
        qsort(findings->list.items, findings->list.count, sizeof(swp_hazard), compare);
}
