/* SPDX-License-Identifier: Apache-2.0 */
#include "new.h"

#include "swp/fields.h"

#include <string.h>

/* A loop of the ping-pong kind, small enough to read: two halves, each computes one K tile. */
static const char *const body_lines[] = {
    "# What each op costs: the unit it keeps busy, cycles, the registers that it defines.",
    "costs:",
    "  LOAD_A: {tag: 0, resource: global_mem, latency: 200, role: global_load}",
    "  LOAD_B: {tag: 1, resource: global_mem, latency: 200, role: global_load}",
    "  FRAG_A: {tag: 3, resource: lds, latency: 20, role: fragment_load, vgpr_def: 8}",
    "  FRAG_B: {tag: 4, resource: lds, latency: 20, role: fragment_load, vgpr_def: 8}",
    "  MMA: {tag: 5, resource: mma_unit, latency: 16, role: compute, vgpr_def: 4}",
    "# One pass of the loop. Channel 0 is A, 1 is B; a stage is an LDS buffer.",
    "body:",
    "  # The first half computes the tile in stage 0 and loads the next ones.",
    "  - {op: LOAD_A, channel: 0, stage: 1, subtile: 1, k_offset: k_prev}",
    "  - {op: LOAD_A, channel: 0, stage: 0, subtile: 0, k_offset: k0}",
    "  - {op: LOAD_B, channel: 1, stage: 0, subtile: 0, k_offset: k0}",
    "  - {op: LOAD_B, channel: 1, stage: 0, subtile: 1, k_offset: k0}",
    "  - {fan: 2, op: FRAG_A, channel: 0, stage: 0}",
    "  - {fan: 2, op: FRAG_B, channel: 1, stage: 0}",
    "  - {grid: [2, 2], op: MMA}",
    "  # The second half does the same with stage 1.",
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
    for (size_t i = 0; i < sizeof body_lines / sizeof *body_lines; i++)
        (void)fprintf(stream, "%s%s\n", prefix, body_lines[i]);
}

static swp_settings settings_of(const swp_builtin *kernel)
{
    swp_settings settings = swp_settings_default();
    size_t count = 0;
    const swp_target *targets = swp_targets(&count);
    if (kernel)
        kernel->defaults(&targets[0], &settings);
    else
        settings.schedule.scheduling = SWP_CSP;
    if (!kernel)
        settings.pipeline.block_sizing.max_globals = 1;
    return settings;
}

static bool has_section(const swp_builtin *kernel, swp_section section)
{
    switch (section) {
    case SWP_SECTION_KERNEL:
    case SWP_SECTION_HINTS:
        return kernel && kernel->depth == 1;
    case SWP_SECTION_GEOMETRY:
        return kernel && kernel->has_geometry;
    case SWP_SECTION_PIPELINE:
    case SWP_SECTION_SCHEDULE:
    case SWP_SECTION_MACHINE:
        return true;
    case SWP_SECTION_COUNT:
        break;
    }
    return false;
}

/* Whether the setting stands in the description itself, not in a comment. */
static bool is_set(const new_description *description, const swp_field *field, const char *value)
{
    const swp_settings defaults = swp_settings_default();
    char text[SWP_FIELD_TEXT_SIZE];
    if (!strcmp(field->name, "scheduling"))
        return true;
    swp_field_format(field, &defaults, text);
    return !description->kernel && strcmp(text, value) != 0;
}

static void print_field(FILE *stream, const swp_field *field, const char *value, bool set)
{
    char line[2 * SWP_FIELD_TEXT_SIZE];
    char domain[SWP_FIELD_TEXT_SIZE];
    const bool triple = field->kind == SWP_FIELD_TRIPLE;
    (void)snprintf(line, sizeof line, "%s%s%s: %s%s%s", set ? "" : "# ",
                   field->section == SWP_SECTION_KERNEL ? "" : "  ", field->name, triple ? "[" : "",
                   value, triple ? "]" : "");
    swp_field_domain(field, domain);
    (void)fprintf(stream, "%-40s # %s [%s%s%s]\n", line, field->meaning, domain,
                  *field->unit ? " " : "", field->unit);
}

static void print_section(FILE *stream, const new_description *description, swp_section section)
{
    const swp_settings settings = settings_of(description->kernel);
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    bool any_set = false;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && section != SWP_SECTION_KERNEL)
            (void)fprintf(stream, "%s%s:\n", any_set ? "" : "# ", swp_section_name(section));
        for (size_t i = 0; i < count; i++) {
            char value[SWP_FIELD_TEXT_SIZE];
            if (fields[i].section != section)
                continue;
            swp_field_format(&fields[i], &settings, value);
            const bool set = is_set(description, &fields[i], value);
            any_set = any_set || set;
            if (pass == 1)
                print_field(stream, &fields[i], value, set);
        }
    }
    (void)fputc('\n', stream);
}

static void print_start(FILE *stream, const new_description *description)
{
    size_t count = 0;
    const swp_target *targets = swp_targets(&count);
    const char *name = description->name;
    (void)fprintf(stream,
                  "# %s: a software-pipelined loop. `swp compile %s.yaml` shows its schedule.\n"
                  "swp: 1 # version of this format\n",
                  name, name);
    if (description->kernel)
        (void)fprintf(stream, "kernel: %s # %s; `swp list builtins`\n", description->kernel->name,
                      description->kernel->meaning);
    (void)fprintf(stream, "target: %s # `swp list targets`\n\n", targets[0].name);
}

void new_print(FILE *stream, const new_description *description)
{
    print_start(stream, description);
    if (!description->kernel) {
        print_body(stream, "");
        (void)fputc('\n', stream);
    }
    (void)fputs(
        "# Every setting, with the value it has here. To change one, remove the `# ` before "
        "it\n# and before its section; `--set section.name=value` does so for one run.\n\n",
        stream);
    for (int section = 0; section < SWP_SECTION_COUNT; section++)
        if (has_section(description->kernel, (swp_section)section))
            print_section(stream, description, (swp_section)section);
    if (description->kernel) {
        (void)fputs("# A loop of your own, instead of `kernel:` above:\n", stream);
        print_body(stream, "# ");
    }
}
