/* SPDX-License-Identifier: Apache-2.0 */
/* swp tune: hands over to swp-tune, which lies beside this command, or is found as the shell finds it. */
#include "tune.h"

#include "subcommand.h"

#include <stdio.h>
#include <stdlib.h>
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

enum { LONGEST_PATH = 4096 };

/* Of this command; "" where the system does not say. */
static void own_path(char *path)
{
    const ssize_t length = readlink("/proc/self/exe", path, LONGEST_PATH - 1);
    path[length > 0 ? length : 0] = '\0';
}

int tune_hand_over(const cli_diagnostics *to, char **words)
{
    char own[LONGEST_PATH];
    char path[LONGEST_PATH + sizeof "-tune"];
    own_path(own);
    if (*own)
        (void)setenv("SWP", own, 1);
    (void)snprintf(path, sizeof path, "%s-tune", own);
    if (access(path, X_OK) == 0)
        (void)execv(path, words);
    (void)execvp("swp-tune", words);
    return diagnostics_fail(to, CLI_E0906,
                            "it is installed beside swp, and needs python3 and PyYAML",
                            "swp-tune cannot be run");
}

int run_tune(cli_invocation *invocation)
{
    return print_help(invocation, invocation->subcommand);
}
