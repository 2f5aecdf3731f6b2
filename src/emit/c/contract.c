/* SPDX-License-Identifier: Apache-2.0 */
/* The first comment of a generated header: where it comes from, and what the kernel has to define. */
#include "emit/c/loop.h"
#include "emit/c/roles.h"

#include "ir/schedule.h"

#include "swp/version.h"

#include <stdio.h>
#include <string.h>

/* What an entry of a kind is to the kernel that defines its macro. */
static const char *meaning_of(swp_role role)
{
    switch (role) {
    case SWP_GLOBAL_LOAD:
        return "load";
    case SWP_SHARED_STORE:
        return "store";
    case SWP_FRAGMENT_LOAD:
        return "fragment load";
    case SWP_COMPUTE:
        return "MMA";
    default:
        return "other";
    }
}

static void put_origin(swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    swp_text_format(&header->text,
                    "/*\n * %s%s%s: a software-pipelined loop as macros. Made by swp %s:\n",
                    swp_schedule_title(s), *s->target ? " for " : "", s->target, swp_version());
    if (!header->options->origin)
        return;
    swp_text_format(&header->text, " *\n *     %s\n", header->options->origin);
    if (s->metrics.stopped)
        swp_text_format(&header->text,
                        " *\n * A limit of time or work ended the search, so the same "
                        "command may find another schedule.\n");
}

static void put_hazard(swp_c_header *header, const swp_hazard *hazard)
{
    swp_text_format(&header->text, " *     %s at %s%s%s entry %d (%s)%s: %s\n",
                    swp_hazard_name(hazard->kind), hazard->role ? hazard->role : "",
                    hazard->role ? " " : "", swp_phase_name(hazard->at.phase), hazard->at.entry,
                    hazard->name, hazard->accepted ? ", accepted" : "", hazard->detail);
}

static void put_safety(swp_c_header *header, const swp_verdict *verdict)
{
    swp_text *text = &header->text;
    if (!verdict) {
        swp_text_format(text, " *\n * NOT PROVEN SAFE: the proof came to no end, or has no meaning "
                              "for this schedule.\n");
        return;
    }
    if (verdict->safe) {
        swp_text_format(text,
                        " *\n * Proven safe for every number of tiles and every timing of the "
                        "machine, if the kernel keeps\n * the contract below.\n");
        return;
    }
    swp_text_format(text, " *\n * NOT SAFE. Known hazards:\n *\n");
    for (size_t i = 0; i < verdict->hazards.count; i++)
        put_hazard(header, &verdict->hazards.items[i]);
}

/* How often an op stands in a phase. */
static int calls(const swp_schedule *schedule, swp_phase phase, int tag)
{
    const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
    int count = 0;
    for (size_t i = 0; i < entries->count; i++)
        count += entries->items[i].op.tag == tag;
    return count;
}

static void put_cost(swp_c_header *header, swp_c_cost cost)
{
    char text[32] = "1+";
    if (!cost.unstated && cost.least == cost.most)
        (void)snprintf(text, sizeof text, "%d", cost.most);
    else if (!cost.unstated)
        (void)snprintf(text, sizeof text, "%d..%d", cost.least, cost.most);
    swp_text_format(&header->text, "%8s", text);
}

static void put_op(swp_c_header *header, int tag)
{
    const swp_schedule *s = header->schedule;
    const swp_c_op op = swp_c_op_of(header, tag);
    swp_text_format(&header->text, " *     %s_%-*s  %-13s", header->prefix, header->op_width,
                    header->op_macros[tag], meaning_of(op.role));
    put_cost(header, op.vm);
    put_cost(header, op.lgkm);
    swp_text_format(&header->text, "%10d%8d%10d\n", calls(s, SWP_PROLOGUE, tag),
                    calls(s, SWP_KERNEL, tag), calls(s, SWP_EPILOGUE, tag));
}

static const char reading[] = " *\n"
                              " * stage and subtile are literals: of loads, stores and fragment "
                              "loads the LDS buffer and the part\n"
                              " * of the tile, of an MMA its row and column. tile is SWP_TILE(kb, "
                              "literal): the K tile that a load\n"
                              " * fetches, a store stores or an MMA multiplies; of any other op it "
                              "means nothing. The columns say\n"
                              " * how many accesses a call makes a wave issue (1+: any number but "
                              "0), and how often it is called.\n";

/* What the kernel has to define: a macro for each op of a body. */
static void put_ops(swp_c_header *header)
{
    const int width = (int)strlen(header->prefix) + 1 + header->op_width;
    swp_text_format(
        &header->text,
        " *\n * The kernel defines a macro (ctx, stage, subtile, tile) for each op, to be "
        "used as a statement:\n *\n *     %-*s  %-13s%8s%8s%10s%8s%10s\n",
        width, "", "", "vmcnt", "lgkmcnt", "prologue", "pass", "epilogue");
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        if (header->op_macros[tag])
            put_op(header, tag);
    swp_text_add(&header->text, reading, strlen(reading));
}

static const char contract[] =
    " *\n"
    " * The contract: from the start of the prologue to the end of the epilogue each call issues "
    "exactly\n"
    " * these counted accesses, and nothing else issues any. A load that would be out of bounds "
    "is\n"
    " * clamped or masked, never skipped.\n";

static const char terms[] =
    " * SWP_BARRIER() %s.\n"
    " * %s a register that is being loaded.\n"
    " *\n"
    " * %s_RUN(ctx, n_tiles, group) is the whole loop; ctx is handed to the kernel's macros as it "
    "is,\n"
    " * n_tiles counts K tiles, group is the warp group of the wave, %s.\n"
    " */\n";

static void put_terms(swp_c_header *header)
{
    const swp_machine *machine = &header->schedule->machine;
    const bool fenced = machine->barrier == SWP_BARRIER_FENCED;
    static const char *const waiters[] = {
        [SWP_REGISTERS_MANAGED] = "The compiler waits before the use of",
        [SWP_REGISTERS_RAW] = "Nothing but the schedule waits for",
        [SWP_REGISTERS_SCOREBOARD] = "The hardware waits before the use of",
    };
    const bool to_lds = header->schedule->loop.placement == SWP_PLACE_K_OFFSET;
    swp_text_add(&header->text, contract, strlen(contract));
    if (to_lds && header->machine->load)
        swp_text_format(&header->text, " * %s\n", header->machine->load);
    swp_text_format(&header->text, terms,
                    fenced ? "first waits for the wave's own LDS operations, then for all waves"
                           : "waits for all waves, and for no access",
                    waiters[machine->registers], header->prefix,
                    machine->groups == 1 ? "0" : "0 or 1");
}

void swp_c_put_contract(swp_c_header *header, const swp_verdict *verdict)
{
    put_origin(header);
    put_safety(header, verdict);
    header->form->put_contract(header);
}

void swp_c_put_group_contract(swp_c_header *header)
{
    if (swp_c_is_of_loop(header))
        swp_c_put_loop_ops(header);
    else
        put_ops(header);
    swp_c_put_waits(header);
    put_terms(header);
}
