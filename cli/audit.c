/* SPDX-License-Identifier: Apache-2.0 */
/* swp audit: reads assembly and a schedule, shows what the library finds wrong. */
#include "input.h"
#include "output.h"
#include "report.h"
#include "schedule.h"
#include "search.h"
#include "subcommand.h"

#include "swp/audit_schedule.h"

#include <stdlib.h>

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
        "  or places that cannot be told apart, make the answer `unknown`: status 1 too.\n"
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
        "  out, and lists what may be so, with the cycles that it saves by the cycle model.\n"
        "\n"
        "  Of PTX the launch may be stated. The answer is then about that launch, whatever the\n"
        "  arguments are that are not stated; of those one at most may decide the flow. --box "
        "says\n"
        "  what the box of a tensor map holds, which PTX does not show.\n"
        "\n"
        "  Of PTX all findings of a kernel are told, the certain ones first; --first ends at one.\n"
        "\n"
        "  --format is text (the default) or json.\n",
    .examples = "  clang -S --target=amdgcn-amd-amdhsa -mcpu=gfx950 -O2 kernel.c\n"
                "  swp audit kernel.s\n"
                "  swp audit kernel.s --advice\n"
                "  swp audit kernel.s --schedule kernel.yaml\n"
                "  nvcc -arch=sm_90a -ptx kernel.cu && swp audit kernel.ptx\n"
                "  swp audit kernel.ptx --grid 132 --argument 3=16 --argument 3.4=8\n",
};

static int audit(const cli_invocation *invocation, swp_context *ctx, const cli_source *text,
                 const swp_schedule *schedule)
{
    swp_audit_report report = {0};
    char *out = NULL;
    size_t length = 0;
    const swp_audit_options options = {
        .advice = invocation->advice, .first = invocation->first, .launch = invocation->launch};
    swp_status status =
        schedule ? swp_audit_schedule(ctx, text->text, text->length, text->name, schedule,
                                      &invocation->launch, &report)
                 : swp_audit_with(ctx, text->text, text->length, text->name, &options, &report);
    const bool clean = report.answer != SWP_AUDIT_FAULT && report.answer != SWP_AUDIT_UNKNOWN;
    if (status == SWP_OK)
        status =
            (invocation->as_json ? swp_audit_json : swp_audit_text)(ctx, &report, &out, &length);
    return report_end(invocation, ctx, status, clean, out, length);
}

static int audit_alone(const cli_invocation *invocation, const cli_source *text)
{
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    search_limit(ctx, invocation);
    report_color(ctx, invocation);
    const int status = audit(invocation, ctx, text, NULL);
    swp_context_free(ctx);
    return status;
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

int run_audit(cli_invocation *invocation)
{
    cli_source text = {0};
    int status = report_format(invocation);
    if (status == EXIT_DONE && invocation->advice && invocation->schedule)
        status = option_reject(
            invocation, OPTION_SCHEDULE, invocation->schedule,
            "leave out --advice: what is changed against a schedule has cycles of its own");
    if (status == EXIT_DONE)
        status = input_read(&invocation->diagnostics, invocation->arguments[0],
                            "`clang -S` writes assembly", &text);
    if (status == EXIT_DONE)
        status = invocation->schedule ? audit_against(invocation, &text)
                                      : audit_alone(invocation, &text);
    free((char *)text.text);
    return status;
}
