/* SPDX-License-Identifier: Apache-2.0 */
/* The SWP_ macros that the header of a schedule with warp roles is made of, and their PTX (docs/c-header.md, "Primitives"). */
#include "base/names.h"
#include "emit/c/roles.h"
#include "ir/sync_objects.h"

#include <stdio.h>
#include <string.h>

/* Who needs one: every header, one with mbarriers, or one with an entry of a tag. */
enum {
    EVERYWHERE = -1,
    WITH_MBARRIERS = -2,
    WITH_REGISTERS = -3,
    IN_CLUSTERS = -4,
    OWN_ARRIVALS = -5,  /* at the own work group */
    ALL_ARRIVALS = -6,  /* at each, of what was read asynchronously… */
    ALL_RELEASES = -7,  /* …and by ordinary instructions */
    OWN_WAITS = -8,     /* for what the own work group released */
    CLUSTER_WAITS = -9, /* for what others did */
};

/* What a primitive is where the kernel has to bring it, it may be nothing, or it is only part of others' PTX. */
typedef enum elsewhere { KERNELS, NOTHING, ABSENT } elsewhere;

typedef struct primitive {
    int needed;
    elsewhere elsewhere;
    const char *name;
    const char *parameters;
    const char *text; /* as CUDA */
} primitive;

#define ASM(text, ...) "asm volatile(\"" text "\" " __VA_ARGS__ ")"
#define MEMORY ": \"memory\""
#define AT_MBARRIER "\"r\"(SWP_SHARED_ADDRESS(mbarrier))"

static const primitive own[] = {
    {EVERYWHERE, KERNELS, "SWP_WARP", "", "__shfl_sync(0xffffffffu, (int)(threadIdx.x / 32), 0)"},
    {EVERYWHERE, KERNELS, "SWP_ELECT", "elected",
     ASM("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 %0, 1, 0, p; }",
         ": \"=r\"(elected)")},
    {EVERYWHERE, KERNELS, "SWP_NAMED_SYNC", "id, threads",
     ASM("bar.sync %0, %1;", "::\"r\"(id), \"r\"(threads) " MEMORY)},
    {SWP_TAG_NAMED_ARRIVE, KERNELS, "SWP_NAMED_ARRIVE", "id, threads",
     ASM("bar.arrive %0, %1;", "::\"r\"(id), \"r\"(threads) " MEMORY)},
    {WITH_REGISTERS, NOTHING, "SWP_LOWER_REGISTERS", "n",
     ASM("setmaxnreg.dec.sync.aligned.u32 %0;", "::\"n\"(n)")},
    {WITH_REGISTERS, NOTHING, "SWP_RAISE_REGISTERS", "n",
     ASM("setmaxnreg.inc.sync.aligned.u32 %0;", "::\"n\"(n)")},
    {WITH_MBARRIERS, ABSENT, "SWP_SHARED_ADDRESS", "pointer",
     "((unsigned)__cvta_generic_to_shared(pointer))"},
    {WITH_MBARRIERS, KERNELS, "SWP_MBARRIER_INIT", "mbarrier, arrivals",
     ASM("mbarrier.init.shared::cta.b64 [%0], %1;", "::" AT_MBARRIER ", \"r\"(arrivals) " MEMORY)},
    {WITH_MBARRIERS, KERNELS, "SWP_MBARRIER_INIT_FENCE", "",
     ASM("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;", "::" MEMORY)},
    {OWN_ARRIVALS, KERNELS, "SWP_MBARRIER_ARRIVE", "mbarrier",
     ASM("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];", "::" AT_MBARRIER " " MEMORY)},
    {ALL_ARRIVALS, KERNELS, "SWP_MBARRIER_ARRIVE_RANK", "mbarrier, rank",
     ASM("{ .reg .b32 at; mapa.shared::cluster.u32 at, %0, %1; "
         "mbarrier.arrive.release.cta.shared::cluster.b64 _, [at]; }",
         "::" AT_MBARRIER ", \"r\"(rank) " MEMORY)},
    {ALL_RELEASES, KERNELS, "SWP_MBARRIER_RELEASE_RANK", "mbarrier, rank",
     ASM("{ .reg .b32 at; mapa.shared::cluster.u32 at, %0, %1; "
         "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [at]; }",
         "::" AT_MBARRIER ", \"r\"(rank) " MEMORY)},
    {SWP_TAG_ARRIVE_EXPECT, KERNELS, "SWP_MBARRIER_ARRIVE_EXPECT", "mbarrier, bytes",
     ASM("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;",
         "::" AT_MBARRIER ", \"r\"(bytes) " MEMORY)},
    {CLUSTER_WAITS, KERNELS, "SWP_MBARRIER_WAIT_CLUSTER", "mbarrier, parity",
     ASM("{ .reg .pred p; again: "
         "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1; @!p bra again; }",
         "::" AT_MBARRIER ", \"r\"(parity) " MEMORY)},
    {OWN_WAITS, KERNELS, "SWP_MBARRIER_WAIT", "mbarrier, parity",
     ASM("{ .reg .pred p; again: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%0], %1; "
         "@!p bra again; }",
         "::" AT_MBARRIER ", \"r\"(parity) " MEMORY)},
    {IN_CLUSTERS, KERNELS, "SWP_CLUSTER_RANK", "", "((int)__clusterRelativeBlockRank())"},
};

/* Those of operations that take the count of a wait or nothing come behind these, as the table of them says. */
enum { OPERATIONS = 16, PRIMITIVES = SWP_COUNT_OF(own) + OPERATIONS, TEXT_SIZE = 128 };

typedef struct primitives {
    primitive items[PRIMITIVES];
    size_t count;
    char texts[OPERATIONS][TEXT_SIZE];
    char names[OPERATIONS][SWP_OP_NAME_SIZE];
    size_t made;
} primitives;

static void add_operation(primitives *out, int tag, const swp_sync_operation *operation)
{
    const bool counts = swp_ir_sync_waits_for_groups(operation);
    char *text = out->texts[out->made];
    char *name = out->names[out->made++];
    (void)snprintf(text, TEXT_SIZE, "asm volatile(\"%s%s;\" ::%s: \"memory\")", operation->ptx,
                   counts ? " %0" : "", counts ? "\"n\"(n) " : "");
    (void)snprintf(name, SWP_OP_NAME_SIZE, "SWP_%s", operation->macro);
    const bool is_of_cluster = swp_ir_sync_object_row(operation->object)->across_ranks;
    out->items[out->count++] =
        (primitive){is_of_cluster ? IN_CLUSTERS : tag, KERNELS, name, counts ? "n" : "", text};
}

/* Those of clusters first, then fences, then those of groups. */
static int place_of(const swp_sync_operation *operation)
{
    if (swp_ir_sync_object_row(operation->object)->across_ranks)
        return 0;
    return operation->fence != SWP_NO_FENCE ? 1 : 2;
}

static void list_primitives(primitives *out)
{
    out->count = out->made = 0;
    for (size_t i = 0; i < SWP_COUNT_OF(own); i++)
        out->items[out->count++] = own[i];
    for (int place = 0; place <= 2; place++)
        for (int i = 0; i < swp_ir_sync_table.operation_count && out->made < OPERATIONS; i++) {
            const swp_sync_operation *operation = &swp_ir_sync_table.operations[i];
            if (operation->ptx && place_of(operation) == place)
                add_operation(out, SWP_TAG_BARRIER + i, operation);
        }
}

static bool has_registers(const swp_schedule *schedule)
{
    for (size_t i = 0; i < schedule->stream_count; i++)
        if (schedule->streams[i].registers > 0)
            return true;
    return false;
}

/* A wait for an object that other work groups release, or for one that none does. */
static bool waits(const swp_schedule *schedule, bool acquires)
{
    for (size_t i = 0; i < schedule->object_count; i++)
        if (schedule->objects[i].kind == SWP_OBJECT_MBARRIER &&
            swp_c_acquires_reads(schedule, (int)i) == acquires)
            return swp_c_has_tag(schedule, SWP_TAG_WAIT_PHASE);
    return false;
}

static bool is_needed(const swp_schedule *schedule, const primitive *p)
{
    const bool releases = swp_c_releases_reads(schedule);
    switch (p->needed) {
    case EVERYWHERE:
        return true;
    case WITH_MBARRIERS:
        return swp_ir_object_slots(schedule, SWP_OBJECT_MBARRIER) > 0;
    case WITH_REGISTERS:
        return has_registers(schedule);
    case IN_CLUSTERS:
        return swp_ir_ranks(schedule) > 1;
    case OWN_ARRIVALS:
        return swp_c_arrives(schedule, SWP_TO_OWN);
    case ALL_ARRIVALS:
    case ALL_RELEASES:
        return swp_c_arrives(schedule, SWP_TO_ALL) && releases == (p->needed == ALL_RELEASES);
    case OWN_WAITS:
    case CLUSTER_WAITS:
        return waits(schedule, p->needed == CLUSTER_WAITS);
    default:
        return swp_c_has_tag(schedule, p->needed);
    }
}

/* A text of ours, which has more than %s in it. */
static void put_macro(swp_c_header *header, const primitive *p, const char *text)
{
    swp_text_format(&header->text, "#ifndef %s\n#define %s(%s) \\\n    ", p->name, p->name,
                    p->parameters);
    swp_text_add(&header->text, text, strlen(text));
    swp_text_format(&header->text, "\n#endif\n");
}

static bool has_wgmmas(const swp_schedule *schedule)
{
    for (int i = 0; i < swp_ir_sync_table.operation_count; i++) {
        const swp_sync_operation *operation = &swp_ir_sync_table.operations[i];
        const bool is_of_wgmmas = operation->fence == SWP_REGISTER_FENCE ||
                                  swp_ir_sync_object_row(operation->object)->collective;
        if (is_of_wgmmas && swp_c_has_tag(schedule, SWP_TAG_BARRIER + i))
            return true;
    }
    return false;
}

/* For which GPUs that is. Plain sm_90 has no wgmma and no setmaxnreg, and nvcc -arch=sm_90a makes PTX of it, too. */
static const char *gpus_of(const swp_schedule *schedule)
{
    if (has_wgmmas(schedule))
        return "defined(__CUDA_ARCH_FEAT_SM90_ALL)";
    return has_registers(schedule) ? "__CUDA_ARCH__ > 900 || defined(__CUDA_ARCH_FEAT_SM90_ALL)"
                                   : "__CUDA_ARCH__ >= 900";
}

static const char *other_gpus_of(const swp_schedule *schedule)
{
    return has_wgmmas(schedule) || has_registers(schedule)
               ? "this header is for sm_90a: compile it with nvcc -gencode "
                 "arch=compute_90a,code=sm_90a"
               : "this header is for sm_90 and later: compile it with nvcc -arch=sm_90";
}

static void put_as_cuda(swp_c_header *header, const primitives *all)
{
    swp_text_format(&header->text,
                    "\n/* The host's pass of nvcc only reads these. */\n"
                    "#if defined(__CUDACC__) && (!defined(__CUDA_ARCH__) || %s)\n",
                    gpus_of(header->schedule));
    for (size_t i = 0; i < all->count; i++)
        if (is_needed(header->schedule, &all->items[i]))
            put_macro(header, &all->items[i], all->items[i].text);
    swp_text_format(&header->text, "#endif\n");
}

static bool is_statement(const primitive *p)
{
    return strncmp(p->text, "asm", strlen("asm")) == 0;
}

/* What orders threads has no harmless default. */
static void put_elsewhere(swp_c_header *header, const primitives *all)
{
    swp_c_macro needed[PRIMITIVES];
    size_t count = 0;
    swp_text_format(&header->text, "\n/* For anything else they are the kernel's to define. */\n");
    for (size_t i = 0; i < all->count; i++) {
        const primitive *p = &all->items[i];
        if (p->elsewhere == ABSENT || !is_needed(header->schedule, p))
            continue;
        if (p->elsewhere == NOTHING)
            put_macro(header, p, "((void)0)");
        else
            needed[count++] = (swp_c_macro){p->name, is_statement(p) ? "((void)0)" : "0"};
    }
    swp_c_put_missing(header, needed, count,
                      "before this header: it knows none for this compiler, and has their "
                      "parameters above",
                      other_gpus_of(header->schedule));
}

/* Turns of the lists are never negative: a whole number of periods has been added where they would be. */
static const char turns[] = "#ifndef SWP_SLOT\n"
                            "#define SWP_SLOT(turn, slots) ((int)((unsigned)(turn) % "
                            "(unsigned)(slots)))\n"
                            "#define SWP_PARITY(turn, slots) ((int)((unsigned)(turn) / "
                            "(unsigned)(slots) % 2))\n"
                            "#endif\n";

void swp_c_put_primitives(swp_c_header *header)
{
    primitives all;
    list_primitives(&all);
    swp_c_put_tile_default(header);
    swp_text_add(&header->text, turns, strlen(turns));
    put_as_cuda(header, &all);
    put_elsewhere(header, &all);
    swp_c_put_bad_tiles(header);
    swp_text_format(&header->text,
                    "\n/* Behind waits for wgmmas, and before fences of their registers. */\n"
                    "#ifndef %s_KEEP\n#define %s_KEEP(ctx) ((void)0)\n#endif\n",
                    header->prefix, header->prefix);
}
