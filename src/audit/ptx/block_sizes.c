/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which numbers of threads a kernel is judged with whose file does not say how many a work group has: usual ones, and those that its barriers and comparisons with the number of a thread or a warp ask for.
 */
#include "audit/ptx/block_sizes.h"

#include "audit/code/insn.h"
#include "base/names.h"
#include "base/text.h"

enum { GROUP = SWP_PTX_GROUP_WARPS * SWP_PTX_LANES };

static const int usual[] = {128, 256, 384, 512, SWP_PTX_MOST_THREADS};

/* What a register is made of. */
typedef enum origin { OF_NOTHING, OF_THREAD, OF_WARP } origin;

/* In order, each once; what is too much is left out. */
static void add_size(swp_ptx_block_sizes *sizes, int64_t size)
{
    int at = 0;
    if (size < SWP_PTX_LANES || size > SWP_PTX_MOST_THREADS || size % SWP_PTX_LANES)
        return;
    while (at < sizes->count && sizes->items[at] < size)
        at++;
    if ((at < sizes->count && sizes->items[at] == size) || sizes->count == SWP_PTX_MOST_BLOCK_SIZES)
        return;
    for (int i = sizes->count++; i > at; i--)
        sizes->items[i] = sizes->items[i - 1];
    sizes->items[at] = (int)size;
}

static origin origin_of(const swp_ptx_module *module, const swp_ptx_insn *insn, const char *origins)
{
    origin of = OF_NOTHING;
    for (int i = insn->first; i < insn->end; i++) {
        const swp_ptx_operand *operand = &module->operands.items[i];
        const origin own = operand->atom == SWP_PTX_SPECIAL && operand->reg == SWP_PTX_TID
                               ? OF_THREAD
                           : operand->atom == SWP_PTX_REGISTER && operand->group > 0
                               ? (origin)origins[operand->reg]
                               : OF_NOTHING;
        of = own > of ? own : of;
    }
    return of;
}

static const swp_ptx_operand *number_in(const swp_ptx_module *module, const swp_ptx_insn *insn)
{
    for (int i = insn->first; i < insn->end; i++)
        if (module->operands.items[i].group > 0 && module->operands.items[i].atom == SWP_PTX_NUMBER)
            return &module->operands.items[i];
    return NULL;
}

static bool divides_by_warps(const swp_ptx_insn *insn, int64_t number)
{
    return (insn->kind == SWP_PTX_SHR && number == 5) ||
           (insn->kind == SWP_PTX_DIV && number == SWP_PTX_LANES);
}

/* Threads from a number on, or a warp of this number, do something of their own: there are some. */
static void add_sizes_of(const swp_ptx_module *module, const swp_ptx_insn *insn, char *origins,
                         swp_ptx_block_sizes *sizes)
{
    const swp_ptx_operand *to = swp_ptx_operand_of(module, insn, 0);
    const swp_ptx_operand *number = number_in(module, insn);
    origin of = origin_of(module, insn, origins);
    if (of == OF_THREAD && number && divides_by_warps(insn, number->value))
        of = OF_WARP;
    if (insn->kind == SWP_PTX_SETP && of == OF_THREAD && number) {
        add_size(sizes, number->value);
        add_size(sizes, number->value ? number->value + GROUP : 0);
    }
    if (insn->kind == SWP_PTX_SETP && of == OF_WARP && number && number->value > 0 &&
        number->value < SWP_PTX_LANES)
        add_size(sizes, (number->value + 1) * SWP_PTX_LANES);
    if (to && to->atom == SWP_PTX_REGISTER && insn->has_results && insn->kind > SWP_PTX_NOTHING &&
        insn->kind <= SWP_PTX_SHUFFLE)
        origins[to->reg] = (char)of;
}

/* The most threads that meet at a barrier by number. */
static int64_t least_size(const swp_ptx_module *module, const swp_ptx_kernel *kernel)
{
    int64_t least = 0;
    for (int i = kernel->first; i < kernel->end; i++) {
        const swp_ptx_insn *insn = &module->insns.items[i];
        const swp_ptx_operand *count = swp_ptx_operand_of(module, insn, insn->has_results + 1);
        if ((insn->kind == SWP_PTX_BARRIER || insn->kind == SWP_PTX_BARRIER_ARRIVE) && count &&
            count->atom == SWP_PTX_NUMBER && count->value > least)
            least = count->value;
    }
    return least;
}

swp_status swp_ptx_find_block_sizes(swp_context *ctx, const swp_ptx_module *module,
                                    const swp_ptx_kernel *kernel, swp_ptx_block_sizes *out)
{
    char *origins = NULL;
    swp_ptx_block_sizes all = {.count = 0};
    const int64_t least = least_size(module, kernel);
    const int most = SWP_PTX_MOST_THREADS / swp_ptx_cluster_size(kernel);
    SWP_TRY(SWP_TAKE(ctx, (size_t)kernel->registers + 1, &origins));
    for (size_t i = 0; i < SWP_COUNT_OF(usual); i++)
        add_size(&all, usual[i]);
    add_size(&all, least);
    for (int i = kernel->first; i < kernel->end; i++)
        add_sizes_of(module, &module->insns.items[i], origins, &all);
    *out = (swp_ptx_block_sizes){.count = 0};
    for (int i = 0; i < all.count; i++)
        if (all.items[i] >= least && all.items[i] <= most)
            out->items[out->count++] = all.items[i];
    if (!out->count)
        add_size(out, least ? least : SWP_PTX_LANES);
    return SWP_OK;
}

static void list(swp_text *text, const int *items, int count)
{
    for (int i = 0; i < count; i++)
        swp_text_format(text, "%s%d", !i ? "" : i == count - 1 ? " and " : ", ", items[i]);
}

swp_status swp_ptx_list_block_sizes(swp_context *ctx, const swp_ptx_block_sizes *sizes, char **out)
{
    swp_text text = {.ctx = ctx};
    list(&text, sizes->items, sizes->count);
    return swp_text_end(&text, out, NULL);
}
