/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "swp/kernels.h"

static void name_ops(swp_schedule *schedule, bool single_buffer)
{
    static const char *doubles[SWP_SCHEDULE_TAGS] = {"LOAD_A",     "LOAD_B",     "COMPUTE",
                                                     "MMA_LOAD_A", "MMA_LOAD_B", "MMA"};
    static const char *singles[SWP_SCHEDULE_TAGS] = {"LOAD_DRAM", "STORE_SMEM", "LOAD_FRAG",
                                                     "COMPUTE"};
    const char **names = single_buffer ? singles : doubles;
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        if (!names[tag])
            names[tag] = "other";
    schedule->op_names = names;
    schedule->name = single_buffer ? "single" : "double";
    schedule->target = "";
}

static program new_program(bool single_buffer, swp_loop_shape loop)
{
    program p = {0};
    name_ops(&p.schedule, single_buffer);
    p.schedule.config = swp_pipeline_config_default();
    p.schedule.config.depth = single_buffer ? 1 : 2;
    p.schedule.schedule = swp_schedule_config_default();
    p.schedule.machine = swp_machine_default();
    p.schedule.loop = loop;
    p.schedule.stream_count = 1;
    return p;
}

program program_double_buffer(void)
{
    return new_program(false, (swp_loop_shape){.tiles_per_pass = 2,
                                               .first_base = 2,
                                               .min_tiles = 2,
                                               .multiple = 2,
                                               .m_mmas = 1,
                                               .n_mmas = 1,
                                               .placement = SWP_PLACE_K_OFFSET});
}

program program_single_buffer(void)
{
    program p = new_program(true, (swp_loop_shape){.tiles_per_pass = 1,
                                                   .first_base = 0,
                                                   .min_tiles = 2,
                                                   .multiple = 1,
                                                   .m_mmas = 2,
                                                   .n_mmas = 2,
                                                   .placement = SWP_PLACE_NEXT_TILE});
    p.schedule.machine.barrier = SWP_BARRIER_FENCED;
    return p;
}

swp_entry_list *program_phase(program *p, swp_phase phase)
{
    swp_entry_list *phases[] = {&p->schedule.streams[0].prologue, &p->schedule.streams[0].kernel,
                                &p->schedule.streams[0].epilogue};
    return phases[phase];
}

static void *checked(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static void number(swp_entry_list *list, swp_phase phase)
{
    for (size_t i = 0; i < list->count; i++) {
        list->items[i].phase = phase;
        list->items[i].time_slot = (int)i;
    }
}

void program_insert(program *p, swp_phase phase, int at, swp_op op)
{
    swp_entry_list *list = program_phase(p, phase);
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 32;
        list->items = checked(realloc(list->items, list->capacity * sizeof(*list->items)));
    }
    memmove(list->items + at + 1, list->items + at,
            (list->count - (size_t)at) * sizeof(*list->items));
    list->items[at] = (swp_entry){.op = op};
    list->count++;
    number(list, phase);
}

void program_delete(program *p, swp_phase phase, int at)
{
    swp_entry_list *list = program_phase(p, phase);
    list->count--;
    memmove(list->items + at, list->items + at + 1,
            (list->count - (size_t)at) * sizeof(*list->items));
    number(list, phase);
}

program program_copy(const swp_schedule *schedule)
{
    program p = {.schedule = *schedule};
    p.schedule.arena = NULL;
    p.schedule.body = (swp_op_list){0};
    p.schedule.edges = p.schedule.kernel_deps = (swp_edge_list){0};
    p.schedule.order = (swp_order){0};
    p.schedule.program = (swp_program){0};
    name_ops(&p.schedule, schedule->loop.placement == SWP_PLACE_NEXT_TILE);
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *from = swp_schedule_phase(schedule, phase);
        swp_entry_list *to = program_phase(&p, phase);
        to->capacity = from->count + 8;
        to->items = checked(malloc(to->capacity * sizeof(*to->items)));
        if (from->count > 0)
            memcpy(to->items, from->items, from->count * sizeof(*to->items));
    }
    return p;
}

void program_free(program *p)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        free(program_phase(p, phase)->items);
    *p = (program){0};
}

static void bad_word(const char *word)
{
    fprintf(stderr, "no op: %s\n", word);
    abort();
}

static swp_op logical(int tag, swp_role role, int channel, int stage, int subtile)
{
    swp_op op = swp_op_logical(tag, channel, stage, subtile, SWP_K_NONE);
    op.role = role;
    return op;
}

/* An op whose word is a letter and numbers. */
static swp_op op_of_letter(char letter, int first, int second)
{
    switch (letter) {
    case '|':
        return swp_op_barrier();
    case 'v':
        return swp_op_wait_vm(first);
    case 'l':
        return swp_op_wait_lgkm(first);
    case 'A':
        return logical(SWP_LOAD_A, SWP_GLOBAL_LOAD, 0, first, second);
    case 'B':
        return logical(SWP_LOAD_B, SWP_GLOBAL_LOAD, 1, first, second);
    case 'a':
        return logical(SWP_MMA_LOAD_A, SWP_FRAGMENT_LOAD, 0, first, second);
    case 'b':
        return logical(SWP_MMA_LOAD_B, SWP_FRAGMENT_LOAD, 1, first, second);
    case 'm':
        return logical(SWP_MMA, SWP_COMPUTE, -1, first, second);
    case 'L':
        return logical(SWP_LOAD_DRAM, SWP_GLOBAL_LOAD, 0, 0, 0);
    case 'S':
        return logical(SWP_STORE_SMEM, SWP_SHARED_STORE, 0, 0, 0);
    case 'f':
        return logical(SWP_LOAD_FRAG, SWP_FRAGMENT_LOAD, 0, 0, first);
    case 'c':
        return logical(SWP_COMPUTE_FRAG, SWP_COMPUTE, -1, 0, first);
    default:
        return swp_op_none();
    }
}

static void read_word(program *p, swp_phase phase, const char *word)
{
    char *rest = NULL;
    const int first = (int)strtol(word + 1, &rest, 10);
    const int second = *rest == '.' ? (int)strtol(rest + 1, &rest, 10) : 0;
    swp_op op = op_of_letter(word[0], first, second);
    if (!swp_op_present(&op))
        bad_word(word);
    if (*rest == ':') {
        char name[8] = "";
        const size_t length = strcspn(rest + 1, "*");
        if (length >= sizeof(name))
            bad_word(word);
        memcpy(name, rest + 1, length);
        if (!swp_k_offset_from_name(name, &op.k_offset))
            bad_word(word);
        rest += 1 + length;
    }
    const int accesses = *rest == '*' ? (int)strtol(rest + 1, &rest, 10) : 1;
    if (*rest)
        bad_word(word);
    if (op.role == SWP_GLOBAL_LOAD)
        op.vm_cost = accesses;
    else if (op.role == SWP_SHARED_STORE || op.role == SWP_FRAGMENT_LOAD)
        op.lgkm_cost = accesses;
    program_insert(p, phase, (int)program_phase(p, phase)->count, op);
}

void program_read(program *p, swp_phase phase, const char *words)
{
    while (*words) {
        const size_t length = strcspn(words, " ");
        char word[32] = "";
        if (length >= sizeof(word))
            bad_word(words);
        memcpy(word, words, length);
        if (length > 0)
            read_word(p, phase, word);
        words += length + (words[length] == ' ');
    }
}

static void print_accesses(FILE *out, int accesses)
{
    if (accesses != 1)
        fprintf(out, "*%d", accesses);
}

static void print_op(FILE *out, const swp_op *op, bool single)
{
    const int channel = op->channel == 1;
    if (op->tag == SWP_TAG_BARRIER)
        fprintf(out, " |");
    else if (op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM)
        fprintf(out, " %c%d", op->tag == SWP_TAG_WAIT_VM ? 'v' : 'l', op->wait_value);
    else if (op->role == SWP_GLOBAL_LOAD && single)
        fprintf(out, " L");
    else if (op->role == SWP_GLOBAL_LOAD)
        fprintf(out, " %c%d.%d:%s", "AB"[channel], op -> stage, op -> subtile,
                swp_k_offset_name(op->k_offset));
    else if (op->role == SWP_SHARED_STORE)
        fprintf(out, " S");
    else if (op->role == SWP_FRAGMENT_LOAD && single)
        fprintf(out, " f%d", op->subtile);
    else if (op->role == SWP_FRAGMENT_LOAD)
        fprintf(out, " %c%d.%d", "ab"[channel], op -> stage, op -> subtile);
    else if (op->role == SWP_COMPUTE && single)
        fprintf(out, " c%d", op->subtile);
    else if (op->role == SWP_COMPUTE)
        fprintf(out, " m%d.%d", op->stage, op->subtile);
    else
        fprintf(out, " -");
    if (op->role == SWP_GLOBAL_LOAD)
        print_accesses(out, op->vm_cost);
    else if (op->role == SWP_SHARED_STORE || op->role == SWP_FRAGMENT_LOAD)
        print_accesses(out, op->lgkm_cost);
}

void program_print(FILE *out, const swp_schedule *schedule)
{
    const swp_machine *m = &schedule->machine;
    const swp_loop_shape *loop = &schedule->loop;
    const bool single = loop->placement == SWP_PLACE_NEXT_TILE;
    fprintf(out, "%d groups of %d, lag %d at %d%s, %s, %s, vm_max %d, lgkm_max %d, %s; ", m->groups,
            m->waves_per_group, m->lag, m->lag_prologue_index,
            m->lag_end_barrier ? "" : " without end barrier",
            m->barrier == SWP_BARRIER_FENCED ? "fenced" : "raw",
            m->registers == SWP_REGISTERS_RAW ? "raw registers" : "managed", m->vm_max, m->lgkm_max,
            m->counter_full == SWP_COUNTER_WRAPS ? "wraps" : "stall");
    fprintf(out, "%s, %dx%d%s\n", single ? "single buffer" : "double buffer", loop->m_mmas,
            loop->n_mmas, schedule->drops_loop_barrier ? ", without the loop's barrier" : "");
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
        fprintf(out, "  %-8s (%2zu):", swp_phase_name(phase), entries->count);
        for (size_t i = 0; i < entries->count; i++)
            print_op(out, &entries->items[i].op, single);
        fprintf(out, "\n");
    }
}
