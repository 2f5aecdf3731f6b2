/* SPDX-License-Identifier: Apache-2.0 */
/* How far the waits have come that a finding is about, in words: arrivals, bytes and threads by their numbers. */
#include "audit/ptx/report.h"

#include <inttypes.h>

static void add_phase(swp_text *text, const swp_ptx_facts *facts)
{
    swp_text_format(text, "%d of %d arrival%s come", facts->came, facts->count,
                    facts->count == 1 ? " has" : "s have");
    if (facts->brought < 0)
        swp_text_format(text, ", and the copies of tensor maps are to bring %" PRId64 " bytes",
                        facts->bytes);
    else if (facts->bytes || facts->brought)
        swp_text_format(text, ", and copies bring %" PRId64 " of %" PRId64 " bytes", facts->brought,
                        facts->bytes);
}

static void add_line(swp_text *text, const swp_ptx_insn *insn, const swp_ptx_facts *facts)
{
    if (facts->of == SWP_PTX_NO_FACTS)
        return;
    swp_text_format(text, "; line %d: ", insn->line);
    if (facts->of == SWP_PTX_PHASE_FACTS)
        add_phase(text, facts);
    else
        swp_text_format(text, "%d of %d threads have come", facts->came, facts->count);
}

void swp_ptx_add_facts(swp_text *text, const swp_ptx_module *module, const swp_ptx_finding *found)
{
    add_line(text, &module->insns.items[found->at], &found->facts);
    if (found->other >= 0)
        add_line(text, &module->insns.items[found->other], &found->other_facts);
}
