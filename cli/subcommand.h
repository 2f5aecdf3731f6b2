/* SPDX-License-Identifier: Apache-2.0 */
/* The table of subcommands. */
#ifndef CLI_SUBCOMMAND_H
#define CLI_SUBCOMMAND_H

#include "invocation.h"

#include <limits.h>

/*
 * X(name, arguments, least, most, reads, options, meaning). Each has a file of its own with run_<name>(),
 * which returns an exit status, and help_of_<name>. Y(name, word, ...) is the same for a word that is
 * no name in C.
 */
/* clang-format off */
#define SUBCOMMANDS(X, Y) \
    X(compile, "FILE|BUILTIN", 1, 1, READS_SCHEDULES, \
      OPTIONS_OF_SEARCH | OPTION_BIT(FORMAT) | OPTION_BIT(OUTPUT) | OPTION_BIT(ACCEPT) | \
          OPTION_BIT(REQUIRE_PROOF) | OPTION_BIT(CERTIFICATE) | OPTION_BIT(FULL), \
      "compile a description into a software-pipelined schedule") \
    X(verify, "FILE|BUILTIN", 1, 1, READS_SCHEDULES, \
      OPTIONS_OF_SEARCH | OPTION_BIT(FORMAT) | OPTION_BIT(OUTPUT) | OPTION_BIT(ACCEPT) | \
          OPTION_BIT(COUNTEREXAMPLE), \
      "prove that a schedule computes its loop, or show how it goes wrong") \
    X(run, "FILE|BUILTIN", 1, 1, READS_SCHEDULES, \
      OPTIONS_OF_SEARCH | OPTION_BIT(FORMAT) | OPTION_BIT(OUTPUT) | OPTION_BIT(N) | \
          OPTION_BIT(TILES) | OPTION_BIT(SEEDS) | OPTION_BIT(TIMING) | OPTION_BIT(WAVES) | OPTION_BIT(REPLAY), \
      "execute a schedule on small matrices, under any timing that the machine permits") \
    X(simulate, "FILE|BUILTIN", 1, 1, READS_SCHEDULES, \
      OPTIONS_OF_SEARCH | OPTION_BIT(FORMAT) | OPTION_BIT(OUTPUT) | \
          OPTION_BIT(OCCUPANCY_GLOBAL) | OPTION_BIT(OCCUPANCY_LDS) | OPTION_BIT(LOAD_LATENCY), \
      "count the cycles of a schedule, and where it stalls") \
    X(explain, "FILE|BUILTIN", 1, 1, READS_SCHEDULES, \
      OPTIONS_OF_SEARCH | OPTION_BIT(FORMAT) | OPTION_BIT(OUTPUT), \
      "say what each wait and barrier is there for, and each op's place in the order") \
    X(diff, "A B", 2, 2, READS_SCHEDULES, \
      OPTIONS_OF_SEARCH | OPTION_BIT(SET_A) | OPTION_BIT(SET_B) | OPTION_BIT(FORMAT) | \
          OPTION_BIT(OUTPUT) | OPTION_BIT(OCCUPANCY_GLOBAL) | OPTION_BIT(OCCUPANCY_LDS), \
      "compare two schedules, and say what each difference does") \
    X(audit, "FILE.s...", 1, INT_MAX, READS_FILES, \
      OPTIONS_OF_SEARCH | OPTION_BIT(SCHEDULE) | OPTION_BIT(ADVICE) | OPTION_BIT(FIRST) | OPTION_BIT(STRICT) | OPTION_BIT(BASELINE) | OPTION_BIT(WRITE_BASELINE) | \
          OPTION_BIT(NO_CACHE) | OPTION_BIT(JOBS) | OPTIONS_OF_LAUNCH | OPTION_BIT(FORMAT) | OPTION_BIT(OUTPUT), \
      "judge a compiler's assembly: does it wait for what it uses?") \
    X(emit, "FILE|BUILTIN --format FORMAT", 1, 1, READS_SCHEDULES, \
      OPTIONS_OF_SEARCH | OPTION_BIT(FORMAT) | OPTION_BIT(OUTPUT) | OPTION_BIT(PREFIX) | \
          OPTION_BIT(ACCEPT) | OPTION_BIT(ALLOW_UNSAFE), \
      "write a schedule in any format: for kernels, people, tools or as a graph") \
    X(solve, "FILE", 1, 1, READS_FILES, \
      OPTION_BIT(TIME_LIMIT) | OPTION_BIT(WORK_LIMIT) | OPTION_BIT(JOBS) | OPTION_BIT(CERTIFICATE) | OPTION_BIT(FORMAT) | \
          OPTION_BIT(OUTPUT), \
      "solve scheduling problems as data, with a proof that no schedule is better") \
    Y(check_certificate, "check-certificate", "PROBLEMS ANSWERS CERTIFICATES", 3, 3, READS_SCHEDULES, \
      OPTIONS_OF_SEARCH | OPTION_BIT(FORMAT) | OPTION_BIT(OUTPUT), \
      "check the proofs that --certificate writes, believing nothing of the solver") \
    X(tune, "SPACE.yaml|--merge LOG...|--report LOG...", 0, MOST_ARGUMENTS, READS_NOTHING, 0, \
      "compile all variants of a description, and measure the best on the machine") \
    X(calibrate, "sm_80|sm_90|mi355x -o FOLDER|--from RESULTS...", 0, MOST_ARGUMENTS, READS_NOTHING, 0, \
      "measure what a machine's instructions cost, and write that as a target file") \
    X(list, "[TABLE]", 0, 1, READS_NOTHING, OPTION_BIT(FORMAT) | OPTION_BIT(TARGET), \
      "list built-ins, targets, strategies, formats, settings, diagnostics, objects") \
    X(schema, "NAME", 1, 1, READS_NOTHING, OPTION_BIT(OUTPUT), \
      "print the JSON Schema of descriptions, schedules or problems, for editors and other programs") \
    X(completion, "SHELL", 1, 1, READS_NOTHING, OPTION_BIT(OUTPUT), \
      "print what makes a shell complete this command: bash, zsh or fish") \
    X(new, "NAME", 1, 1, READS_NOTHING, OPTION_BIT(FROM) | OPTION_BIT(OUTPUT), \
      "write a commented description to start from") \
    X(help, "[SUBCOMMAND]", 0, 1, READS_NOTHING, 0, \
      "explain the command or one of its subcommands")
/* clang-format on */

/* What the arguments of a subcommand are. */
typedef enum cli_reads {
    READS_NOTHING,
    READS_FILES,
    READS_SCHEDULES, /* files, or names of built-ins */
} cli_reads;

/* What only the subcommand itself can say of itself. */
typedef struct cli_subcommand_help {
    const char *description; /* paragraphs, indented by two */
    const char *examples;    /* lines, indented by two */
} cli_subcommand_help;

struct cli_subcommand {
    const char *name;
    const char *arguments;
    int least; /* arguments */
    int most;
    cli_reads reads;
    uint64_t options; /* besides OPTIONS_OF_ALL */
    const char *meaning;
    int (*run)(cli_invocation *invocation);
    const cli_subcommand_help *help;
};

#define CLI_DECLARATION(name, ...)                                                                 \
    int run_##name(cli_invocation *invocation);                                                    \
    extern const cli_subcommand_help help_of_##name;
SUBCOMMANDS(CLI_DECLARATION, CLI_DECLARATION)
#undef CLI_DECLARATION

/* The rows, in order. */
const cli_subcommand *subcommand_rows(size_t *count);

/* The row of a name; without one, a diagnostic is printed and NULL returned. */
const cli_subcommand *subcommand_find(const cli_diagnostics *to, const char *name);

/* Prints the help of the command, or of one subcommand; returns an exit status. */
int print_help(cli_invocation *invocation, const cli_subcommand *about);

#endif
