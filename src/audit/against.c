/* SPDX-License-Identifier: Apache-2.0 */
/* Code against a schedule: which loop, what became of the entries, and whether that is safe. */
#include "audit/against.h"

#include "audit/compare.h"
#include "audit/rebuild.h"
#include "base/diag.h"
#include "swp/simulate.h"

#include <string.h>

typedef struct trial {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_path *path;
    const swp_lags *lags;
    swp_audit_report *out;
    swp_walk walk;     /* through some passes */
    swp_walk shortest; /* through none */
    swp_attribution attribution;
    swp_verdict own; /* on the schedule itself */
} trial;

static const swp_insn *insn_at(const trial *t, int index)
{
    return &t->path->flow->code->insns.items[index];
}

static swp_status add_obstacle(const trial *t, int insn, const char *what)
{
    swp_audit_stranger obstacle = {{0, NULL}, NULL};
    SWP_TRY(swp_copy_printable_name(t->ctx, what, &obstacle.why));
    if (insn >= 0) {
        obstacle.at.line = insn_at(t, insn)->line;
        SWP_TRY(swp_copy_printable(t->ctx, insn_at(t, insn)->text, &obstacle.at.text));
    }
    return SWP_PUSH(t->ctx, &t->out->obstacles, obstacle);
}

static swp_status take_obstacles(const trial *t, const swp_attribution *from)
{
    for (size_t i = 0; i < from->obstacles.count; i++)
        SWP_TRY(add_obstacle(t, from->obstacles.items[i].insn, from->obstacles.items[i].what));
    return SWP_OK;
}

/* Reads the code as one whose loop goes round so often in a pass of the schedule. */
static swp_status attribute_as(trial *t, int turns, const swp_attribution *like, int passes,
                               swp_walk *walk, swp_attribution *out)
{
    SWP_TRY(swp_walk_take(t->ctx, t->path, turns, passes, walk));
    return swp_attribute(t->ctx, t->schedule, walk, like, out);
}

/* A compiler may have rolled the stages of a pass into one turn of the loop. */
static swp_status attribute(trial *t)
{
    enum { MOST_TURNS = 8 };
    swp_attribution shortest;
    int turns = 1;
    SWP_TRY(attribute_as(t, turns, NULL, SWP_WALKED_PASSES, &t->walk, &t->attribution));
    swp_walk *walk = NULL;
    SWP_TRY(SWP_TAKE(t->ctx, 1, &walk));
    for (int more = 2; t->attribution.obstacles.count && more <= MOST_TURNS; more++) {
        swp_attribution other;
        SWP_TRY(attribute_as(t, more, NULL, SWP_WALKED_PASSES, walk, &other));
        if (other.obstacles.count)
            continue;
        turns = more;
        t->walk = *walk;
        t->attribution = other;
        t->attribution.walk = &t->walk;
    }
    SWP_TRY(take_obstacles(t, &t->attribution));
    if (t->attribution.obstacles.count)
        return SWP_OK;
    SWP_TRY(attribute_as(t, turns, &t->attribution, 0, &t->shortest, &shortest));
    return take_obstacles(t, &shortest);
}

/* --- the proof --- */

static bool in_schedule(const trial *t, swp_hazard_kind kind, swp_entry_ref ref)
{
    for (size_t i = 0; i < t->own.hazards.count; i++) {
        const swp_hazard *hazard = &t->own.hazards.items[i];
        if (hazard->kind == kind && hazard->at.phase == ref.phase && hazard->at.entry == ref.entry)
            return true;
    }
    return false;
}

static int item_at(const swp_rebuilt *code, swp_entry_ref ref)
{
    const swp_entry_list *entries = swp_schedule_phase(&code->schedule, ref.phase);
    const bool there = ref.entry >= 0 && (size_t)ref.entry < entries->count;
    return there ? code->items[ref.phase][ref.entry] : -1;
}

static swp_status set_site(const trial *t, int item, swp_audit_site *out)
{
    *out = (swp_audit_site){0};
    if (item < 0)
        return SWP_OK;
    const swp_insn *insn = swp_item_insn(&t->walk, &t->walk.list.items[item]);
    out->line = insn->line;
    return swp_copy_printable(t->ctx, insn->text, &out->text);
}

static bool known_already(const trial *t, const swp_audit_hazard *hazard)
{
    for (size_t i = 0; i < t->out->hazards.count; i++) {
        const swp_audit_hazard *known = &t->out->hazards.items[i];
        if (known->kind == hazard->kind && known->ref.phase == hazard->ref.phase &&
            known->ref.entry == hazard->ref.entry &&
            (hazard->ref.entry >= 0 || known->at.line == hazard->at.line))
            return true;
    }
    return false;
}

static swp_status add_hazard(trial *t, const swp_rebuilt *code, const swp_hazard *found)
{
    const int item = item_at(code, found->at);
    const int other = found->has_other ? item_at(code, found->other) : -1;
    const int entry = item >= 0 ? t->attribution.entry_of[item] : -1;
    swp_audit_hazard hazard = {.kind = found->kind,
                               .ref = {found->at.phase, entry},
                               .passes_before = found->passes_before,
                               .smallest_n = found->smallest_n,
                               .other_ref = {found->other.phase, -1},
                               .detail = swp_hazard_meaning(found->kind),
                               .hint = found->hint};
    if (other >= 0 && t->attribution.entry_of[other] >= 0) {
        hazard.other_ref.entry = t->attribution.entry_of[other];
        const int tag = swp_item_entry(&t->attribution, other)->op.tag;
        SWP_TRY(swp_copy_printable_name(t->ctx, swp_schedule_op_name(t->schedule, tag),
                                        &hazard.other_name));
    }
    SWP_TRY(swp_copy_printable_name(t->ctx, found->name, &hazard.name));
    hazard.in_schedule = in_schedule(t, found->kind, entry >= 0 ? hazard.ref : found->at);
    SWP_TRY(set_site(t, item, &hazard.at));
    SWP_TRY(set_site(t, other, &hazard.other));
    return known_already(t, &hazard) ? SWP_OK : SWP_PUSH(t->ctx, &t->out->hazards, hazard);
}

/* Registers are judged by number, instruction by instruction, which says more. */
static swp_status prove(trial *t, swp_rebuild_view view)
{
    const int header = t->path->flow->loops[t->path->loop].header;
    swp_verdict verdict;
    swp_rebuilt code;
    SWP_TRY(swp_rebuild(&t->attribution, &t->lags->items[header], view, &code));
    if (t->attribution.obstacles.count)
        return SWP_OK;
    SWP_TRY(swp_verify(t->ctx, &code.schedule, NULL, 0, &verdict));
    for (size_t i = 0; i < verdict.hazards.count; i++)
        if (verdict.hazards.items[i].kind != SWP_REGISTER_NOT_READY)
            SWP_TRY(add_hazard(t, &code, &verdict.hazards.items[i]));
    return SWP_OK;
}

static bool some_lag(const swp_lag *lag)
{
    bool some = false;
    for (int w = 0; w < SWP_MOST_WAVES; w++)
        some |= lag->barriers[w] != 0;
    return some;
}

/*
 * A barrier behind the loop that some waves meet alone must bring back all that lag, or page 2 has
 * waves wait for ever. The proof takes for granted that it does.
 */
static swp_status check_last_barrier(const trial *t)
{
    const swp_flow *flow = t->path->flow;
    const int barrier = t->path->lag_barrier[SWP_EPILOGUE];
    int block = 0;
    if (barrier < 0)
        return SWP_OK;
    while (flow->blocks[block].end <= barrier)
        block++;
    const int after = flow->blocks[block].meets;
    if (after < 0 || t->lags->items[after].unknown >= 0)
        return add_obstacle(t, barrier, "is met by waves that cannot be told");
    if (!some_lag(&t->lags->items[after]))
        return SWP_OK;
    swp_audit_hazard hazard = {.kind = SWP_DEADLOCK,
                               .ref = {SWP_EPILOGUE, -1},
                               .other_ref = {SWP_EPILOGUE, -1},
                               .smallest_n = t->schedule->loop.min_tiles,
                               .name = "barrier",
                               .detail = swp_hazard_meaning(SWP_DEADLOCK),
                               .hint = "let those waves meet it, and no others, that met one "
                                       "barrier less before the loop"};
    hazard.at.line = insn_at(t, barrier)->line;
    SWP_TRY(swp_copy_printable(t->ctx, insn_at(t, barrier)->text, &hazard.at.text));
    return SWP_PUSH(t->ctx, &t->out->hazards, hazard);
}

/* --- cycles --- */

static double cycles_a_pass(const swp_simulation *simulation)
{
    return (double)simulation->cycles / simulation->passes;
}

/* What each wait that the compiler put in stalls. */
static void add_stalls(const trial *t, const swp_rebuilt *code, const swp_simulation *simulation)
{
    for (size_t i = 0; i < t->out->changes.count; i++) {
        swp_audit_change *change = &t->out->changes.items[i];
        if (change->kind != SWP_AUDIT_ADDED || change->phase != SWP_KERNEL)
            continue;
        change->has_cycles = true;
        for (size_t s = 0; s < simulation->stalls.count; s++) {
            const swp_stall *stall = &simulation->stalls.items[s];
            const int item = code->items[SWP_KERNEL][stall->entry];
            if (stall->group == 0 && item >= 0 &&
                swp_item_insn(&t->walk, &t->walk.list.items[item])->line == change->at.line)
                change->cycles += stall->cycles / simulation->passes;
        }
    }
}

/* What the cycle model cannot count has no cycles; that is no fault of the code. */
static swp_status simulate(const trial *t, const swp_schedule *schedule, swp_simulation *out,
                           bool *counted)
{
    const size_t reported = t->ctx->diags->count;
    const swp_status status = swp_simulate(t->ctx, schedule, NULL, out);
    *counted = status == SWP_OK;
    if (status == SWP_OUT_OF_MEMORY)
        return status;
    t->ctx->diags->count = reported;
    return SWP_OK;
}

static swp_status count_cycles(trial *t)
{
    const int header = t->path->flow->loops[t->path->loop].header;
    swp_simulation schedule;
    swp_simulation simulation;
    swp_rebuilt code;
    bool counted[2];
    SWP_TRY(swp_rebuild(&t->attribution, &t->lags->items[header], SWP_VIEW_CYCLES, &code));
    if (t->attribution.obstacles.count)
        return SWP_OK;
    SWP_TRY(simulate(t, t->schedule, &schedule, &counted[0]));
    SWP_TRY(simulate(t, &code.schedule, &simulation, &counted[1]));
    t->out->has_cycles = counted[0] && counted[1];
    if (t->out->has_cycles) {
        t->out->schedule_cycles = cycles_a_pass(&schedule);
        t->out->code_cycles = cycles_a_pass(&simulation);
        add_stalls(t, &code, &simulation);
    }
    return SWP_OK;
}

static swp_status judge(trial *t)
{
    const int header = t->path->flow->loops[t->path->loop].header;
    const int unknown = t->lags->items[header].unknown;
    if (unknown >= 0)
        return add_obstacle(t, unknown, "may lead waves past different barriers");
    SWP_TRY(swp_verify(t->ctx, t->schedule, NULL, 0, &t->own));
    SWP_TRY(prove(t, SWP_VIEW_OVERWRITES));
    SWP_TRY(prove(t, SWP_VIEW_ARRIVALS));
    SWP_TRY(check_last_barrier(t));
    SWP_TRY(count_cycles(t));
    return take_obstacles(t, &t->attribution);
}

/*
 * Where every access is an entry's, the proof says more of LDS than what is known of instructions: it
 * knows which reads anybody looks at.
 */
static void drop_findings_in_lds(const trial *t)
{
    const swp_function *function = t->path->flow->function;
    const int first = insn_at(t, function->first)->line;
    const int last = insn_at(t, function->end - 1)->line;
    swp_audit_finding_list *list = &t->out->findings;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == SWP_REGISTER_NOT_READY || list->items[i].at.line < first ||
            list->items[i].at.line > last)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

swp_status swp_audit_against(swp_context *ctx, const swp_path *path, const swp_lags *lags,
                             const swp_schedule *schedule, swp_audit_report *out)
{
    trial *t = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &t));
    *t = (trial){.ctx = ctx, .schedule = schedule, .path = path, .lags = lags, .out = out};
    if (path->problem)
        return add_obstacle(t, path->problem_at, path->problem);
    if (schedule->loop.placement != SWP_PLACE_K_OFFSET)
        return add_obstacle(t, -1,
                            "the schedule's loads are staged in registers; only loops that load to "
                            "LDS are compared with their schedules");
    SWP_TRY(attribute(t));
    if (out->obstacles.count)
        return SWP_OK;
    SWP_TRY(swp_compare(&t->attribution, &out->changes));
    SWP_TRY(judge(t));
    if (!out->obstacles.count)
        drop_findings_in_lds(t);
    if (t->attribution.by_order)
        return add_obstacle(t, -1,
                            "LDS addresses cannot be told: accesses were taken in the order of "
                            "the entries");
    return SWP_OK;
}
