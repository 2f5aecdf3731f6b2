/* SPDX-License-Identifier: Apache-2.0 */
/* What a user states of the boxes of tensor maps, checked against the copies of a file's kernels. */
#include "audit/ptx/box_sizes.h"
#include "audit/ptx/launch.h"

#include "base/diag.h"

#include <inttypes.h>

enum {
    MOST_TOLD = 12,          /* maps that a hint lists */
    MOST_PARAM_BYTES = 32764 /* of a kernel (PTX ISA, .entry) */
};

/* A file, its kernels, what is stated of their boxes, and where their maps are. */
typedef struct box_statement {
    swp_context *ctx;
    const char *file;
    const swp_audit_launch *launch;
    const swp_ptx_module *module;
    swp_ptx_param_place *items;
    size_t count;
    size_t capacity;
} box_statement;

static swp_status add_map(box_statement *s, swp_ptx_param_place map)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].param == map.param && s->items[i].byte == map.byte)
            return SWP_OK;
    return SWP_PUSH(s->ctx, s, map);
}

/* The maps of the copies of kernels that are judged. */
static swp_status find_maps(box_statement *s)
{
    for (size_t k = 0; k < s->module->kernels.count; k++) {
        const swp_ptx_kernel *kernel = &s->module->kernels.items[k];
        for (int i = kernel->first; i < kernel->end && swp_ptx_is_asked_for(kernel, s->launch);
             i++) {
            const swp_ptx_insn *insn = &s->module->insns.items[i];
            const bool stores = insn->kind == SWP_PTX_BULK_STORE;
            if ((stores || insn->kind == SWP_PTX_BULK_LOAD) && swp_ptx_has(insn->name, "tensor"))
                SWP_TRY(add_map(
                    s, swp_ptx_place_of(s->module, kernel,
                                        swp_ptx_operand_of(s->module, insn, stores ? 0 : 1))));
        }
    }
    return SWP_OK;
}

/* Whether a kernel that is judged may have such a parameter. */
static bool has_param(const box_statement *s, const swp_audit_box *box)
{
    bool has = false;
    for (size_t k = 0; k < s->module->kernels.count; k++)
        has |= swp_ptx_is_asked_for(&s->module->kernels.items[k], s->launch) &&
               box->param < s->module->kernels.items[k].params;
    return has && box->param >= 0 && box->byte >= 0 && box->byte < MOST_PARAM_BYTES;
}

static bool is_map(const box_statement *s, const swp_audit_box *box)
{
    bool found = false;
    for (size_t i = 0; i < s->count; i++)
        found |= s->items[i].param == SWP_PTX_COMPUTED
                     ? has_param(s, box)
                     : s->items[i].param == box->param && s->items[i].byte == box->byte;
    return found;
}

static swp_status list_maps(const box_statement *s, char **out)
{
    swp_text text = {.ctx = s->ctx};
    int told = 0;
    for (size_t i = 0; i < s->count; i++) {
        const swp_ptx_param_place *map = &s->items[i];
        if (map->param < 0 || told++ >= MOST_TOLD)
            continue;
        swp_text_format(&text, "%s%d", told == 1 ? "the maps of its copies are in " : ", ",
                        map->param);
        if (map->byte)
            swp_text_format(&text, ".%" PRId64, map->byte);
    }
    swp_text_format(&text, "%s", told > MOST_TOLD ? " …" : "");
    if (!told)
        swp_text_format(&text, "%s",
                        s->count ? "the maps of its copies are in no parameter: parameters point "
                                   "to them, and what they hold cannot be stated"
                                 : "no kernel that is judged has a tensor copy or store");
    return swp_text_end(&text, out, NULL);
}

static swp_status name_place(const box_statement *s, const swp_audit_box *box, char **out)
{
    swp_text text = {.ctx = s->ctx};
    swp_ptx_name_param(&text, box->param, box->byte);
    return swp_text_end(&text, out, NULL);
}

/* What speaks against a box that is stated; no `what`: nothing does. */
static swp_status find_objection(const box_statement *s, size_t number, char **what, char **hint)
{
    const swp_audit_box *box = &s->launch->boxes[number];
    char *place = NULL;
    SWP_TRY(name_place(s, box, &place));
    for (size_t i = 0; i < number; i++) {
        const swp_audit_box *other = &s->launch->boxes[i];
        if (other->param != box->param || other->byte != box->byte)
            continue;
        SWP_TRY(swp_format(s->ctx, hint, "state each box once"));
        return swp_format(s->ctx, what,
                          "the box of the tensor map in %s is stated twice, as %" PRId64
                          " and %" PRId64 " bytes",
                          place, other->bytes, box->bytes);
    }
    if (!is_map(s, box)) {
        SWP_TRY(list_maps(s, hint));
        return swp_format(s->ctx, what, "a box is stated of %s, which is no tensor map of a copy",
                          place);
    }
    if (box->bytes >= SWP_PTX_COPY_UNIT && box->bytes <= SWP_PTX_MOST_SHARED &&
        box->bytes % SWP_PTX_COPY_UNIT == 0)
        return SWP_OK;
    SWP_TRY(swp_format(s->ctx, hint, "a copy brings a multiple of %d bytes, up to %d",
                       SWP_PTX_COPY_UNIT, SWP_PTX_MOST_SHARED));
    return swp_format(s->ctx, what,
                      "the box of the tensor map in %s is stated to hold %" PRId64 " bytes", place,
                      box->bytes);
}

swp_status swp_ptx_check_boxes(swp_context *ctx, const char *file, const swp_audit_launch *launch,
                               const swp_ptx_module *module)
{
    box_statement s = {.ctx = ctx, .file = file, .launch = launch, .module = module};
    char *what = NULL;
    char *hint = NULL;
    if (!launch->box_count)
        return SWP_OK;
    SWP_TRY(find_maps(&s));
    for (size_t i = 0; i < launch->box_count; i++) {
        SWP_TRY(find_objection(&s, i, &what, &hint));
        if (what)
            return swp_error(ctx, SWP_E0819, (swp_place){file, 0, 0}, hint, "%s", what);
    }
    return SWP_OK;
}
