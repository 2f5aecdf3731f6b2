/* SPDX-License-Identifier: Apache-2.0 */
/* What a user states of a launch, checked against the kernels of a file, and given to their arguments. */
#include "audit/ptx/launch.h"

#include "audit/code/insn.h"
#include "audit/ptx/windows.h"
#include "base/diag.h"
#include "base/text.h"

#include <inttypes.h>

enum {
    MOST_TOLD = 12, /* places or kernels that a hint lists */
    MOST_GROUPS_X = INT32_MAX,
    MOST_GROUPS_YZ = 65535,
    MOST_THREADS_Z = 64
};

static const int most_groups[3] = {MOST_GROUPS_X, MOST_GROUPS_YZ, MOST_GROUPS_YZ};
static const int most_threads[3] = {SWP_PTX_MOST_THREADS, SWP_PTX_MOST_THREADS, MOST_THREADS_Z};

/* A file, its kernels, and what is stated of them. */
typedef struct statement {
    swp_context *ctx;
    const char *file;
    const swp_audit_launch *launch;
    swp_ptx_module *module;
} statement;

/* A number that a kernel reads of a parameter. */
typedef struct place {
    int param; /* below 0: the address of the parameter is computed */
    int64_t byte;
    int bits;
} place;

typedef struct places {
    place *items;
    size_t count;
    size_t capacity;
} places;

static bool has_grid(const swp_audit_launch *launch)
{
    return launch->grid[0] || launch->grid[1] || launch->grid[2];
}

static bool has_block(const swp_audit_launch *launch)
{
    return launch->block[0] || launch->block[1] || launch->block[2];
}

bool swp_ptx_states_flow(const swp_audit_launch *launch)
{
    return launch->kernel || launch->argument_count || has_grid(launch) || has_block(launch) ||
           launch->one_work_group || launch->has_shared;
}

static bool has_cluster(const swp_audit_launch *launch)
{
    return launch->cluster[0] || launch->cluster[1] || launch->cluster[2];
}

bool swp_ptx_states_grid(const swp_audit_launch *launch)
{
    return has_grid(launch) || launch->one_work_group;
}

bool swp_ptx_is_stated(const swp_audit_launch *launch)
{
    return swp_ptx_states_flow(launch) || launch->box_count || has_cluster(launch);
}

bool swp_ptx_is_asked_for(const swp_ptx_kernel *kernel, const swp_audit_launch *launch)
{
    return !launch->kernel || swp_code_slice_contains(kernel->name, launch->kernel);
}

static swp_status refuse(const statement *s, const char *hint, const char *what)
{
    return swp_error(s->ctx, SWP_E0819, (swp_place){s->file, 0, 0}, hint, "%s", what);
}

/* --- kernels --- */

static swp_status list_kernels(const statement *s, char **out)
{
    swp_text text = {.ctx = s->ctx};
    for (size_t i = 0; i < s->module->kernels.count && i < MOST_TOLD; i++) {
        const char *name = NULL;
        SWP_TRY(swp_code_copy_printable(s->ctx, s->module->kernels.items[i].name, &name));
        swp_text_format(&text, "%s%s", i ? ", " : "its kernels are ", name);
    }
    if (s->module->kernels.count > MOST_TOLD)
        swp_text_format(&text, " …");
    return swp_text_end(&text, out, NULL);
}

static swp_status check_kernel(const statement *s)
{
    char *hint = NULL;
    char *what = NULL;
    for (size_t i = 0; i < s->module->kernels.count; i++)
        if (swp_ptx_is_asked_for(&s->module->kernels.items[i], s->launch))
            return SWP_OK;
    SWP_TRY(list_kernels(s, &hint));
    SWP_TRY(swp_format(s->ctx, &what, "no kernel of this file has `%s` in its name",
                       s->launch->kernel));
    return refuse(s, hint, what);
}

/* --- arguments --- */

static swp_status add_places(const statement *s, const swp_ptx_kernel *kernel,
                             const swp_ptx_insn *insn, places *list)
{
    const swp_ptx_operand *operands = s->module->operands.items;
    const swp_ptx_param_place from =
        swp_ptx_place_of(s->module, kernel, swp_ptx_operand_of(s->module, insn, 1));
    place at = {from.param, from.byte, insn->type.bits ? insn->type.bits : 32};
    for (int i = insn->first; i < insn->end && operands[i].group == 0; i++) {
        SWP_TRY(SWP_PUSH(s->ctx, list, at));
        at.byte += at.bits / 8;
    }
    return SWP_OK;
}

/* What the kernels that are judged read of their parameters. */
static swp_status find_places(const statement *s, places *list)
{
    for (size_t k = 0; k < s->module->kernels.count; k++) {
        const swp_ptx_kernel *kernel = &s->module->kernels.items[k];
        for (int i = kernel->first; swp_ptx_is_asked_for(kernel, s->launch) && i < kernel->end; i++)
            if (s->module->insns.items[i].kind == SWP_PTX_LOAD_PARAM)
                SWP_TRY(add_places(s, kernel, &s->module->insns.items[i], list));
    }
    return SWP_OK;
}

/* Whether a kernel has so many parameters. */
static bool has_param(const statement *s, int param)
{
    bool has = false;
    for (size_t k = 0; k < s->module->kernels.count; k++)
        has |= swp_ptx_is_asked_for(&s->module->kernels.items[k], s->launch) &&
               param < s->module->kernels.items[k].params;
    return has && param >= 0;
}

static bool is_listed_before(const places *list, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (list->items[i].param == list->items[at].param &&
            list->items[i].byte == list->items[at].byte)
            return true;
    return false;
}

/* What is read of one parameter, or of all of them. */
static swp_status list_places(const statement *s, const places *list, int param, char **out)
{
    swp_text text = {.ctx = s->ctx};
    int told = 0;
    for (size_t i = 0; i < list->count; i++) {
        const place *p = &list->items[i];
        if (p->param < 0 || (param >= 0 && p->param != param) || is_listed_before(list, i))
            continue;
        if (told++ < MOST_TOLD)
            swp_text_format(&text, "%s%d.%" PRId64 " (%d bits)",
                            told == 1 ? "what kernels of this file read is " : ", ", p->param,
                            p->byte, p->bits);
    }
    swp_text_format(&text, "%s", told > MOST_TOLD ? " …" : told ? "" : "they read no parameter");
    return swp_text_end(&text, out, NULL);
}

static swp_status refuse_place(const statement *s, const places *list,
                               const swp_audit_argument *argument)
{
    char *what = NULL;
    char *hint = NULL;
    bool is_read = false;
    for (size_t i = 0; i < list->count; i++)
        is_read |= list->items[i].param == argument->param;
    SWP_TRY(list_places(s, list, is_read ? argument->param : -1, &hint));
    SWP_TRY(is_read ? swp_format(s->ctx, &what,
                                 "an argument is stated at byte %d of parameter %d, where no "
                                 "kernel of this file reads one",
                                 argument->byte, argument->param)
                    : swp_format(s->ctx, &what,
                                 "an argument is stated for parameter %d, which no kernel of this "
                                 "file reads",
                                 argument->param));
    return refuse(s, hint, what);
}

static swp_status check_value(const statement *s, const swp_audit_argument *argument, int bits)
{
    char *what = NULL;
    char *hint = NULL;
    const int64_t half = bits < 64 ? INT64_C(1) << (bits - 1) : 0;
    if (bits >= 64 || (argument->value >= -half && argument->value < 2 * half))
        return SWP_OK;
    SWP_TRY(swp_format(s->ctx, &what,
                       "parameter %d is stated as %" PRId64 " at byte %d, where kernels read %d "
                       "bits",
                       argument->param, argument->value, argument->byte, bits));
    SWP_TRY(swp_format(s->ctx, &hint, "give a number from %" PRId64 " to %" PRId64, -half,
                       2 * half - 1));
    return refuse(s, hint, what);
}

static swp_status check_argument(const statement *s, const places *list, size_t number)
{
    const swp_audit_argument *argument = &s->launch->arguments[number];
    char *what = NULL;
    bool found = false;
    for (size_t i = 0; i < number; i++) {
        const swp_audit_argument *other = &s->launch->arguments[i];
        if (other->param != argument->param || other->byte != argument->byte)
            continue;
        SWP_TRY(swp_format(s->ctx, &what,
                           "byte %d of parameter %d is stated twice, as %" PRId64 " and %" PRId64,
                           argument->byte, argument->param, other->value, argument->value));
        return refuse(s, "state each argument once", what);
    }
    for (size_t i = 0; i < list->count; i++) {
        const place *p = &list->items[i];
        if (p->param == argument->param && p->byte == argument->byte)
            SWP_TRY(check_value(s, argument, p->bits));
        found |= p->param < 0 ? has_param(s, argument->param)
                              : p->param == argument->param && p->byte == argument->byte;
    }
    return found ? SWP_OK : refuse_place(s, list, argument);
}

/* --- the shape --- */

static swp_status refuse_number(const statement *s, const char *of, int dimension, int number,
                                int most)
{
    char *what = NULL;
    char *hint = NULL;
    SWP_TRY(swp_format(s->ctx, &what, "a %s of %d in dimension %c", of, number, "xyz"[dimension]));
    SWP_TRY(swp_format(s->ctx, &hint, "a launch has 1 to %d there", most));
    return refuse(s, hint, what);
}

static swp_status check_grid(const statement *s)
{
    const swp_audit_launch *launch = s->launch;
    for (int d = 0; d < 3; d++) {
        const int groups = has_grid(launch) ? launch->grid[d] : most_groups[d];
        char *what = NULL;
        if (groups < 1 || groups > most_groups[d])
            return refuse_number(s, "grid", d, groups, most_groups[d]);
        if (!launch->one_work_group ||
            (launch->work_group[d] >= 0 && launch->work_group[d] < groups))
            continue;
        SWP_TRY(swp_format(s->ctx, &what, "work group %d in dimension %c, where the launch has %d",
                           launch->work_group[d], "xyz"[d], groups));
        return refuse(s, "work groups are counted from 0", what);
    }
    return SWP_OK;
}

static int groups_of(const int *cluster)
{
    return cluster[0] * cluster[1] * cluster[2];
}

/* A launch gives a cluster to a kernel whose file names none. */
static swp_status give_cluster(const statement *s, swp_ptx_kernel *kernel)
{
    const int *cluster = s->launch->cluster;
    char *what = NULL;
    char *hint = NULL;
    const bool same = kernel->cluster[0] == cluster[0] && kernel->cluster[1] == cluster[1] &&
                      kernel->cluster[2] == cluster[2];
    if (kernel->cluster[0] && !same) {
        SWP_TRY(swp_format(s->ctx, &what, "a cluster of %d x %d x %d work groups is stated",
                           cluster[0], cluster[1], cluster[2]));
        SWP_TRY(
            swp_format(s->ctx, &hint, "the file says that the kernel of line %d has %d x %d x %d",
                       kernel->line, kernel->cluster[0], kernel->cluster[1], kernel->cluster[2]));
        return refuse(s, hint, what);
    }
    for (int d = 0; d < 3; d++)
        kernel->cluster[d] = cluster[d];
    kernel->is_explicit = true;
    return SWP_OK;
}

static swp_status apply_cluster(const statement *s)
{
    const int *cluster = s->launch->cluster;
    char *what = NULL;
    for (int d = 0; d < 3; d++)
        if (cluster[d] < 1 || cluster[d] > SWP_PTX_MOST_CLUSTER)
            return refuse_number(s, "cluster", d, cluster[d], SWP_PTX_MOST_CLUSTER);
    if (groups_of(cluster) > SWP_PTX_MOST_CLUSTER) {
        SWP_TRY(swp_format(s->ctx, &what, "a cluster of %d work groups", groups_of(cluster)));
        return refuse(s, "a cluster has up to 16 work groups", what);
    }
    for (size_t k = 0; k < s->module->kernels.count; k++)
        if (swp_ptx_is_asked_for(&s->module->kernels.items[k], s->launch))
            SWP_TRY(give_cluster(s, &s->module->kernels.items[k]));
    return SWP_OK;
}

/* A grid is made of whole clusters (PTX ISA, ".reqnctapercluster"). */
static swp_status check_clusters(const statement *s)
{
    for (size_t k = 0; k < s->module->kernels.count; k++) {
        const swp_ptx_kernel *kernel = &s->module->kernels.items[k];
        char *what = NULL;
        char *hint = NULL;
        for (int d = 0; d < 3 && kernel->cluster[0] && has_grid(s->launch); d++) {
            if (!swp_ptx_is_asked_for(kernel, s->launch) ||
                s->launch->grid[d] % kernel->cluster[d] == 0)
                continue;
            SWP_TRY(swp_format(s->ctx, &what, "a grid of %d in dimension %c", s->launch->grid[d],
                               "xyz"[d]));
            SWP_TRY(swp_format(s->ctx, &hint,
                               "the kernel of line %d runs in clusters, which have %d there: give "
                               "a multiple",
                               kernel->line, kernel->cluster[d]));
            return refuse(s, hint, what);
        }
    }
    return SWP_OK;
}

static int threads_of(const int *block)
{
    return block[0] * block[1] * block[2];
}

/* A kernel is launched with the threads that it is made for, or where it only names a most, with fewer. */
static swp_status give_threads(const statement *s, swp_ptx_kernel *kernel)
{
    const int *block = s->launch->block;
    const int *made_for = kernel->threads;
    char *what = NULL;
    char *hint = NULL;
    const bool same = block[0] == made_for[0] && block[1] == made_for[1] && block[2] == made_for[2];
    const bool fits = kernel->exact ? same : threads_of(block) <= threads_of(made_for);
    if (kernel->sized && !fits) {
        const char *name = NULL;
        SWP_TRY(swp_code_copy_printable(s->ctx, kernel->name, &name));
        SWP_TRY(swp_format(s->ctx, &what, "%s is stated to have %d x %d x %d threads", name,
                           block[0], block[1], block[2]));
        SWP_TRY(swp_format(s->ctx, &hint, "the file says that it has %s%d x %d x %d",
                           kernel->exact ? "" : "at most ", made_for[0], made_for[1], made_for[2]));
        return swp_error(s->ctx, SWP_E0819, (swp_place){s->file, kernel->line, 1}, hint, "%s",
                         what);
    }
    for (int d = 0; d < 3; d++)
        kernel->threads[d] = block[d];
    kernel->sized = true;
    kernel->is_at_most = false;
    return SWP_OK;
}

static swp_status apply_block(const statement *s)
{
    const int *block = s->launch->block;
    char *what = NULL;
    for (int d = 0; d < 3; d++)
        if (block[d] < 1 || block[d] > most_threads[d])
            return refuse_number(s, "block", d, block[d], most_threads[d]);
    if (threads_of(block) > SWP_PTX_MOST_THREADS) {
        SWP_TRY(swp_format(s->ctx, &what, "a block of %d threads", threads_of(block)));
        return refuse(s, "a work group has up to 1024 threads", what);
    }
    for (size_t k = 0; k < s->module->kernels.count; k++)
        if (swp_ptx_is_asked_for(&s->module->kernels.items[k], s->launch))
            SWP_TRY(give_threads(s, &s->module->kernels.items[k]));
    return SWP_OK;
}

swp_status swp_ptx_apply_launch(swp_context *ctx, const char *file, const swp_audit_launch *launch,
                                swp_ptx_module *module)
{
    const statement s = {ctx, file, launch, module};
    places list = {0};
    SWP_TRY(check_kernel(&s));
    SWP_TRY(check_grid(&s));
    if (has_cluster(launch))
        SWP_TRY(apply_cluster(&s));
    SWP_TRY(check_clusters(&s));
    if (has_block(launch))
        SWP_TRY(apply_block(&s));
    if (launch->argument_count)
        SWP_TRY(find_places(&s, &list));
    for (size_t i = 0; i < launch->argument_count; i++)
        SWP_TRY(check_argument(&s, &list, i));
    return swp_ptx_check_boxes(ctx, file, launch, module);
}

/* --- what follows from it --- */

static void state(swp_ptx_argument *argument, int64_t value)
{
    const swp_ptx_type type = {argument->bits, false};
    argument->given = argument->stated = true;
    argument->value = swp_ptx_extend((uint64_t)value, type);
}

void swp_ptx_state_argument(const swp_audit_launch *launch, const swp_ptx_kernel *kernel,
                            swp_ptx_argument *argument)
{
    const int64_t number = argument->offset - SWP_PTX_CTAID;
    const int d = (int)(number % 3);
    /* Clusters are what is counted. */
    const int by = kernel->cluster[0] ? kernel->cluster[d] : 1;
    for (size_t i = 0; argument->param >= 0 && i < launch->argument_count; i++)
        if (launch->arguments[i].param == argument->param &&
            launch->arguments[i].byte == argument->offset)
            state(argument, launch->arguments[i].value);
    if (argument->param >= 0)
        return;
    if (argument->offset < SWP_PTX_NCTAID && launch->one_work_group)
        state(argument, launch->work_group[d] / by);
    else if (argument->offset < SWP_PTX_NCTAID && launch->grid[d] / by > 1)
        argument->groups = launch->grid[d] / by;
    else if (has_grid(launch))
        state(argument, argument->offset < SWP_PTX_NCTAID ? 0 : launch->grid[d] / by);
}
