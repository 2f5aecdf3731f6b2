/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the description of swp new: every section with its settings, their defaults and meanings. */
#include "count_of.h"
#include "new.h"

#include "swp/fields.h"

#include <string.h>

/* This loop is of the ping-pong kind, and small enough to read: two halves compute one K tile each. */
static const char *const body_lines[] = {
    "# What each op costs: the unit it keeps busy, cycles, the registers that it defines.",
    "costs:",
    "  LOAD_A: {tag: 0, resource: global_mem, latency: 200, role: global_load}",
    "  LOAD_B: {tag: 1, resource: global_mem, latency: 200, role: global_load}",
    "  FRAG_A: {tag: 3, resource: lds, latency: 20, role: fragment_load, vgpr_def: 8}",
    "  FRAG_B: {tag: 4, resource: lds, latency: 20, role: fragment_load, vgpr_def: 8}",
    "  MMA: {tag: 5, resource: mma_unit, latency: 16, role: compute, vgpr_def: 4}",
    "# One pass of the loop. Channel 0 is A, 1 is B; `stage` is a slot in LDS.",
    "body:",
    "  # The first half computes the tile in slot 0 and loads the next ones.",
    "  - {op: LOAD_A, channel: 0, stage: 1, subtile: 1, k_offset: k_prev}",
    "  - {op: LOAD_A, channel: 0, stage: 0, subtile: 0, k_offset: k0}",
    "  - {op: LOAD_B, channel: 1, stage: 0, subtile: 0, k_offset: k0}",
    "  - {op: LOAD_B, channel: 1, stage: 0, subtile: 1, k_offset: k0}",
    "  - {fan: 2, op: FRAG_A, channel: 0, stage: 0}",
    "  - {fan: 2, op: FRAG_B, channel: 1, stage: 0}",
    "  - {grid: [2, 2], op: MMA}",
    "  # The second half does the same with slot 1.",
    "  - {op: LOAD_A, channel: 0, stage: 0, subtile: 1, k_offset: k0}",
    "  - {op: LOAD_A, channel: 0, stage: 1, subtile: 0, k_offset: k1}",
    "  - {op: LOAD_B, channel: 1, stage: 1, subtile: 0, k_offset: k1}",
    "  - {op: LOAD_B, channel: 1, stage: 1, subtile: 1, k_offset: k1}",
    "  - {fan: 2, op: FRAG_A, channel: 0, stage: 1}",
    "  - {fan: 2, op: FRAG_B, channel: 1, stage: 1}",
    "  - {grid: [2, 2], op: MMA}",
    "reorder: double_buffer",
};

static void print_body(FILE *stream, const char *prefix)
{
    for (size_t i = 0; i < COUNT_OF(body_lines); i++)
        (void)fprintf(stream, "%s%s\n", prefix, body_lines[i]);
}

static bool has_section(const new_description *description, swp_section section)
{
    const swp_builtin *kernel = description->kernel;
    const bool single_buffer = kernel && kernel->depth == 1;
    if (description->loop)
        return section == SWP_SECTION_MACHINE;
    switch (section) {
    case SWP_SECTION_KERNEL:
    case SWP_SECTION_HINTS:
        return single_buffer;
    case SWP_SECTION_SCHEDULE:
        return !single_buffer;
    case SWP_SECTION_GEOMETRY:
        return kernel && kernel->layout;
    case SWP_SECTION_PIPELINE:
    case SWP_SECTION_MACHINE:
        return true;
    case SWP_SECTION_LOOP:
    case SWP_SECTION_COUNT:
        break;
    }
    return false;
}

/* Returns whether the setting stands in the description itself, as an example. All others are comments. */
static bool is_set(const swp_field *field)
{
    return field == swp_field_find("schedule.scheduling");
}

static void print_field(FILE *stream, const swp_field *field, const swp_settings *settings)
{
    char value[SWP_FIELD_TEXT_SIZE];
    char domain[SWP_FIELD_TEXT_SIZE];
    char line[2 * SWP_FIELD_TEXT_SIZE];
    const bool triple = field->kind == SWP_FIELD_TRIPLE;
    swp_field_format(field, settings, value);
    swp_field_domain(field, domain);
    (void)snprintf(line, sizeof line, "%s%s%s: %s%s%s", is_set(field) ? "" : "# ",
                   field->section == SWP_SECTION_KERNEL ? "" : "  ", field->name, triple ? "[" : "",
                   value, triple ? "]" : "");
    (void)fprintf(stream, "%-40s # %s [%s%s%s]\n", line, field->meaning, domain,
                  *field->unit ? " " : "", field->unit);
}

static void print_section(FILE *stream, const new_description *description, swp_section section)
{
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    const char *comment = section == SWP_SECTION_SCHEDULE ? "" : "# ";
    if (section != SWP_SECTION_KERNEL)
        (void)fprintf(stream, "%s%s:\n", comment, swp_section_name(section));
    for (size_t i = 0; i < count; i++)
        if (fields[i].section == section)
            print_field(stream, &fields[i], &description->settings);
    (void)fputc('\n', stream);
}

static void print_title(FILE *stream, const char *name)
{
    (void)fprintf(stream,
                  "# %s: a software-pipelined loop. `swp compile %s.yaml` shows its schedule.\n",
                  name, name);
}

/* Prints the lines as they are, except for the name, and without the license of their file. */
static void print_loop(FILE *stream, const new_description *description)
{
    static const char name_key[] = "name: ";
    print_title(stream, description->name);
    for (size_t i = 1; i < description->loop->count; i++) {
        const char *line = description->loop->lines[i];
        if (strncmp(line, name_key, strlen(name_key)) == 0)
            (void)fprintf(stream, "%s\"%s\"\n", name_key, description->name);
        else
            (void)fprintf(stream, "%s\n", line);
    }
}

static void print_start(FILE *stream, const new_description *description)
{
    size_t count = 0;
    const swp_target *const *targets = swp_targets(&count);
    const char *name = description->name;
    print_title(stream, name);
    (void)fprintf(stream,
                  "swp: 1 # version of this format\n"
                  "name: \"%s\"\n",
                  name);
    if (description->kernel)
        (void)fprintf(stream, "kernel: %s # %s; `swp list builtins`\n", description->kernel->name,
                      description->kernel->meaning);
    (void)fprintf(stream, "target: %s # `swp list targets`\n", targets[0]->name);
}

void new_print_core(FILE *stream, const new_description *description)
{
    if (description->loop) {
        print_loop(stream, description);
        return;
    }
    print_start(stream, description);
    if (description->kernel)
        return;
    (void)fputc('\n', stream);
    print_body(stream, "");
}

void new_print(FILE *stream, const new_description *description)
{
    new_print_core(stream, description);
    (void)fputs(
        "\n# Every setting, with the value it has here. To change one, remove the `# ` before "
        "it\n# and before its section; `--set section.name=value` does so for one run.\n\n",
        stream);
    for (int section = 0; section < SWP_SECTION_COUNT; section++)
        if (has_section(description, (swp_section)section))
            print_section(stream, description, (swp_section)section);
    if (description->kernel && !description->loop) {
        (void)fputs("# A loop of your own, instead of `kernel:` above:\n", stream);
        print_body(stream, "# ");
    }
}
