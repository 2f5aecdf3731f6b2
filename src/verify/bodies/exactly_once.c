/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The iterations of an entry are affine in the pass, so that the least number of passes that shows
 * something wrong is found entry by entry, or for two entries at a time.
 */
#include "verify/bodies/exactly_once.h"

#include "verify/bodies/barriers.h"

#include "swp/loop.h"

/* An entry that does an op. */
typedef struct instance {
    swp_phase phase;
    int entry;
    int op;
    int offset; /* its iteration from its list's base */
} instance;

static bool instance_at(const swp_model *model, swp_phase phase, int entry, instance *out)
{
    const swp_effect *effect = &model->effects.entries[phase][entry];
    const bool runs = phase != SWP_KERNEL || model->loop.tiles_per_pass > 0;
    *out = (instance){phase, entry, effect->op, effect->tiles.first};
    return runs && effect->op >= 0;
}

static int length_of(const swp_model *model, int passes)
{
    return model->loop.min_tiles + passes * model->loop.tiles_per_pass;
}

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

/* a / b rounded up, for b above 0. */
static int divide_up(int a, int b)
{
    return a > 0 ? (a + b - 1) / b : a / b;
}

/* Of a run of so many passes; `place` and `wanted` are the op and the iteration. */
static swp_status tell(swp_findings *findings, swp_finding finding, int passes)
{
    finding.found = SWP_NO_TILE;
    findings->n = length_of(findings->model, passes);
    return swp_bodies_findings_add(findings, &finding);
}

/* --- Out of range --- */

/* Whether the entry does an iteration that is none of the run's, in a run's first pass if it is of the kernel. */
static bool is_outside(const swp_model *model, const instance *d, int passes)
{
    const int moved = d->phase == SWP_EPILOGUE ? passes * model->loop.tiles_per_pass : 0;
    const int iteration = d->offset + moved;
    const bool before = iteration < 0 && swp_rule_holds(model, SWP_RULE_TILE_BEFORE_0);
    const bool beyond =
        iteration >= length_of(model, passes) && swp_rule_holds(model, SWP_RULE_TILE_FROM_N);
    return before || beyond;
}

/* Whether it stands before the barrier at which a wave of that run waits for ever. */
static bool is_reached(const swp_model *model, const instance *d, int passes)
{
    const swp_entry_ref next = {d->phase, d->entry + 1};
    const bool more_passes = model->loop.tiles_per_pass > 0 && passes > (d->phase == SWP_KERNEL);
    return !model->deadlocks_at_end || swp_bodies_barrier_follows(model, next, more_passes);
}

/* The fewest passes of a run in which the entry is out of range; -1: there are none. */
static int passes_out_of_range(const swp_model *model, const instance *d)
{
    const int least = d->phase == SWP_KERNEL;
    /* With one pass more an entry may be reached that is not in the last pass; a third one adds nothing. */
    for (int passes = least; passes <= least + 1; passes++)
        if (is_outside(model, d, passes) && is_reached(model, d, passes))
            return passes;
    return -1;
}

/* --- Double work --- */

/* The fewest passes of a run that has the iteration; 0 if none has. */
static int passes_with(const swp_model *model, int iteration)
{
    const int tiles = model->loop.tiles_per_pass;
    const int more = iteration + 1 - model->loop.min_tiles;
    return tiles > 0 && more > 0 ? divide_up(more, tiles) : 0;
}

/* Passes until the entry's iteration is 0 or more. */
static int passes_until_0(const swp_model *model, const instance *d)
{
    const int tiles = model->loop.tiles_per_pass;
    return tiles > 0 && d->offset < 0 ? divide_up(-d->offset, tiles) : 0;
}

/* `rounds` passes after a prologue the later one does the prologue's iteration. */
static int passes_after_prologue(const swp_model *model, const instance *earlier,
                                 const instance *later, int rounds)
{
    const int passes = passes_with(model, earlier->offset);
    if (later->phase == SWP_PROLOGUE)
        return rounds == 0 ? passes : -1;
    if (later->phase == SWP_EPILOGUE)
        return rounds;
    return at_least(passes, rounds + 1);
}

/* The same of the kernel's iteration, `rounds` passes before. */
static int passes_after_kernel(const swp_model *model, const instance *earlier,
                               const instance *later, int rounds)
{
    const int first = passes_until_0(model, earlier);
    const int iteration = earlier->offset + first * model->loop.tiles_per_pass;
    if (later->phase == SWP_EPILOGUE)
        return rounds > 0 ? first + rounds : -1;
    if (rounds == 0 && later->entry <= earlier->entry)
        return -1;
    return at_least(passes_with(model, iteration), first + rounds + 1);
}

/*
 * The fewest passes of a run in which both do the same iteration, one of the run's, `later` the
 * later one; -1: there is none.
 */
static int passes_of_both(const swp_model *model, const instance *earlier, const instance *later)
{
    const int tiles = at_least(1, model->loop.tiles_per_pass);
    const int rounds = (earlier->offset - later->offset) / tiles;
    int passes = -1;
    if (rounds < 0 || earlier->offset - later->offset != rounds * model->loop.tiles_per_pass)
        return -1;
    if (earlier->phase == SWP_PROLOGUE)
        passes = passes_after_prologue(model, earlier, later, rounds);
    else if (earlier->phase == SWP_KERNEL)
        passes = passes_after_kernel(model, earlier, later, rounds);
    else if (rounds == 0)
        passes = passes_until_0(model, earlier);
    const int base = later->phase == SWP_EPILOGUE ? passes * model->loop.tiles_per_pass : 0;
    const bool in_kernel = earlier->phase == SWP_KERNEL && later->phase == SWP_KERNEL;
    const int iteration = later->phase == SWP_EPILOGUE ? later->offset + base : earlier->offset;
    const bool in_range = iteration >= 0 && iteration < length_of(model, passes);
    return passes >= 0 && (in_kernel || in_range) ? passes : -1;
}

/* --- Missing work --- */

/* The first round from `round` on that no entry does of the op's iterations `rest` + round * tiles. */
static int first_undone(const swp_model *model, int op, int rest, int passes, int rounds)
{
    const int tiles = at_least(1, model->loop.tiles_per_pass);
    int round = 0;
    bool moved = true;
    while (moved && round < rounds) {
        moved = false;
        for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
            for (int i = 0; i < model->effects.lengths[phase]; i++) {
                instance d;
                if (!instance_at(model, (swp_phase)phase, i, &d) || d.op != op)
                    continue;
                const int base = phase == SWP_EPILOGUE ? passes * model->loop.tiles_per_pass : 0;
                const int offset = d.offset + base - rest;
                const int first = offset / tiles;
                const int count = phase == SWP_KERNEL ? passes : 1;
                if (offset % tiles != 0 || round < first || round >= first + count)
                    continue;
                round = first + count;
                moved = true;
            }
    }
    return round < rounds ? round : -1;
}

static bool leaves_out(const swp_model *model, int op, int passes, swp_missing_op *out)
{
    const int tiles = at_least(1, model->loop.tiles_per_pass);
    const int n = length_of(model, passes);
    for (int rest = 0; rest < tiles && rest < n; rest++) {
        const int round = first_undone(model, op, rest, passes, divide_up(n - rest, tiles));
        if (round < 0)
            continue;
        *out = (swp_missing_op){op, rest + round * tiles, passes};
        return true;
    }
    return false;
}

/* With more passes than lie between any two entries, nothing changes but the number of passes. */
static int most_passes(const swp_model *model)
{
    int least = 0;
    int most = model->loop.min_tiles;
    for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->effects.lengths[phase]; i++) {
            instance d;
            if (!instance_at(model, (swp_phase)phase, i, &d))
                continue;
            least = d.offset < least ? d.offset : least;
            most = d.offset > most ? d.offset : most;
        }
    const int tiles = model->loop.tiles_per_pass;
    return tiles == 0 ? 0 : (most - least) / tiles + 2;
}

bool swp_bodies_find_missing_op(const swp_model *model, swp_missing_op *out)
{
    const int ops = (int)model->effects.op_count;
    const int most = most_passes(model);
    for (int passes = 0; passes <= most; passes++)
        for (int op = 0; op < ops; op++)
            if (leaves_out(model, op, passes, out))
                return true;
    return false;
}

/* --- All of it --- */

/* The prologue counts as the pass before the first. */
static int passes_between(const swp_model *model, const instance *earlier, const instance *later)
{
    const int rounds = (earlier->offset - later->offset) / at_least(1, model->loop.tiles_per_pass);
    return rounds + (earlier->phase == SWP_PROLOGUE && later->phase != SWP_PROLOGUE);
}

static swp_status judge_instance(swp_findings *findings, const instance *d)
{
    const swp_model *model = findings->model;
    const int outside = passes_out_of_range(model, d);
    int least = -1;
    instance first = *d;
    swp_finding finding = {.kind = SWP_OUT_OF_RANGE,
                           .at = {{d->phase, d->entry}, 0},
                           .place = d->op,
                           .wanted = d->offset};
    if (outside >= 0)
        SWP_TRY(tell(findings, finding, outside));
    for (int phase = SWP_PROLOGUE; phase <= (int)d->phase; phase++)
        for (int i = 0; i < model->effects.lengths[phase]; i++) {
            instance other;
            if (!instance_at(model, (swp_phase)phase, i, &other) || other.op != d->op ||
                (phase == (int)d->phase && phase != SWP_KERNEL && i >= d->entry))
                continue;
            const int passes = passes_of_both(model, &other, d);
            if (passes < 0 || (least >= 0 && least <= passes))
                continue;
            least = passes;
            first = other;
        }
    if (least < 0)
        return SWP_OK;
    finding.kind = SWP_DOUBLE_WORK;
    finding.wanted = SWP_NO_TILE;
    finding.at.pass = passes_between(model, &first, d);
    finding.other = &(swp_bodies_event){{first.phase, first.entry}, 0};
    return tell(findings, finding, least);
}

swp_status swp_bodies_count_exactly_once(swp_findings *findings)
{
    const swp_model *model = findings->model;
    swp_missing_op missing = {0};
    const bool misses = swp_bodies_find_missing_op(model, &missing);
    const swp_finding finding = {.kind = SWP_MISSING_WORK,
                                 .at = {{SWP_EPILOGUE, model->effects.lengths[SWP_EPILOGUE]}, 0},
                                 .place = missing.op,
                                 .wanted = missing.iteration};
    if (misses)
        SWP_TRY(tell(findings, finding, missing.passes));
    for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->effects.lengths[phase]; i++) {
            instance d;
            if (instance_at(model, (swp_phase)phase, i, &d))
                SWP_TRY(judge_instance(findings, &d));
        }
    return SWP_OK;
}
