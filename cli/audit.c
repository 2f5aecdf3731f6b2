/* SPDX-License-Identifier: Apache-2.0 */
/* swp audit: reads assembly and a schedule, shows what the library finds wrong. */
#include "audit_files.h"
#include "count_of.h"
#include "input.h"
#include "output.h"
#include "report.h"
#include "schedule.h"
#include "search.h"
#include "subcommand.h"

#include "swp/audit_schedule.h"

#include <stdlib.h>
#include <string.h>

const cli_subcommand_help help_of_audit = {
    .description =
        "  FILE.s is what a compiler wrote for gfx942 or gfx950 (clang -S); `-` is standard "
        "input.\n"
        "  Follows every way through each function, round its loops until nothing new shows, with\n"
        "  registers by number: is a register read or overwritten while its load may be in "
        "flight?\n"
        "  Does an LDS access of one wave surely come after the access of another wave, or of its\n"
        "  own, that it must follow? The places are worked out from the thread's number.\n"
        "\n"
        "  For each fault: the two instructions, the wait between them that is too weak, or that\n"
        "  none is there, and what would be enough. An instruction that the audit does not know,\n"
        "  or places that cannot be told apart, make the answer `unknown`.\n"
        "\n"
        "  --schedule takes what `swp compile` takes, or a schedule in JSON. The report then says\n"
        "  what the compiler moved, merged, dropped and added, and proves or refutes what the "
        "code\n"
        "  carries out: status 0 means proven. For NVIDIA, FILE.s is PTX, which is run with many\n"
        "  arguments and judged by itself, or what cuobjdump -sass or nvdisasm -c writes, which "
        "is\n"
        "  compared with its schedule only.\n"
        "\n"
        "  --advice judges code without a fault again, with each wait weaker and each barrier "
        "left\n"
        "  out, and lists what may be so, with the cycles that it saves by the cycle model. Of "
        "PTX\n"
        "  it leaves out fences, too, and counts no cycles.\n"
        "\n"
        "  Of PTX the launch may be stated. The answer is then about that launch, whatever the\n"
        "  arguments are that are not stated; of those one at most may decide the flow. --box "
        "says\n"
        "  what the box of a tensor map holds, which PTX does not show.\n"
        "\n"
        "  Of PTX all findings of a kernel are told, the certain ones first; --first ends at one.\n"
        "\n"
        "  Of several files there is a line for each kernel, and a summary. The exit status is 1\n"
        "  where something is surely wrong, with --strict or --schedule also where it is unknown.\n"
        "  --baseline accepts findings, each for a reason; --write-baseline writes them down.\n"
        "\n"
        "  --format is text (the default), json, sarif or junit.\n",
    .examples =
        "  clang -S --target=amdgcn-amd-amdhsa -mcpu=gfx950 -O2 kernel.c\n"
        "  swp audit kernel.s\n"
        "  swp audit kernel.s --advice\n"
        "  swp audit kernel.s --schedule kernel.yaml\n"
        "  nvcc -arch=sm_90a -ptx kernel.cu && swp audit kernel.ptx\n"
        "  swp audit kernel.ptx --grid 132 --argument 3=16 --argument 3.4=8\n"
        "  swp audit build/*.ptx --jobs 8 --baseline known.json --format sarif -o out.sarif\n",
};

static const struct {
    const char *name;
    cli_audit_format format;
} formats[] = {
    {"text", AUDIT_TEXT}, {"json", AUDIT_JSON}, {"sarif", AUDIT_SARIF}, {"junit", AUDIT_JUNIT}};

static int read_format(cli_invocation *invocation)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (!invocation->format || strcmp(invocation->format, formats[i].name) == 0) {
            invocation->audit_format = formats[i].format;
            invocation->as_json = formats[i].format == AUDIT_JSON;
            return EXIT_DONE;
        }
    return diagnostics_fail(
        &invocation->diagnostics, CLI_E0903, "choose text, json, sarif or junit",
        "`swp audit` writes text, json, sarif or junit, not %s", invocation->format);
}

/* What the command line says counts more than the file. */
static void merge_launch(swp_audit_launch *to, const swp_audit_launch *file)
{
    const swp_audit_launch line = *to;
    *to = *file;
    if (line.kernel)
        to->kernel = line.kernel;
    if (line.names) {
        to->names = line.names;
        to->name_count = line.name_count;
    }
    if (line.grid[0])
        memcpy(to->grid, line.grid, sizeof line.grid);
    if (line.block[0])
        memcpy(to->block, line.block, sizeof line.block);
    if (line.cluster[0])
        memcpy(to->cluster, line.cluster, sizeof line.cluster);
    if (line.has_shared)
        to->shared = line.shared;
    to->has_shared |= line.has_shared;
    if (line.one_work_group)
        memcpy(to->work_group, line.work_group, sizeof line.work_group);
    to->one_work_group |= line.one_work_group;
}

static bool is_same_place(const char *name, int param, int byte, const char *other_name,
                          int other_param, int other_byte)
{
    return byte == other_byte &&
           (name && other_name ? strcmp(name, other_name) == 0
                               : !name && !other_name && param == other_param);
}

/* Those of the command line, and those of the file that it does not say. */
static int merge_arguments(cli_invocation *invocation, const swp_audit_launch *line,
                           const swp_audit_launch *file)
{
    swp_audit_launch *to = &invocation->launch;
    swp_audit_argument *all = calloc(line->argument_count + file->argument_count + 1, sizeof *all);
    swp_audit_box *boxes = calloc(line->box_count + file->box_count + 1, sizeof *boxes);
    if (!all || !boxes) {
        free(all);
        free(boxes);
        return diagnostics_out_of_memory(&invocation->diagnostics);
    }
    to->argument_count = to->box_count = 0;
    for (size_t i = 0; i < line->argument_count; i++)
        all[to->argument_count++] = line->arguments[i];
    for (size_t i = 0; i < file->argument_count; i++) {
        const swp_audit_argument *own = &file->arguments[i];
        bool said = false;
        for (size_t j = 0; j < line->argument_count; j++)
            said |= is_same_place(own->name, own->param, own->byte, line->arguments[j].name,
                                  line->arguments[j].param, line->arguments[j].byte);
        if (!said)
            all[to->argument_count++] = *own;
    }
    for (size_t i = 0; i < line->box_count; i++)
        boxes[to->box_count++] = line->boxes[i];
    for (size_t i = 0; i < file->box_count; i++) {
        const swp_audit_box *own = &file->boxes[i];
        bool said = false;
        for (size_t j = 0; j < line->box_count; j++)
            said |= is_same_place(own->name, own->param, own->byte, line->boxes[j].name,
                                  line->boxes[j].param, line->boxes[j].byte);
        if (!said)
            boxes[to->box_count++] = *own;
    }
    free((swp_audit_argument *)line->arguments);
    free((swp_audit_box *)line->boxes);
    to->arguments = all;
    to->boxes = boxes;
    return EXIT_DONE;
}

static int read_launch(cli_invocation *invocation, swp_context *ctx, cli_source *text)
{
    swp_audit_launch file = {0};
    int status = input_read(&invocation->diagnostics, invocation->launch_file,
                            "docs/audit.md says what stands in it", text);
    if (status != EXIT_DONE)
        return status;
    const swp_status read = swp_audit_launch_read(ctx, text->text, text->length, text->name, &file);
    diagnostics_flush(&invocation->diagnostics, ctx);
    if (read != SWP_OK)
        return exit_status_of(read);
    const swp_audit_launch line = invocation->launch;
    merge_launch(&invocation->launch, &file);
    return merge_arguments(invocation, &line, &file);
}

/* --- against a schedule --- */

static int audit(const cli_invocation *invocation, swp_context *ctx, const cli_source *text,
                 const swp_schedule *schedule)
{
    swp_audit_report report = {0};
    char *out = NULL;
    size_t length = 0;
    swp_status status = swp_audit_schedule(ctx, text->text, text->length, text->name, schedule,
                                           &invocation->launch, &report);
    const bool clean = report.answer != SWP_AUDIT_FAULT && report.answer != SWP_AUDIT_UNKNOWN;
    if (status == SWP_OK)
        status =
            (invocation->as_json ? swp_audit_json : swp_audit_text)(ctx, &report, &out, &length);
    return report_end(invocation, ctx, status, clean, out, length);
}

static int audit_against(cli_invocation *invocation, const cli_source *text)
{
    cli_schedule opened;
    /* It is opened as an argument is. */
    invocation->arguments[1] = invocation->schedule;
    invocation->diagnostics.of = schedule_file(invocation, 1);
    int status = schedule_open(invocation, 1, &opened);
    invocation->diagnostics.of = NULL;
    if (opened.schedule)
        status = audit(invocation, opened.ctx, text, opened.schedule);
    schedule_close(&opened);
    return status;
}

static int audit_one_against(cli_invocation *invocation)
{
    cli_source text = {0};
    int status = input_read(&invocation->diagnostics, invocation->arguments[0],
                            "`clang -S` writes assembly", &text);
    if (status == EXIT_DONE)
        status = audit_against(invocation, &text);
    free((char *)text.text);
    return status;
}

/* What a schedule is compared with is one file, and has no report for machines but JSON. */
static int check_schedule(const cli_invocation *invocation)
{
    const char *hint = NULL;
    if (!invocation->schedule)
        return EXIT_DONE;
    if (invocation->advice)
        hint = "leave out --advice: what is changed against a schedule has cycles of its own";
    else if (invocation->argument_count > 1)
        hint = "give one file: a schedule is compared with one";
    else if (invocation->baseline || invocation->write_baseline ||
             invocation->audit_format == AUDIT_SARIF || invocation->audit_format == AUDIT_JUNIT)
        hint = "leave it out: baselines, sarif and junit are for files that are judged alone";
    return hint ? option_reject(invocation, OPTION_SCHEDULE, invocation->schedule, hint)
                : EXIT_DONE;
}

int run_audit(cli_invocation *invocation)
{
    swp_context *ctx = swp_context_new(NULL); /* of the launch */
    cli_source launch = {0};
    int status =
        ctx ? read_format(invocation) : diagnostics_out_of_memory(&invocation->diagnostics);
    if (status == EXIT_DONE)
        status = check_schedule(invocation);
    if (status == EXIT_DONE && invocation->launch_file)
        status = read_launch(invocation, ctx, &launch);
    if (status == EXIT_DONE)
        status = invocation->schedule ? audit_one_against(invocation) : audit_files(invocation);
    free((char *)launch.text);
    swp_context_free(ctx);
    return status;
}
