/* SPDX-License-Identifier: Apache-2.0 */
#include "generator.h"

#include <stdlib.h>

#include "edits.h"
#include "swp/describe.h"
#include "unrolled.h"

enum { TILES = 12 };

static void append(program *p, swp_phase phase, swp_op op)
{
    program_insert(p, phase, (int)program_phase(p, phase)->count, op);
}

static void append_barriers(program *p, swp_phase phase)
{
    append(p, phase, swp_op_barrier());
    if (p->schedule.machine.lag)
        append(p, phase, swp_op_barrier());
}

/* --- Small kernels with much synchronisation --- */

/* A double-buffered kernel in the making. */
typedef struct kernel_plan {
    program *p;
    test_random *random;
    bool late[2][2]
             [2]; /* channel, stage, subtile: loaded in the half after the one that reads it */
    int computes_first; /* of a half: before its second barrier */
} kernel_plan;

static int places(const kernel_plan *plan, int channel)
{
    return channel == 0 ? plan->p->schedule.loop.m_mmas : plan->p->schedule.loop.n_mmas;
}

static swp_op load_op(kernel_plan *plan, int channel, int stage, int subtile, swp_k_offset k)
{
    swp_op op = swp_op_logical(channel == 0 ? SWP_LOAD_A : SWP_LOAD_B, channel, stage, subtile, k);
    op.role = SWP_GLOBAL_LOAD;
    op.vm_cost = plan->p->schedule.config.vm_per_load_a;
    return op;
}

static swp_op fragment_op(kernel_plan *plan, int channel, int stage, int subtile)
{
    swp_op op = swp_op_logical(channel == 0 ? SWP_MMA_LOAD_A : SWP_MMA_LOAD_B, channel, stage,
                               subtile, SWP_K_NONE);
    op.role = SWP_FRAGMENT_LOAD;
    op.lgkm_cost = plan->p->schedule.config.lgkm_per_load_a;
    return op;
}

/* Puts an op at a random place from `begin` on. */
static void scatter(kernel_plan *plan, swp_phase phase, int begin, swp_op op)
{
    const int end = (int)program_phase(plan->p, phase)->count;
    program_insert(plan->p, phase, random_int(plan->random, begin, end), op);
}

/* The loads that half `half` of a pass issues; of these, only the needed ones in the epilogue. */
static void scatter_loads(kernel_plan *plan, swp_phase phase, int half, int begin)
{
    for (int channel = 0; channel < 2; channel++)
        for (int i = 0; i < places(plan, channel); i++)
            for (int stage = 0; stage < 2; stage++) {
                const bool late = plan->late[channel][stage][i];
                if ((late ? 1 - stage : stage) != half)
                    continue;
                const swp_k_offset k = stage == 0 ? SWP_K0 : (late ? SWP_K_PREV : SWP_K1);
                if (phase == SWP_KERNEL || k == SWP_K_PREV)
                    scatter(plan, phase, begin, load_op(plan, channel, stage, i, k));
            }
}

/* The COMPUTEs from one number up to another. */
static void append_computes(kernel_plan *plan, swp_phase phase, int from, int to)
{
    for (int i = from; i < to; i++) {
        const int columns = places(plan, 1);
        swp_op op = swp_op_logical(SWP_MMA, -1, i / columns, i % columns, SWP_K_NONE);
        op.role = SWP_COMPUTE;
        append(plan->p, phase, op);
    }
}

/* After the fragment loads a wait or, with managed registers, some COMPUTEs that do as well. */
static void append_half(kernel_plan *plan, swp_phase phase, int half)
{
    program *p = plan->p;
    const int computes = places(plan, 0) * places(plan, 1);
    append(p, phase, swp_op_wait_vm(0));
    append_barriers(p, phase);
    int begin = (int)program_phase(p, phase)->count;
    for (int channel = 0; channel < 2; channel++)
        for (int i = 0; i < places(plan, channel); i++)
            scatter(plan, phase, begin, fragment_op(plan, channel, half, i));
    if (plan->computes_first == 0)
        append(p, phase, swp_op_wait_lgkm(0));
    append_computes(plan, phase, 0, plan->computes_first);
    append_barriers(p, phase);
    begin = (int)program_phase(p, phase)->count;
    append_computes(plan, phase, plan->computes_first, computes);
    scatter_loads(plan, phase, half, begin);
}

static void append_prologue(kernel_plan *plan)
{
    program *p = plan->p;
    for (int stage = 0; stage < 2; stage++)
        for (int channel = 0; channel < 2; channel++)
            for (int i = 0; i < places(plan, channel); i++)
                if (stage == 0 || !plan->late[channel][stage][i])
                    append(p, SWP_PROLOGUE,
                           load_op(plan, channel, stage, i, stage ? SWP_K1 : SWP_K0));
    p->schedule.machine.lag_prologue_index =
        random_int(plan->random, 0, (int)p->schedule.streams[0].prologue.count);
    append(p, SWP_PROLOGUE, swp_op_wait_vm(0));
    append(p, SWP_PROLOGUE, swp_op_barrier());
}

/* The largest count that retires the loads of the stage which is read next. */
static void relax_wait(program *p, int at, int stage)
{
    const swp_entry_list *kernel = &p->schedule.streams[0].kernel;
    const int count = (int)kernel->count;
    int accesses = 0;
    for (int back = 1; back <= count; back++) {
        const swp_op *op = &kernel->items[(at - back + count) % count].op;
        if (op->role == SWP_GLOBAL_LOAD && op->stage == stage)
            break;
        if (op->role == SWP_GLOBAL_LOAD)
            accesses += op->vm_cost;
    }
    kernel->items[at].op.wait_value = accesses;
}

static void relax_waits(program *p)
{
    int half = 0;
    for (int i = 0; i < (int)p->schedule.streams[0].kernel.count; i++)
        if (p->schedule.streams[0].kernel.items[i].op.tag == SWP_TAG_WAIT_VM)
            relax_wait(p, i, half++);
}

static void make_double_buffer(program *p, test_random *random)
{
    kernel_plan plan = {.p = p, .random = random};
    p->schedule.loop.m_mmas = random_int(random, 1, 2);
    p->schedule.loop.n_mmas = random_int(random, 1, 2);
    p->schedule.config.vm_per_load_a = random_int(random, 1, 4);
    p->schedule.config.lgkm_per_load_a = random_int(random, 1, 4);
    for (int i = 0; i < 8; i++)
        plan.late[i & 1][(i >> 1) & 1][i >> 2] = random_chance(random, 40);
    if (p->schedule.machine.registers == SWP_REGISTERS_MANAGED && random_chance(random, 30))
        plan.computes_first = random_int(random, 1, places(&plan, 0) * places(&plan, 1));
    append_prologue(&plan);
    for (int half = 0; half < 2; half++) {
        append_half(&plan, SWP_KERNEL, half);
        append_half(&plan, SWP_EPILOGUE, half);
    }
    if (random_chance(random, 60))
        relax_waits(p);
}

static void read_slices(program *p, swp_phase phase, char letter, int first, int slices)
{
    for (int i = first; i < slices; i++) {
        const char word[3] = {letter, (char)('0' + i), '\0'};
        program_read(p, phase, word);
    }
}

/* wait_vm(0), the store and the next load, between barriers after LDS drains. */
static void append_store(program *p, swp_phase phase, bool load)
{
    append(p, phase, swp_op_wait_lgkm(0));
    append_barriers(p, phase);
    program_read(p, phase, load ? "v0 S L" : "v0 S");
}

static void make_single_buffer(program *p, test_random *random)
{
    const int slices = random_int(random, 1, 3);
    program_read(p, SWP_PROLOGUE, "L v0 S l0");
    append_barriers(p, SWP_PROLOGUE);
    program_read(p, SWP_PROLOGUE, "L f0");
    p->schedule.machine.lag_prologue_index = random_int(random, 0, 4);
    for (swp_phase phase = SWP_KERNEL; phase <= SWP_EPILOGUE; phase++) {
        read_slices(p, phase, 'f', 1, slices);
        append_store(p, phase, phase == SWP_KERNEL);
        read_slices(p, phase, 'c', 0, slices);
        append(p, phase, swp_op_wait_lgkm(0));
        append_barriers(p, phase);
        program_read(p, phase, "f0");
    }
    read_slices(p, SWP_EPILOGUE, 'f', 1, slices);
    append(p, SWP_EPILOGUE, swp_op_wait_lgkm(0));
    read_slices(p, SWP_EPILOGUE, 'c', 0, slices);
}

/* --- Built-ins --- */

static void set(swp_context *ctx, swp_description *d, const char *path, int value)
{
    char text[16];
    (void)snprintf(text, sizeof(text), "%d", value);
    if (swp_description_set(ctx, d, path, text, (swp_place){NULL, 0, 0}) != SWP_OK)
        abort();
}

static void set_flag(swp_context *ctx, swp_description *d, const char *path, bool value)
{
    const char *text = value ? "true" : "false";
    if (swp_description_set(ctx, d, path, text, (swp_place){NULL, 0, 0}) != SWP_OK)
        abort();
}

static void set_double_buffer(swp_context *ctx, swp_description *d, test_random *random)
{
    set(ctx, d, "pipeline.lgkm_per_load_a", random_int(random, 1, 8));
    set(ctx, d, "pipeline.lgkm_per_load_b", random_int(random, 1, 8));
    set(ctx, d, "pipeline.vm_per_load_a", random_int(random, 1, 4));
    set(ctx, d, "pipeline.vm_per_load_b", random_int(random, 1, 4));
    set(ctx, d, "pipeline.max_globals", random_int(random, 0, 1));
    set(ctx, d, "schedule.sched_barrier_mask", 0);
}

static void set_pingpong(swp_context *ctx, swp_description *d, test_random *random)
{
    static const char *flags[] = {"schedule.lgkm_after_last", "schedule.auto_drain",
                                  "schedule.global_before_frag", "schedule.barrier_before_pre_ops",
                                  "schedule.inter_block_lgkm_drain"};
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
        set_flag(ctx, d, flags[i], random_chance(random, 20));
}

/* The single buffer does not say how many accesses its fragment loads issue. */
static void state_accesses(program *p)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (size_t i = 0; i < program_phase(p, phase)->count; i++) {
            swp_op *op = &program_phase(p, phase)->items[i].op;
            if (op->role == SWP_FRAGMENT_LOAD && op->lgkm_cost == 0)
                op->lgkm_cost = 1;
        }
}

static program compile_builtin(swp_context *ctx, test_random *random)
{
    static const char *names[] = {"pingpong", "fourwave", "single_buffer"};
    const int which = random_int(random, 0, 2);
    swp_description *d = NULL;
    swp_schedule *schedule = NULL;
    if (swp_description_from_builtin(ctx, names[which], &d) != SWP_OK)
        abort();
    if (which == 2)
        set(ctx, d, "num_k_tiles", random_int(random, 1, 3));
    else
        set_double_buffer(ctx, d, random);
    if (which == 0)
        set_pingpong(ctx, d, random);
    if (swp_description_compile(ctx, d, &schedule) != SWP_OK)
        return compile_builtin(ctx, random);
    program p = program_copy(schedule);
    state_accesses(&p);
    swp_schedule_free(schedule);
    return p;
}

program_library program_library_new(swp_context *ctx, uint64_t seed, int count)
{
    program_library library = {.items = calloc((size_t)count, sizeof(program)), .count = count};
    if (!library.items)
        abort();
    for (int i = 0; i < count; i++) {
        test_random random = random_for_case(seed ^ 0x1b, (size_t)i);
        library.items[i] = compile_builtin(ctx, &random);
    }
    return library;
}

void program_library_free(program_library *library)
{
    for (int i = 0; i < library->count; i++)
        program_free(&library->items[i]);
    free(library->items);
    *library = (program_library){0};
}

static void delete_hints(program *p)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = (int)program_phase(p, phase)->count; i-- > 0;)
            if (program_phase(p, phase)->items[i].op.role == SWP_FENCE) {
                program_delete(p, phase, i);
                if (phase == SWP_PROLOGUE && i < p->schedule.machine.lag_prologue_index)
                    p->schedule.machine.lag_prologue_index--;
            }
}

/* --- More synchronisation, for machines that need it --- */

typedef enum hardening { EFFORT_NONE, EFFORT_MODES, EFFORT_ALL } hardening;

static bool starts_group(const program *p, swp_phase phase, int at)
{
    const swp_entry_list *list = swp_schedule_phase(&p->schedule, phase);
    const swp_role role = list->items[at].op.role;
    return at == 0 || list->items[at - 1].op.role != role;
}

static int insert_words(program *p, swp_phase phase, int at, const char *words)
{
    program text = p->schedule.loop.placement == SWP_PLACE_NEXT_TILE ? program_single_buffer()
                                                                     : program_double_buffer();
    program_read(&text, phase, words);
    const swp_entry_list *list = program_phase(&text, phase);
    const int count = (int)list->count;
    for (int i = 0; i < count; i++)
        program_insert(p, phase, at + i, list->items[i].op);
    program_free(&text);
    return count;
}

static int harden_entry(program *p, swp_phase phase, int at, hardening effort)
{
    const swp_machine *m = &p->schedule.machine;
    const swp_op *op = &program_phase(p, phase)->items[at].op;
    const bool raw = m->registers == SWP_REGISTERS_RAW;
    if (op->tag == SWP_TAG_BARRIER)
        return insert_words(p, phase, at, m->lag ? "l0 |" : "l0");
    if (op->role == SWP_COMPUTE && raw && starts_group(p, phase, at))
        return insert_words(p, phase, at, "l0");
    if (op->role == SWP_SHARED_STORE)
        return insert_words(p, phase, at,
                            effort < EFFORT_ALL ? "v0"
                            : m->lag            ? "v0 l0 | |"
                                                : "v0 l0 |");
    if (effort < EFFORT_ALL || phase == SWP_PROLOGUE || !starts_group(p, phase, at))
        return 0;
    if (op->role == SWP_FRAGMENT_LOAD)
        return insert_words(p, phase, at, m->lag ? "v0 l0 | |" : "v0 l0 |");
    if (op->role == SWP_GLOBAL_LOAD)
        return insert_words(p, phase, at, m->lag ? "l0 | |" : "l0 |");
    return 0;
}

static void harden(program *p, hardening effort)
{
    if (effort == EFFORT_NONE)
        return;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < (int)program_phase(p, phase)->count; i++) {
            const int added = harden_entry(p, phase, i, effort);
            if (phase == SWP_PROLOGUE && i < p->schedule.machine.lag_prologue_index)
                p->schedule.machine.lag_prologue_index += added;
            i += added;
        }
}

static bool is_safe(const program *p)
{
    judgement judged = unrolled_judge(&p->schedule, 8);
    const bool safe = judged.count == 0;
    judgement_free(&judged);
    return safe;
}

/* --- Cases --- */

void random_machine(program *p, test_random *random, size_t index)
{
    swp_machine *m = &p->schedule.machine;
    m->lag = (int)(index & 1);
    m->groups = m->lag ? 2 : random_int(random, 1, 2);
    m->lag_end_barrier = true;
    m->barrier = index & 2 ? SWP_BARRIER_FENCED : SWP_BARRIER_RAW;
    m->registers = index & 4                   ? SWP_REGISTERS_RAW
                   : random_chance(random, 30) ? SWP_REGISTERS_SCOREBOARD
                                               : SWP_REGISTERS_MANAGED;
    m->waves_per_group = random_chance(random, 15) ? 1 : random_int(random, 2, 4);
    if (random_chance(random, 20))
        m->vm_max = random_int(random, 4, 30);
}

static program own_kernel(test_random *random, size_t index, bool single)
{
    program p = single ? program_single_buffer() : program_double_buffer();
    random_machine(&p, random, index);
    if (single)
        make_single_buffer(&p, random);
    else
        make_double_buffer(&p, random);
    if (p.schedule.machine.lag_prologue_index > (int)p.schedule.streams[0].prologue.count)
        p.schedule.machine.lag_prologue_index = (int)p.schedule.streams[0].prologue.count;
    return p;
}

static program built_in(const program_library *library, test_random *random, size_t index,
                        hardening effort)
{
    program p = program_copy(&library->items[random_int(random, 0, library->count - 1)].schedule);
    const int lag_index = p.schedule.machine.lag ? p.schedule.machine.lag_prologue_index : 0;
    random_machine(&p, random, index);
    p.schedule.machine.lag_prologue_index = lag_index;
    if (random_chance(random, 80))
        delete_hints(&p);
    harden(&p, effort);
    return p;
}

static program base_program(const program_library *library, test_random *random, size_t index)
{
    const int family = random_int(random, 0, 9);
    for (hardening effort = EFFORT_NONE; family < 5 && effort <= EFFORT_ALL; effort++) {
        program p = built_in(library, random, index, effort);
        if (is_safe(&p))
            return p;
        program_free(&p);
    }
    for (;;) {
        program p = own_kernel(random, index, family >= 8);
        if (is_safe(&p))
            return p;
        program_free(&p);
    }
}

random_program random_program_new(const program_library *library, uint64_t seed, size_t index)
{
    test_random random = random_for_case(seed, index);
    random_program out = {.program = base_program(library, &random, index), .edit = "none"};
    const int dice = random_int(&random, 1, 100);
    out.edits = dice <= 12 ? 0 : dice <= 78 ? 1 : 2;
    for (int i = 0; i < out.edits; i++)
        out.edit = random_edit(&out.program, &random);
    return out;
}

/* --- Shrinking --- */

static bool try_without(program *p, swp_phase phase, int at,
                        bool (*keeps)(const swp_schedule *schedule, void *user), void *user)
{
    const swp_op op = program_phase(p, phase)->items[at].op;
    const int lag_index = p->schedule.machine.lag_prologue_index;
    program_delete(p, phase, at);
    if (phase == SWP_PROLOGUE && at < lag_index)
        p->schedule.machine.lag_prologue_index--;
    if (keeps(&p->schedule, user))
        return true;
    program_insert(p, phase, at, op);
    p->schedule.machine.lag_prologue_index = lag_index;
    return false;
}

static bool try_machine(program *p, swp_machine machine,
                        bool (*keeps)(const swp_schedule *schedule, void *user), void *user)
{
    const swp_machine before = p->schedule.machine;
    p->schedule.machine = machine;
    if (keeps(&p->schedule, user))
        return true;
    p->schedule.machine = before;
    return false;
}

static void simplify_machine(program *p, bool (*keeps)(const swp_schedule *schedule, void *user),
                             void *user)
{
    swp_machine m = p->schedule.machine;
    m.groups = 1, m.lag = m.lag_prologue_index = 0;
    (void)try_machine(p, m, keeps, user);
    m = p->schedule.machine;
    m.waves_per_group = 1;
    (void)try_machine(p, m, keeps, user);
    m = p->schedule.machine;
    m.registers = SWP_REGISTERS_MANAGED;
    (void)try_machine(p, m, keeps, user);
    m = p->schedule.machine;
    m.vm_max = 63, m.lgkm_max = 15, m.counter_full = SWP_COUNTER_STALLS;
    (void)try_machine(p, m, keeps, user);
}

void program_shrink(program *p, bool (*keeps)(const swp_schedule *schedule, void *user), void *user)
{
    for (bool again = true; again;) {
        again = false;
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
            for (int i = (int)program_phase(p, phase)->count; i-- > 0;)
                again |= try_without(p, phase, i, keeps, user);
    }
    simplify_machine(p, keeps, user);
}
