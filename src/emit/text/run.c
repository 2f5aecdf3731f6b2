/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what runs found, for people. */
#include "swp/run.h"

#include "base/require.h"
#include "base/text.h"
#include "ir/entry.h"
#include "ir/schedule.h"
#include "run/dataflow.h"
#include "run/objects.h"
#include "run/outcome.h"

/* So many items of each list tell a reader enough. */
enum { SHOWN_VALUES = 4, SHOWN_OPERANDS = 3 };

typedef struct report {
    swp_text text;
    const swp_schedule *schedule;
    swp_schedule form; /* the list that ran, for its number of tiles */
    const swp_run_outcome *outcome;
} report;

/* Returns the iterations of the run, or of the output tile that an entry stands in. */
static int n_at(const report *r, const swp_instance *at)
{
    const swp_run_outcome *outcome = r->outcome;
    return outcome->tiles && at->tile < outcome->tile_count ? outcome->tiles[at->tile] : outcome->n;
}

static swp_schedule form_at(const report *r, const swp_instance *at)
{
    const int form = swp_schedule_form_of(r->schedule, n_at(r, at));
    return form < 0 ? r->form : swp_schedule_form(r->schedule, form);
}

static report begin(swp_context *ctx, const swp_schedule *schedule, const swp_run_outcome *outcome)
{
    const int form = swp_schedule_form_of(schedule, outcome->n);
    return (report){.text = {.ctx = ctx},
                    .schedule = schedule,
                    .form = form < 0 ? *schedule : swp_schedule_form(schedule, form),
                    .outcome = outcome};
}

static swp_entry_list entries_of(const report *r, const swp_instance *at)
{
    const swp_schedule form = form_at(r, at);
    return *swp_stream_phase(&form.streams[at->stream], at->phase);
}

static void add_instance(report *r, const swp_instance *at)
{
    char list[SWP_LIST_NAME_SIZE];
    const swp_entry_list entries = entries_of(r, at);
    (void)swp_ir_list_name(r->schedule, swp_ir_form_at(r->schedule, at->phase, n_at(r, at)),
                           at->phase, list);
    if (at->entry < 0 || (size_t)at->entry >= entries.count) {
        swp_text_format(&r->text, "a barrier of the %s that is no entry", list);
        return;
    }
    swp_text_format(&r->text, "%s entry %d (%s)", list, at->entry,
                    swp_schedule_op_name(r->schedule, entries.items[at->entry].op.tag));
    if (at->phase == SWP_KERNEL)
        swp_text_format(&r->text, " of pass %d", at->pass);
    if (r->outcome->tiles && at->phase != SWP_DRAIN)
        swp_text_format(&r->text, " of tile %d", at->tile);
}

/* Writes who executes it: a wave, or a thread of an instance of a role. */
static void add_who(report *r, const swp_instance *at)
{
    if (!at->role) {
        swp_text_format(&r->text, "wave %d", at->wave);
        return;
    }
    swp_text_format(&r->text, "role %s, instance %d", at->role, at->instance);
    if (at->is_in_cluster)
        swp_text_format(&r->text, " of rank %d", at->rank);
    swp_text_format(&r->text, ", thread %d", at->thread);
}

/* Returns NULL if the schedule has accumulators, and no dataflow. */
static const swp_loop *loop_of(const report *r)
{
    return r->schedule->dataflow ? r->schedule->dataflow->loop : NULL;
}

/* Writes what has the wrong value; a schedule without a dataflow has only accumulators. */
static void add_wrong(report *r, const swp_wrong_value *v)
{
    const swp_loop *loop = loop_of(r);
    if (loop && v->kind == SWP_WRONG_RESULT)
        swp_text_format(&r->text, "%s of %s %d", loop->ops[v->op].name,
                        loop->ops[v->op].clock == SWP_TILE_CLOCK ? "tile" : "iteration",
                        v->iteration);
    else
        swp_text_format(&r->text, "accumulator (%d, %d), element (%d, %d)", v->row, v->column, v->i,
                        v->j);
}

static void add_values(report *r)
{
    const swp_wrong_value_list *values = &r->outcome->values;
    for (size_t i = 0; i < values->count && i < SHOWN_VALUES; i++) {
        const swp_wrong_value *v = &values->items[i];
        swp_text_format(&r->text, "  ");
        add_who(r, &(swp_instance){.wave = v->wave,
                                   .role = v->role,
                                   .instance = v->instance,
                                   .thread = v->thread,
                                   .is_in_cluster = v->is_in_cluster,
                                   .rank = v->rank});
        swp_text_format(&r->text, ", ");
        add_wrong(r, v);
        swp_text_format(&r->text, ": %lld instead of %lld\n", (long long)v->got,
                        (long long)v->expected);
    }
    if (values->count > SHOWN_VALUES)
        swp_text_format(&r->text, "  and %zu more %s\n", values->count - SHOWN_VALUES,
                        loop_of(r) ? "results" : "accumulators");
}

/* If several ops make a value, each of them makes a tile of every version. */
static void add_version(report *r, const swp_wrong_operand *operand, int tile)
{
    const swp_loop *loop = loop_of(r);
    const int makers = swp_run_makers(loop, operand->value);
    const int version = swp_run_version_of(loop, operand->value, tile);
    swp_text_format(&r->text, "version %d", version);
    if (tile == operand->found)
        swp_text_format(&r->text, " of %s", loop->values[operand->value].name);
    for (int op = 0; makers > 1 && op < (int)loop->op_count; op++)
        if (swp_run_makers_before(loop, operand->value, op + 1) == tile - version * makers + 1) {
            swp_text_format(&r->text, " as of %s", loop->ops[op].name);
            return;
        }
}

static void add_tile(report *r, const swp_wrong_operand *operand, int tile)
{
    if (operand->value >= 0)
        add_version(r, operand, tile);
    else if (tile < 0)
        swp_text_format(&r->text, "nothing");
    else
        swp_text_format(&r->text, "tile %d", tile);
}

/* A register is its reader's own, so no wave is named for it. */
static void add_place(report *r, const swp_wrong_operand *operand)
{
    if (operand->value < 0)
        swp_text_format(&r->text, " (wave %d's share)", operand->wave);
    else if (!r->outcome->has_roles && swp_run_in_lds(loop_of(r), operand->value))
        swp_text_format(&r->text, " (slot %d, wave %d's share)", operand->slot, operand->wave);
    else
        swp_text_format(&r->text, " (slot %d)", operand->slot);
}

static void add_other(report *r, const swp_wrong_operand *operand)
{
    swp_text_format(&r->text, "    ");
    add_who(r, &operand->other);
    swp_text_format(&r->text, operand->other.role ? ": " : "'s ");
    add_instance(r, &operand->other);
    swp_text_format(&r->text,
                    operand->too_late ? " takes effect after it\n" : " took effect before it\n");
}

static void add_operands(report *r)
{
    const swp_wrong_operand_list *operands = &r->outcome->operands;
    for (size_t i = 0; i < operands->count && i < SHOWN_OPERANDS; i++) {
        const swp_wrong_operand *operand = &operands->items[i];
        swp_text_format(&r->text, "  ");
        add_who(r, &operand->reader);
        swp_text_format(&r->text, " reads ");
        add_tile(r, operand, operand->found);
        swp_text_format(&r->text, " instead of ");
        add_tile(r, operand, operand->wanted);
        add_place(r, operand);
        swp_text_format(&r->text, " in ");
        add_instance(r, &operand->reader);
        swp_text_format(&r->text, operand->has_other ? ":\n" : "\n");
        if (operand->has_other)
            add_other(r, operand);
    }
}

static void add_outside(report *r)
{
    const swp_tile_outside_list *outside = &r->outcome->outside;
    if (outside->count == 0)
        return;
    swp_text_format(&r->text, "  ");
    add_who(r, &outside->items[0].at);
    swp_text_format(&r->text,
                    loop_of(r) ? " does iteration %d of %d in " : " loads tile %d of %d in ",
                    outside->items[0].tile, r->outcome->n);
    add_instance(r, &outside->items[0].at);
    swp_text_format(&r->text, "\n");
}

/* Returns the turn for which an entry works on its mbarrier (docs/roles-reference.md, "Output tiles"). */
static int turn_of(const report *r, const swp_instance *at, const swp_op *op)
{
    const swp_run_outcome *outcome = r->outcome;
    const int passes = at->pass < 0 || at->phase == SWP_END ? 0 : at->pass;
    int64_t base = (int64_t)passes * form_at(r, at).loop.tiles_per_pass;
    if (outcome->tiles && r->form.objects[op->object].clock == SWP_TILE_CLOCK)
        return at->tile + op->iteration;
    for (int tile = 0; outcome->tiles && tile < at->tile + (at->phase == SWP_END); tile++)
        base += outcome->tiles[tile];
    return (int)(base + op->iteration);
}

/* Writes the object that an entry of warp roles waits for. */
static void add_awaited(report *r, const swp_instance *at)
{
    if (!at->role || entries_of(r, at).items[at->entry].op.object < 0)
        return;
    const swp_op *op = &entries_of(r, at).items[at->entry].op;
    const swp_role_object *object = &r->form.objects[op->object];
    const bool is_mbarrier = object->kind == SWP_OBJECT_MBARRIER;
    const int number = is_mbarrier ? turn_of(r, at, op) : op->slot + op->slot_step * at->instance;
    const swp_run_turn where = swp_run_turn_of(number, object->slots);
    swp_text_format(&r->text, ": %s slot %d", object->name, where.slot);
    if (is_mbarrier)
        swp_text_format(&r->text, ", phase %d", where.phase);
}

static void add_broken_rule(report *r, const swp_broken_rule *broken)
{
    swp_text_format(&r->text, "  ");
    add_who(r, &broken->at);
    swp_text_format(&r->text, " breaks %s in ", swp_symptom_name(broken->rule));
    add_instance(r, &broken->at);
    if (broken->object)
        swp_text_format(&r->text, ": %s slot %d, %s %d", broken->object, broken->slot,
                        broken->rule == SWP_BREAKS_NAMED_BARRIER ? "meeting" : "phase",
                        broken->phase);
    swp_text_format(&r->text, "\n");
    if (!broken->has_other)
        return;
    swp_text_format(&r->text, "    against ");
    add_who(r, &broken->other);
    swp_text_format(&r->text, ": ");
    add_instance(r, &broken->other);
    swp_text_format(&r->text, "\n");
}

static void add_instances(report *r, const swp_instance_list *list, const char *what)
{
    for (size_t i = 0; i < list->count && i < SHOWN_OPERANDS; i++) {
        swp_text_format(&r->text, "  ");
        add_who(r, &list->items[i]);
        swp_text_format(&r->text, " %s ", what);
        add_instance(r, &list->items[i]);
        add_awaited(r, &list->items[i]);
        swp_text_format(&r->text, "\n");
    }
}

static void add_outcome(report *r)
{
    const swp_broken_rule_list *broken = &r->outcome->broken;
    for (size_t i = 0; i < broken->count && i < SHOWN_OPERANDS; i++)
        add_broken_rule(r, &broken->items[i]);
    add_values(r);
    if (r->outcome->values.count || r->outcome->other_tiles)
        add_operands(r);
    add_outside(r);
    add_instances(r, &r->outcome->stuck, "waits for ever at");
    add_instances(r, &r->outcome->passed, "takes its counter past the largest value in");
    add_instances(r, &r->outcome->unready, "finds a register whose load is in flight in");
}

/* Writes how long a run is: iterations, or output tiles. */
static void add_extent(swp_text *text, int n, const int *tiles, int count, int width)
{
    if (!tiles) {
        swp_text_format(text, "N = %-*d", width, n);
        return;
    }
    swp_text_format(text, "tiles ");
    for (int tile = 0; tile < count; tile++)
        swp_text_format(text, "%s%d", tile ? "," : "", tiles[tile]);
    if (count == 0)
        swp_text_format(text, "none");
}

swp_status swp_run_outcome_text(swp_context *ctx, const swp_schedule *schedule,
                                const swp_run_outcome *outcome, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && outcome && text);
    report r = begin(ctx, schedule, outcome);
    const bool right = outcome->symptom == SWP_NO_SYMPTOM;
    add_extent(&r.text, outcome->n, outcome->tiles, outcome->tile_count, 0);
    swp_text_format(&r.text, ", %d %s: ", outcome->waves,
                    outcome->has_roles ? "instances" : "waves");
    swp_text_toned(&r.text, right ? SWP_TONE_GOOD : SWP_TONE_BAD, "%s",
                   swp_run_meaning(schedule, outcome, outcome->symptom));
    swp_text_format(&r.text, "\n");
    if (!right)
        add_outcome(&r);
    return swp_text_end(&r.text, text, length);
}

swp_status swp_run_summary_text(swp_context *ctx, const swp_schedule *schedule,
                                const swp_run_summary *summary, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && summary && text);
    report r = begin(ctx, schedule, &summary->first);
    for (size_t i = 0; i < summary->tallies.count; i++) {
        const swp_run_tally *tally = &summary->tallies.items[i];
        add_extent(&r.text, tally->n, tally->tiles, tally->tile_count, 4);
        swp_text_format(&r.text, "%s %d of %d runs right\n", tally->tiles ? ":" : "",
                        tally->runs - tally->wrong, tally->runs);
    }
    if (summary->wrong) {
        swp_text_format(&r.text, "\nThe first that went wrong: ");
        add_extent(&r.text, summary->first.n, summary->first.tiles, summary->first.tile_count, 0);
        swp_text_format(&r.text, ", --timing %s, seed %llu\n", swp_timing_name(summary->timing),
                        (unsigned long long)summary->first_seed);
        if (summary->first.timing != summary->timing)
            swp_text_format(&r.text, "  (%s)\n", swp_timing_name(summary->first.timing));
        add_outcome(&r);
    }
    swp_text_format(&r.text, "\n%s: ", swp_schedule_title(schedule));
    const swp_tone calm = summary->stopped ? SWP_TONE_DOUBT : SWP_TONE_GOOD;
    swp_text_toned(&r.text, summary->wrong ? SWP_TONE_BAD : calm, "%ld of %ld runs went wrong",
                   summary->wrong, summary->runs);
    swp_text_format(&r.text, "\n");
    return swp_text_end(&r.text, text, length);
}
