/* SPDX-License-Identifier: Apache-2.0 */
/* What a barrier may be for besides shared memory: the order of accesses to global memory, whose addresses are not followed. */
#include "audit/ptx/advice.h"

#include "base/names.h"

/* What of global memory is accessed on some way, with no barrier of the work group between. */
enum { READS = 1, WRITES = 2 };

static bool is_global(const swp_ptx_insn *insn)
{
    static const char *const others[] = {"shared", "shared::cta", "shared::cluster", "local",
                                         "const"};
    bool is = true;
    for (size_t i = 0; i < SWP_COUNT_OF(others); i++)
        is &= !swp_ptx_has(insn->name, others[i]);
    return is;
}

static int access_of(const swp_ptx_insn *insn)
{
    switch (insn->kind) {
    case SWP_PTX_LOAD:
        return is_global(insn) ? READS : 0;
    case SWP_PTX_STORE:
        return is_global(insn) ? WRITES : 0;
    case SWP_PTX_ATOMIC:
        return is_global(insn) ? READS | WRITES : 0;
    case SWP_PTX_COPY:
    case SWP_PTX_BULK_LOAD:
        return READS;
    case SWP_PTX_BULK_STORE:
        return WRITES;
    case SWP_PTX_MAP_WRITE:
    case SWP_PTX_MAP_READ:
        return READS | WRITES;
    case SWP_PTX_OPAQUE:
        /* Loads by other ways, and textures and surfaces. */
        return swp_code_slice_starts(insn->name, "ldu") ||
                       swp_code_slice_starts(insn->name, "tex") ||
                       swp_code_slice_starts(insn->name, "tld4") ||
                       swp_code_slice_starts(insn->name, "su")
                   ? READS | WRITES
                   : 0;
    case SWP_PTX_NOTHING:
        /* What the grids before have written is there behind it, for the thread that has waited. */
        return swp_code_slice_starts(insn->name, "griddepcontrol.wait") ? WRITES : 0;
    default:
        return 0;
    }
}

bool swp_ptx_tells_by_memory(const swp_ptx_module *module, const swp_ptx_kernel *kernel)
{
    for (int i = kernel->first; i < kernel->end; i++) {
        const swp_ptx_insn *insn = &module->insns.items[i];
        const bool fences =
            swp_code_slice_starts(insn->name, "membar") ||
            (insn->kind == SWP_PTX_NOTHING && swp_code_slice_starts(insn->name, "fence"));
        if (fences || insn->signals || (insn->kind == SWP_PTX_ATOMIC && is_global(insn)))
            return true;
    }
    return false;
}

bool swp_ptx_stores_globals(const swp_ptx_module *module, const swp_ptx_kernel *kernel)
{
    for (int i = kernel->first; i < kernel->end; i++) {
        const swp_ptx_insn *insn = &module->insns.items[i];
        if (insn->kind != SWP_PTX_BULK_STORE && insn->kind != SWP_PTX_NOTHING &&
            access_of(insn) & WRITES)
            return true;
    }
    return false;
}

typedef struct walker {
    const swp_ptx_module *module;
    const swp_ptx_kernel *kernel;
    int own;     /* the barrier */
    int *before; /* by instruction of the kernel: accesses on the ways to it */
    int *behind; /* and on those from it on */
} walker;

/* All threads of the work group meet. */
static bool is_other_barrier(const walker *w, int insn)
{
    const swp_ptx_insn *of = &w->module->insns.items[insn];
    return insn != w->own && of->kind == SWP_PTX_BARRIER && of->guard < 0 && !of->has_results &&
           !swp_ptx_operand_of(w->module, of, 1);
}

/* Returns whether anything is new. */
static bool pass_on(const walker *w, int from, int to)
{
    const int first = w->kernel->first;
    if (to < first || to >= w->kernel->end)
        return false;
    const int in = w->before[to - first];
    const int out = w->behind[from - first];
    if (!is_other_barrier(w, from))
        w->before[to - first] |= w->before[from - first] | access_of(&w->module->insns.items[from]);
    if (!is_other_barrier(w, to))
        w->behind[from - first] |= w->behind[to - first] | access_of(&w->module->insns.items[to]);
    return w->before[to - first] != in || w->behind[from - first] != out;
}

static bool walk_once(const walker *w)
{
    bool changed = false;
    for (int i = w->kernel->first; i < w->kernel->end; i++) {
        const swp_ptx_insn *insn = &w->module->insns.items[i];
        const bool leaves = insn->kind == SWP_PTX_BRANCH || insn->kind == SWP_PTX_EXIT;
        if (insn->kind == SWP_PTX_BRANCH)
            changed |= pass_on(w, i, insn->target);
        if (!leaves || insn->guard >= 0)
            changed |= pass_on(w, i, i + 1);
    }
    return changed;
}

swp_status swp_ptx_orders_globals(swp_context *ctx, const swp_ptx_module *module,
                                  const swp_ptx_kernel *kernel, int insn, bool *orders)
{
    walker w = {.module = module, .kernel = kernel, .own = insn};
    const size_t count = (size_t)(kernel->end - kernel->first);
    SWP_TRY(SWP_TAKE(ctx, count, &w.before));
    SWP_TRY(SWP_TAKE(ctx, count, &w.behind));
    while (walk_once(&w)) {
    }
    const int before = w.before[insn - kernel->first];
    const int behind = w.behind[insn - kernel->first];
    *orders = (before & WRITES && behind) || (before && behind & WRITES);
    return SWP_OK;
}
