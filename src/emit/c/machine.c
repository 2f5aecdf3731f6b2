/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the header waits, meets and hints: one row a kind of machine, one row a target. Under another
 * compiler than the machine's the kernel says it by itself.
 */
#include "emit/c/header.h"

#include "base/names.h"
#include "target/figures.h"
#include "target/gfx9.h"

#include <string.h>

/* What every header calls; X(constant, name, parameters). */
#define MACROS(X)                                                                                  \
    X(WAIT_VM, "SWP_WAIT_VM", "n")                                                                 \
    X(WAIT_LGKM, "SWP_WAIT_LGKM", "n")                                                             \
    X(RAW_BARRIER, "SWP_BARRIER", "")                                                              \
    X(FENCED_BARRIER, "SWP_BARRIER", "")                                                           \
    X(LAGGED_BARRIER, "SWP_BARRIER", "")                                                           \
    X(SET_PRIO, "SWP_SET_PRIO", "n")                                                               \
    X(SCHED_BARRIER, "SWP_SCHED_BARRIER", "mask")                                                  \
    X(SCHED_GROUP_BARRIER, "SWP_SCHED_GROUP_BARRIER", "mask, count, id")

#define ENUMERATOR(constant, ...) constant,
enum { MACROS(ENUMERATOR) MACRO_COUNT };
#undef ENUMERATOR

enum { MOST_STATEMENTS = 4 };

typedef struct macro_row {
    const char *name;
    const char *parameters;
} macro_row;

static const macro_row macros[] = {
#define ROW(constant, name, parameters) {name, parameters},
    MACROS(ROW)
#undef ROW
};

struct swp_c_machine_macros {
    const char *name;
    const char *compiler; /* the test that it compiles for this machine */
    const char *comment;
    const char *statements[MACRO_COUNT][MOST_STATEMENTS];
};

/*
 * To the compiler, the builtins of a wait and a barrier touch no memory, so it may move LDS accesses
 * over them, in either direction. This keeps it from that, and is no instruction.
 */
#define CLOBBER "__asm__ volatile(\"\" ::: \"memory\")"

/*
 * An MMA before a barrier is what says that its fragments have been read, since it waits for them. To
 * the compiler it is arithmetic, which it may move behind the barrier, with its wait. After a wait for
 * lgkmcnt(0) that does no harm.
 */
#define KEEP_MMAS "__builtin_amdgcn_sched_barrier(0)"

/* Stands for an s_waitcnt of the macro's counter. */
static const char s_waitcnt[] = "s_waitcnt";

/* HIP reads everything once more for the host, where the builtins only have to parse. */
static const swp_c_machine_macros gfx9_macros = {
    .name = "GFX9",
    .compiler = "defined(__GFX9__) || (defined(__HIP__) && !defined(__HIP_DEVICE_COMPILE__))",
    .comment = "s_waitcnt has a field for each counter, whose largest count is no wait.",
    .statements = {
        [WAIT_VM] = {CLOBBER, s_waitcnt, CLOBBER},
        [WAIT_LGKM] = {CLOBBER, s_waitcnt, CLOBBER},
        [RAW_BARRIER] = {CLOBBER, KEEP_MMAS, "__builtin_amdgcn_s_barrier()", CLOBBER},
        [FENCED_BARRIER] = {"SWP_WAIT_LGKM(0)", "__builtin_amdgcn_s_barrier()", CLOBBER},
        [SET_PRIO] = {"__builtin_amdgcn_s_setprio(n)"},
        [SCHED_BARRIER] = {"__builtin_amdgcn_sched_barrier(mask)"},
        [SCHED_GROUP_BARRIER] = {"__builtin_amdgcn_sched_group_barrier(mask, count, id)"},
    }};

/*
 * Loads are cp.async, counted in groups; fragment loads are synchronous. Two warp groups a lag apart meet
 * at different instructions, which the aligned barrier of __syncthreads() forbids and this one takes (PTX
 * ISA, "barrier"). NVRTC knows asm by no other name.
 */
static const swp_c_machine_macros cuda_macros = {
    .name = "CUDA",
    .compiler = "defined(__CUDACC__)",
    .comment =
        "vmcnt is the number of cp.async groups; what lgkmcnt counts elsewhere is synchronous.",
    .statements = {
        [WAIT_VM] = {"asm volatile(\"cp.async.wait_group %0;\" ::\"n\"(n) : \"memory\")"},
        [WAIT_LGKM] = {"((void)0)"},
        [RAW_BARRIER] = {"__syncthreads()"},
        [FENCED_BARRIER] = {"__syncthreads()"},
        [LAGGED_BARRIER] = {"asm volatile(\"barrier.sync 1;\" ::: \"memory\")"},
    }};

static const swp_c_machine gfx9 = {.macros = &gfx9_macros,
                                   .served = 1U << SWP_VMCNT | 1U << SWP_LGKMCNT,
                                   .waits = swp_c_gfx9_waits,
                                   .prio_max = 3};
static const swp_c_machine cuda = {
    .macros = &cuda_macros,
    .served = 1U << SWP_VMCNT | 1U << SWP_LGKMCNT | 1U << SWP_COPY_GROUP,
    .waits = swp_c_ptx_waits,
    .load = "Each load commits exactly one cp.async group, an empty one where it is masked.",
    .counts_no_lds = true};
static const swp_c_machine ptx = {
    .waits = swp_c_ptx_waits}; /* no instruction waits for all that there is */
static const swp_c_machine unknown = {0};

static const struct {
    const char *target;
    const swp_c_machine *machine;
} targets[] = {
    {"mi355x", &gfx9},
    {"mi300x", &gfx9},
    {"sm_80", &cuda},
    {"sm_90", &ptx},
};

const swp_c_machine *swp_c_machine_of(const char *target)
{
    for (size_t i = 0; i < SWP_COUNT_OF(targets); i++)
        if (strcmp(targets[i].target, target) == 0)
            return targets[i].machine;
    return &unknown;
}

const swp_c_machine *swp_c_machine_by_hand(const swp_c_machine *machine)
{
    return machine == &cuda ? &ptx : machine->macros ? &unknown : machine;
}

const char *swp_c_compiler_of(const swp_c_machine *machine)
{
    return machine->macros ? machine->macros->name : NULL;
}

int swp_c_counter_max(const swp_c_header *header, bool vm)
{
    const swp_target *target = swp_target_find(header->schedule->target);
    if (!header->machine->macros || !target || (!vm && header->machine->counts_no_lds))
        return 0;
    return (int)swp_target_value_of(target, vm ? SWP_TARGET_VMCNT : SWP_TARGET_LGKMCNT);
}

/* Bits of the count n where the code has them. */
static void put_bits(swp_text *text, int from, int bits, int to)
{
    const int mask = ((1 << bits) - 1) << from;
    if (bits > 0 && to > from)
        swp_text_format(text, " | ((n) & %d) << %d", mask, to - from);
    else if (bits > 0)
        swp_text_format(text, " | ((n) & %d)", mask);
}

static void put_waitcnt(swp_text *text, swp_gfx9_counter counter)
{
    const swp_gfx9_field *field = swp_target_gfx9_field_of(counter);
    swp_text_format(text, "__builtin_amdgcn_s_waitcnt(0x%04x",
                    swp_target_gfx9_set_count(swp_target_gfx9_no_wait(), counter, 0));
    put_bits(text, 0, field->low_bits, field->low);
    put_bits(text, field->low_bits, field->high_bits, field->high);
    swp_text_format(text, ")");
}

static void put_statement(swp_text *text, int macro, const char *statement)
{
    if (statement == s_waitcnt)
        put_waitcnt(text, macro == WAIT_VM ? SWP_GFX9_VM : SWP_GFX9_LGKM);
    else
        swp_text_add(text, statement, strlen(statement));
}

static void put_definition(swp_c_header *header, int macro, const char *const *statements)
{
    swp_text *text = &header->text;
    const macro_row *row = &macros[macro];
    swp_text_format(text, "#ifndef %s\n#define %s(%s)", row->name, row->name, row->parameters);
    if (!statements[1]) {
        swp_text_format(text, " ");
        put_statement(text, macro, statements[0]);
        swp_text_format(text, "\n#endif\n");
        return;
    }
    swp_text_format(text, " \\\n    do { \\\n");
    for (int i = 0; i < MOST_STATEMENTS && statements[i]; i++) {
        swp_text_format(text, "        ");
        put_statement(text, macro, statements[i]);
        swp_text_format(text, "; \\\n");
    }
    swp_text_format(text, "    } while (0)\n#endif\n");
}

/* Barriers that groups meet at from different instructions are another instruction, and all are fenced. */
static bool has_lagged_barrier(const swp_c_header *header)
{
    const swp_c_machine_macros *own = header->machine->macros;
    return own && own->statements[LAGGED_BARRIER][0];
}

/* One SWP_BARRIER() serves all headers of a translation unit: where none is defined yet, the header marks
 * its own as weak, and a later one that needs more refuses. */
static void put_barrier_check(swp_c_header *header, bool is_weak, const char *mark,
                              const char *weak, const char *need)
{
    if (is_weak)
        swp_text_format(&header->text, "#ifndef SWP_BARRIER\n#define %s\n#endif\n", mark);
    else
        swp_text_format(&header->text,
                        "#ifdef %s\n"
                        "#error \"include this header before those with %s, or define "
                        "SWP_BARRIER(): here %s\"\n"
                        "#endif\n",
                        mark, weak, need);
}

/* The waits of one kind of machine serve no header for another. */
static void put_waits_check(swp_c_header *header)
{
    static const swp_c_machine_macros *const all[] = {&gfx9_macros, &cuda_macros};
    for (size_t i = 0; i < SWP_COUNT_OF(all); i++)
        if (all[i] != header->machine->macros)
            swp_text_format(&header->text,
                            "#ifdef SWP_WAITS_ARE_%s\n"
                            "#error \"the waits are those of a header for another target: include "
                            "it in another source, or define SWP_WAIT_VM(n), SWP_WAIT_LGKM(n) and "
                            "SWP_BARRIER()\"\n"
                            "#endif\n",
                            all[i]->name);
}

/* Of the barriers, the one that the schedule's machine has. */
static bool is_for(const swp_c_header *header, int macro)
{
    const swp_machine *machine = &header->schedule->machine;
    const bool is_lagged = machine->groups > 1 && has_lagged_barrier(header);
    const bool is_fenced = machine->barrier == SWP_BARRIER_FENCED;
    const bool is_barrier = macro >= RAW_BARRIER && macro <= LAGGED_BARRIER;
    return !is_barrier || macro == (is_lagged   ? LAGGED_BARRIER
                                    : is_fenced ? FENCED_BARRIER
                                                : RAW_BARRIER);
}

static void put_machine(swp_c_header *header)
{
    const swp_c_machine_macros *own = header->machine->macros;
    swp_text_format(&header->text, "\n#if %s\n/* %s */\n", own->compiler, own->comment);
    swp_text_format(&header->text, "#ifndef SWP_WAIT_VM\n#define SWP_WAITS_ARE_%s\n#endif\n",
                    own->name);
    if (has_lagged_barrier(header))
        put_barrier_check(header, header->schedule->machine.groups == 1, "SWP_BARRIER_IS_ALIGNED",
                          "one group of waves", "groups wait at different instructions");
    for (int i = 0; i < MACRO_COUNT; i++)
        if (own->statements[i][0] && is_for(header, i))
            put_definition(header, i, own->statements[i]);
    swp_text_format(&header->text, "#endif\n");
}

/* What orders memory has no harmless default; a hint has. */
static void put_elsewhere(swp_c_header *header)
{
    static const char *const nothing[] = {"((void)0)", NULL};
    const int first_hint = SET_PRIO;
    swp_text *text = &header->text;
    static const swp_c_macro needed[] = {
        {"SWP_WAIT_VM", "((void)0)"}, {"SWP_WAIT_LGKM", "((void)0)"}, {"SWP_BARRIER", "((void)0)"}};
    swp_text_format(text, "\n/* What is left. */\n");
    swp_c_put_missing(header, needed, SWP_COUNT_OF(needed),
                      "before this header: it knows none for this compiler", NULL);
    for (int i = first_hint; i < MACRO_COUNT; i++)
        put_definition(header, i, nothing);
    swp_c_put_bad_tiles(header);
}

void swp_c_put_tile_default(swp_c_header *header)
{
    swp_text_format(&header->text,
                    "\n#ifndef SWP_TILE\n#define SWP_TILE(kb, offset) ((kb) + (offset))\n"
                    "#endif\n");
}

void swp_c_put_defaults(swp_c_header *header)
{
    swp_c_put_tile_default(header);
    put_waits_check(header);
    if (!has_lagged_barrier(header))
        put_barrier_check(header, header->schedule->machine.barrier == SWP_BARRIER_RAW,
                          "SWP_BARRIER_IS_RAW", "raw barriers",
                          "it first waits for the wave's own LDS operations");
    if (header->machine->macros)
        put_machine(header);
    put_elsewhere(header);
}
