/* SPDX-License-Identifier: Apache-2.0 */
/* Collects hazards by kind and entry, describes them, and sorts them by place. */
#include "verify/bodies/findings.h"

#include "ir/hazard_words.h"
#include "ir/implied_barriers.h"
#include "swp/loop.h"

#include <stdlib.h>

swp_status swp_bodies_findings_begin(swp_context *scratch, const swp_model *model,
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
    const swp_entry_ref at = swp_bodies_model_published(findings->model, finding->at.ref);
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

static swp_status describe(const swp_findings *findings, const swp_finding *finding, char **out)
{
    const swp_model *model = findings->model;
    const swp_bodies_event *other =
        finding->other && finding->other->ref.entry >= 0 ? finding->other : NULL;
    swp_hazard_words words = {
        .kind = finding->kind, .wanted = finding->wanted, .found = finding->found};
    if (other) {
        words.other = swp_bodies_model_published(model, other->ref);
        words.other_op = swp_schedule_op_name(model->schedule,
                                              swp_bodies_model_entry(model, other->ref)->op.tag);
        words.passes = finding->at.pass - other->pass;
    }
    return swp_ir_hazard_detail(findings->ctx, &words, out);
}

static void set_site(const swp_model *model, const swp_finding *finding, swp_hazard *out)
{
    const swp_effect_place *place = place_of(model, finding);
    out->site = finding->site;
    if (place) {
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
           swp_ir_is_implied(&swp_bodies_model_entry(model, at)->op))
        at.entry++;
    if (at.entry >= model->effects.lengths[at.phase])
        return "end";
    return swp_schedule_op_name(model->schedule, swp_bodies_model_entry(model, at)->op.tag);
}

swp_status swp_bodies_findings_add(swp_findings *findings, const swp_finding *finding)
{
    if (!swp_rule_holds(findings->model, SWP_RULE_OF_HAZARDS + finding->kind) ||
        !is_first(findings, finding))
        return SWP_OK;
    char *detail = NULL;
    SWP_TRY(describe(findings, finding, &detail));
    swp_hazard hazard = {.kind = finding->kind,
                         .at = swp_bodies_model_published(findings->model, finding->at.ref),
                         .name = name_at(findings->model, finding->at.ref),
                         .smallest_n = findings->n,
                         .detail = detail,
                         .hint = swp_ir_hazard_hint(finding->kind, false)};
    set_site(findings->model, finding, &hazard);
    hazard.has_other = finding->other && finding->other->ref.entry >= 0;
    if (hazard.has_other) {
        hazard.other = swp_bodies_model_published(findings->model, finding->other->ref);
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

void swp_bodies_findings_sort(swp_findings *findings)
{
    if (findings->list.count > 0)
        qsort(findings->list.items, findings->list.count, sizeof(swp_hazard), compare);
}
