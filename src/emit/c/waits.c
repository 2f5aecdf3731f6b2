/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the opening comment that says what each wait has to do, for which calls, and by which instruction. */
#include "emit/c/header.h"

#include <string.h>

const char *const swp_c_gfx9_waits[SWP_SYNC_OBJECTS] = {
    [SWP_VMCNT] = "s_waitcnt vmcnt(n)",
    [SWP_LGKMCNT] = "s_waitcnt lgkmcnt(n)",
};

/* PTX. What a wave waits for it has issued, or counts as if it had. */
const char *const swp_c_ptx_waits[SWP_SYNC_OBJECTS] = {
    [SWP_VMCNT] = "cp.async.wait_group n; a load of registers needs none",
    [SWP_LGKMCNT] = "nothing, hardware waits",
    [SWP_COPY_GROUP] = "cp.async.wait_group n, of stores by TMA cp.async.bulk.wait_group n",
    [SWP_MATRIX_GROUP] = "wgmma.wait_group n",
    [SWP_COPY_MBARRIER] = "mbarrier.try_wait on the mbarrier of each but the last n",
    [SWP_MATRIX_MBARRIER] = "mbarrier.try_wait on the mbarrier of each but the last n",
};

enum { MOST_COLUMNS = 98, INDENT = 22 };

static void put_word(swp_c_header *header, const char *prefix, const char *word, int *column)
{
    const int length = (int)(strlen(prefix) + strlen(word)) + 2;
    if (*column + length > MOST_COLUMNS && *column > INDENT) {
        swp_text_format(&header->text, "\n *%*s", INDENT - 2, "");
        *column = INDENT;
    }
    swp_text_format(&header->text, " %s_%s", prefix, word);
    *column += length;
}

static bool is_on(const swp_c_header *header, int tag, swp_sync_object object)
{
    return header->op_macros[tag] && swp_c_op_of(header, tag).object == object;
}

/* The calls that an object tracks, and its instruction; false: there are none. */
static bool put_object(swp_c_header *header, swp_sync_object object, const char *macro)
{
    const char *how = header->machine->waits ? header->machine->waits[object] : NULL;
    int column = INDENT;
    bool any = false;
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++) {
        if (!is_on(header, tag, object))
            continue;
        if (!any)
            swp_text_format(&header->text, " *     %-*s", INDENT - 7, macro);
        put_word(header, header->prefix, header->op_macros[tag], &column);
        any = true;
    }
    if (any)
        swp_text_format(&header->text, "\n *%*s %s%s%s\n", INDENT - 2, "",
                        swp_ir_sync_object_name(object), how ? ": " : "", how ? how : "");
    return any;
}

static void put_wait(swp_c_header *header, const char *macro, swp_wait_kind wait)
{
    bool any = false;
    for (swp_sync_object object = 0; object < SWP_SYNC_OBJECTS; object++)
        if (swp_ir_sync_object_row(object)->wait == wait)
            any |= put_object(header, object, macro);
    if (!any)
        swp_text_format(&header->text, " *     %-*s nothing is awaited by it: ((void)0)\n",
                        INDENT - 7, macro);
}

static bool has_from(const swp_c_header *header, swp_sync_object first)
{
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        for (swp_sync_object object = first; object < SWP_SYNC_OBJECTS; object++)
            if (is_on(header, tag, object))
                return true;
    return false;
}

/* Neither a barrier nor who uses a register waits for what is in groups or on mbarriers (docs/verification.md). */
static const char uncounted[] =
    " *\n * Nothing else waits for what is in groups or on mbarriers: neither a barrier nor the "
    "use "
    "of a register.\n * What is in flight when the run ends is the kernel's to wait for: "
    "SWP_WAIT_VM(0) and SWP_WAIT_LGKM(0)\n * before it uses the registers, writes to this shared "
    "memory, or ends.\n";

/* The proof of loops without roles has no proxies: it takes barriers to hand on what threads have stored. */
static const char proxies[] =
    " *\n * wgmma and TMA reach shared memory by the async proxy. Where ordinary stores, cp.async "
    "or reads come\n * before them, SWP_BARRIER() executes fence.proxy.async.shared::cta before it "
    "waits for the others.\n";

bool swp_c_waits_serve(const swp_c_header *header)
{
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        for (swp_sync_object object = 0; object < SWP_SYNC_OBJECTS; object++)
            if (is_on(header, tag, object) && !(header->machine->served & 1U << object))
                return false;
    return true;
}

void swp_c_put_waits(swp_c_header *header)
{
    const char *compiler = swp_c_compiler_of(header->machine);
    swp_text *text = &header->text;
    if (compiler)
        swp_text_format(text,
                        " *\n * Compiled for %s this header defines SWP_WAIT_VM(n), "
                        "SWP_WAIT_LGKM(n) and SWP_BARRIER(), unless\n * the kernel did before; "
                        "elsewhere the kernel has to.\n",
                        compiler);
    else
        swp_text_format(text, " *\n * The kernel defines SWP_WAIT_VM(n), SWP_WAIT_LGKM(n) and "
                              "SWP_BARRIER() before this header.\n");
    swp_text_format(text, " * A wait returns when all but the last n accesses of these calls are "
                          "done, in the order of\n * their issue, of each sort by itself:\n *\n");
    put_wait(header, "SWP_WAIT_VM", SWP_WAIT_FOR_VM);
    put_wait(header, "SWP_WAIT_LGKM", SWP_WAIT_FOR_LGKM);
    if (has_from(header, SWP_COPY_GROUP))
        swp_text_add(text, uncounted, strlen(uncounted));
    if (has_from(header, SWP_MATRIX_GROUP))
        swp_text_add(text, proxies, strlen(proxies));
}
