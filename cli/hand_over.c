/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs subcommands that are programs in Python: swp-NAME lies beside this command, or is found as
 * the shell finds it.
 */
#include "hand_over.h"

#include "count_of.h"
#include "subcommand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const cli_subcommand_help help_of_tune = {
    .description =
        "  SPACE.yaml names a description and, under `set:`, lists of values. Every combination\n"
        "  is compiled; those that are legal are ranked by the model's cycles, and the best are\n"
        "  measured with the command that `measure:` says, in rounds that keep a third each.\n"
        "  What is known goes to a log, to which the same command adds after any interruption.\n"
        "\n"
        "  --log LOG         the log (default: the space's name and .jsonl)\n"
        "  --shard I/N       only this part of the space: for an array of jobs\n"
        "  --merge LOG...    join the logs of one space; -o names the result\n"
        "  --report LOG...   show what logs say; --format is text, json or kernel-tuner\n",
    .examples = "  swp tune space.yaml\n"
                "  swp tune --report space.jsonl --format json\n",
};

const cli_subcommand_help help_of_calibrate = {
    .description =
        "  With a target, sm_80 or sm_90, it writes microbenchmarks into a folder, and run.sh,\n"
        "  which builds and runs them on a machine with nvcc and the GPU. What they measure goes\n"
        "  to results.jsonl, to which run.sh adds after any interruption. With --from it makes a\n"
        "  target file of the results of one or several runs. Those of mi355x have never run.\n"
        "\n"
        "  --from RESULTS...  results of one kind of device\n"
        "  --like TARGET      whose kernels the file is for (default: the benchmarks')\n"
        "  -o OUT             the folder; with --from the file (default: standard output)\n",
    .examples = "  swp calibrate sm_90 -o calibration\n"
                "  swp calibrate --from results.jsonl -o target.yaml\n",
};

enum { LONGEST_PATH = 4096, LONGEST_NAME = 16 };

static const char *const programs[] = {"calibrate", "tune"};

bool hand_over_is_due(const char *subcommand)
{
    for (size_t i = 0; i < COUNT_OF(programs); i++)
        if (strcmp(programs[i], subcommand) == 0)
            return true;
    return false;
}

/* Sets the path of this command, or "" if the system does not say it. */
static void own_path(char *path)
{
    const ssize_t length = readlink("/proc/self/exe", path, LONGEST_PATH - 1);
    path[length > 0 ? length : 0] = '\0';
}

int hand_over(const cli_diagnostics *to, char **words)
{
    char own[LONGEST_PATH];
    char path[LONGEST_PATH + LONGEST_NAME];
    char name[LONGEST_NAME];
    own_path(own);
    if (*own)
        (void)setenv("SWP", own, 1);
    (void)snprintf(path, sizeof path, "%s-%s", own, words[0]);
    if (access(path, X_OK) == 0)
        (void)execv(path, words);
    (void)snprintf(name, sizeof name, "swp-%s", words[0]);
    (void)execvp(name, words);
    return diagnostics_fail(to, CLI_E0906,
                            "it is installed beside swp, and needs python3 and PyYAML",
                            "%s cannot be run", name);
}

int run_tune(cli_invocation *invocation)
{
    return print_help(invocation, invocation->subcommand);
}

int run_calibrate(cli_invocation *invocation)
{
    return print_help(invocation, invocation->subcommand);
}
