/* SPDX-License-Identifier: Apache-2.0 */
/* Who executes an instruction, in words: warps by their numbers, and which of their lanes. */
#include "audit/ptx/report.h"
#include "audit/ptx/windows.h"

enum { LANE_0 = 1, OTHER_LANES = 2 };

static int warps_from(uint32_t warps, int first)
{
    int last = first;
    while (last + 1 < SWP_PTX_MOST_WARPS && warps >> (last + 1) & 1)
        last++;
    return last;
}

/* "warp 4", "warps 0 to 3", "warps 0 to 3 and 8" */
static void add_warps(swp_text *text, uint32_t warps)
{
    const bool several = (warps & (warps - 1)) != 0;
    const char *before = several ? "warps " : "warp ";
    for (int first = 0; first < SWP_PTX_MOST_WARPS; first++) {
        if (!(warps >> first & 1))
            continue;
        const int last = warps_from(warps, first);
        if (last > first)
            swp_text_format(text, "%s%d to %d", before, first, last);
        else
            swp_text_format(text, "%s%d", before, first);
        first = last;
        before = last + 1 < SWP_PTX_MOST_WARPS && warps >> (last + 1) >> 1 ? ", " : " and ";
    }
}

/* Of which lanes; all of them are not named. */
static const char *lanes_of(unsigned chains)
{
    if (chains == LANE_0)
        return " (lane 0)";
    return chains == OTHER_LANES ? " (lanes 1 to 31)" : "";
}

/* Of a cluster the numbers are those of the own work group. */
static void add_threads(swp_text *text, const swp_ptx_threads *threads, int own_warps)
{
    const uint64_t own = (UINT64_C(1) << own_warps) - 1;
    uint32_t warps = threads->warps;
    for (uint32_t rest = warps; own_warps < SWP_PTX_MOST_WARPS && rest; rest >>= own_warps)
        warps |= rest;
    add_warps(text, warps & (uint32_t)own);
    swp_text_format(text, "%s", lanes_of(threads->chains));
}

void swp_ptx_join_finding(swp_ptx_finding *to, const swp_ptx_finding *from)
{
    const bool swapped = to->at == from->other && to->other == from->at;
    const swp_ptx_threads *at = swapped ? &from->of_other : &from->of_at;
    const swp_ptx_threads *other = swapped ? &from->of_at : &from->of_other;
    to->of_at.warps |= at->warps;
    to->of_at.chains |= at->chains;
    to->of_other.warps |= other->warps;
    to->of_other.chains |= other->chains;
    if (!swapped)
        to->groups = swp_ptx_fewer_groups(to, from);
}

/* The kernel that an instruction is in. */
static const swp_ptx_kernel *kernel_of(const swp_ptx_module *module, int insn)
{
    size_t k = 0;
    while (k + 1 < module->kernels.count && insn >= module->kernels.items[k].end)
        k++;
    return &module->kernels.items[k];
}

swp_status swp_ptx_tell_threads(swp_context *ctx, const swp_ptx_module *module,
                                const swp_ptx_finding *found, swp_audit_finding *out)
{
    swp_text text = {.ctx = ctx};
    char *detail = NULL;
    if (!found->of_at.warps)
        return SWP_OK;
    const int own_warps = swp_ptx_warps_of(kernel_of(module, found->at));
    const bool both = found->of_other.warps && found->other >= 0;
    swp_text_format(&text, "%s; line %d is by ", out->detail,
                    both ? out->other.line : out->at.line);
    if (both) {
        add_threads(&text, &found->of_other, own_warps);
        swp_text_format(&text, ", line %d by ", out->at.line);
    }
    add_threads(&text, &found->of_at, own_warps);
    SWP_TRY(swp_text_end(&text, &detail, NULL));
    out->detail = detail;
    return SWP_OK;
}
