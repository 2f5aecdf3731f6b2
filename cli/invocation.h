/* SPDX-License-Identifier: Apache-2.0 */
/* What a command line asks for: a subcommand, its arguments and its options. */
#ifndef CLI_INVOCATION_H
#define CLI_INVOCATION_H

#include "diagnostics.h"

#include "swp/audit.h"
#include "swp/run.h"
#include "swp/simulate.h"

enum { MOST_ARGUMENTS = 3 };

/* Of work, in nominal seconds (swp_limits); literals, so that the help can quote them. */
#define DEFAULT_SEARCH_WORK 10
#define DEFAULT_CHECK_WORK 60
/* What all of a command may take: a search its limit, all else as much again, and to start a moment. */
#define TOTAL_OF(limit) (2 * (limit) + 0.2)
#define QUOTE(literal) #literal
#define QUOTE_VALUE(macro) QUOTE(macro)

/*
 * X(option, name, letter, value, setter, member, meaning): `value` is "" for an option that takes none, option_set_SETTER()
 * puts it into that member of the invocation.
 */
/* clang-format off */
#define OPTIONS(X) \
    X(SET, "set", 0, "KEY=VALUE", setting, settings, "change a setting (`swp list settings`), or as variables.NAME a variable of the file; any number of times") \
    X(SET_A, "set-a", 0, "KEY=VALUE", setting, settings, "the same, for the first schedule only") \
    X(SET_B, "set-b", 0, "KEY=VALUE", setting, settings, "the same, for the second schedule only") \
    X(TARGET, "target", 0, "NAME|FILE", target, target, "compile for this target, a built-in (`swp list targets`) or a FILE.yaml (docs/targets.md)") \
    X(FORMAT, "format", 0, "FORMAT", text, format, "how the result is written; `swp list formats`") \
    X(FROM, "from", 0, "START", text, from, "a built-in, `loop` for a loop of your own or `body` for its passes (default: pingpong)") \
    X(PREFIX, "prefix", 0, "NAME", text, prefix, "of the macros of a C header (default: the schedule's name in capitals)") \
    X(OUTPUT, "output", 'o', "OUT", text, output, "write to this file, whole or not at all (default: standard output)") \
    X(ACCEPT, "accept", 0, "KIND:PHASE:ENTRY", acceptance, accepted, "take this hazard; it is still listed, any number of times") \
    X(COUNTEREXAMPLE, "counterexample", 0, "CEX", text, counterexample, "write an execution that shows the first hazard; `swp run --replay`") \
    X(REQUIRE_PROOF, "require-proof", 0, "", flag, require_proof, "write nothing, with status 1, unless the schedule is proven safe") \
    X(ALLOW_UNSAFE, "allow-unsafe", 0, "", flag, allow_unsafe, "write a C header even if the schedule is not proven safe") \
    X(OCCUPANCY_GLOBAL, "occupancy-global", 0, "CYCLES", cycles, simulation.occupancy_global, "a global access holds its unit so long (default: 0)") \
    X(OCCUPANCY_LDS, "occupancy-lds", 0, "CYCLES", cycles, simulation.occupancy_lds, "an LDS access holds its unit so long (default: 0)") \
    X(LOAD_LATENCY, "load-latency", 0, "PERCENT", load_latency, simulation.load_latency_percent, "a load takes so much of its latency, such as 200 where memory is late (default: 100)") \
    X(N, "n", 0, "N|A..B", tiles, sweep, "run with so many K tiles (default: all that the loop takes up to 12)") \
    X(TILES, "tiles", 0, "LIST", tile_list, sweep.tiles, "run with these output tiles, numbers of iterations such as 3,0,4") \
    X(SEEDS, "seeds", 0, "COUNT", seeds, sweep.seeds, "run each number of tiles so many times (default: 64)") \
    X(TIMING, "timing", 0, "TIMING", timing, sweep.timing, "adversarial or random (default: adversarial)") \
    X(WAVES, "waves", 0, "COUNT", waves, sweep.waves_per_group, "waves of each warp group (default: those of the machine, two at most)") \
    X(REPLAY, "replay", 0, "CEX", text, replay, "execute this counterexample instead") \
    X(FULL, "full", 0, "", flag, full, "print every op, value, object and entry, not a few lines") \
    X(SCHEDULE, "schedule", 0, "FILE|BUILTIN", text, schedule, "compare the code with this schedule, and prove or refute the result") \
    X(ADVICE, "advice", 0, "", flag, advice, "where nothing is wrong, say also which waits may be weaker and which barriers may go") \
    X(FIRST, "first", 0, "", flag, first, "end at the first finding of each kernel (PTX)") \
    X(STRICT, "strict", 0, "", flag, strict, "exit with status 1 for what is unknown, too") \
    X(BASELINE, "baseline", 0, "FILE", text, baseline, "accept the findings in this file, each of which has a reason there (docs/audit.md)") \
    X(WRITE_BASELINE, "write-baseline", 0, "FILE", text, write_baseline, "write all findings as such a file, for reasons to be filled in") \
    X(NO_CACHE, "no-cache", 0, "", flag, no_cache, "search and judge also what was searched or judged before, and keep nothing") \
    X(LAUNCH, "launch", 0, "FILE", text, launch_file, "what the launch is, as JSON (docs/audit.md; PTX)") \
    X(PARAMETERS, "parameters", 0, "NAMES", names, launch, "what the author calls the parameters of the kernel, such as A,B,K (PTX)") \
    X(SHARED, "shared", 0, "BYTES", shared, launch, "how much dynamic shared memory the launch has (PTX)") \
    X(KERNEL, "kernel", 0, "NAME", text, launch.kernel, "judge the kernels with this in their names only (PTX)") \
    X(ARGUMENT, "argument", 0, "PARAM[.BYTE]=VALUE", argument, launch, "what a parameter of a kernel is, by name or counted from 0, at this byte; any number of times (PTX)") \
    X(BOX, "box", 0, "PARAM[.BYTE]=BYTES|BOX:TYPE", box, launch, "what a copy by the tensor map in this parameter brings; any number of times (PTX)") \
    X(GRID, "grid", 0, "X[,Y[,Z]]", shape, launch.grid, "how many work groups the launch has, all of which are judged (PTX)") \
    X(WORK_GROUP, "work-group", 0, "X[,Y[,Z]]", work_group, launch, "judge the work group of this number only, from 0 (PTX)") \
    X(CLUSTER, "cluster", 0, "X[,Y[,Z]]", shape, launch.cluster, "how many work groups a cluster has (default: what the file says; PTX)") \
    X(BLOCK, "block", 0, "X[,Y[,Z]]", shape, launch.block, "how many threads a work group has (default: what the file says; PTX)") \
    X(TIME_LIMIT, "time-limit", 0, "SECONDS", time_limit, time_limit, "end a search then, with its best so far, and all else at twice that (default: none)") \
    X(WORK_LIMIT, "work-limit", 0, "SECONDSs|NODES", work_limit, work_limit, "end a search after the work of some seconds, such as 60s, or after so many nodes; the same on every machine (default: of searches " QUOTE_VALUE(DEFAULT_SEARCH_WORK) "s, of a check " QUOTE_VALUE(DEFAULT_CHECK_WORK) "s)") \
    X(CERTIFICATE, "certificate", 0, "PROOF", text, certificate, "write why no schedule is better, for any program to check") \
    X(JOBS, "jobs", 0, "COUNT", jobs, jobs, "solve so many problems, or audit so many files, at a time (default: 1)") \
    X(DIAGNOSTICS, "diagnostics", 0, "STYLE", style, diagnostics.style, "errors and warnings as text or json, one object a line (default: text)") \
    X(COLOR, "color", 0, "WHEN", color, diagnostics.color, "auto, always or never, also for verdicts (default: auto, on a terminal)") \
    X(HELP, "help", 'h', "", flag, help, "show this help")
/* clang-format on */

#define CLI_ENUMERATOR(option, ...) OPTION_##option,
typedef enum cli_option { OPTIONS(CLI_ENUMERATOR) OPTION_COUNT } cli_option;
#undef CLI_ENUMERATOR

/* A set of options. */
#define OPTION_BIT(option) (UINT64_C(1) << OPTION_##option)
#define OPTIONS_OF_ALL (OPTION_BIT(DIAGNOSTICS) | OPTION_BIT(COLOR) | OPTION_BIT(HELP))
#define OPTIONS_OF_SEARCH                                                                          \
    (OPTION_BIT(SET) | OPTION_BIT(TARGET) | OPTION_BIT(TIME_LIMIT) | OPTION_BIT(WORK_LIMIT) |      \
     OPTION_BIT(NO_CACHE))
#define OPTIONS_OF_LAUNCH                                                                          \
    (OPTION_BIT(KERNEL) | OPTION_BIT(ARGUMENT) | OPTION_BIT(BOX) | OPTION_BIT(GRID) |              \
     OPTION_BIT(WORK_GROUP) | OPTION_BIT(CLUSTER) | OPTION_BIT(BLOCK) | OPTION_BIT(LAUNCH) |       \
     OPTION_BIT(PARAMETERS) | OPTION_BIT(SHARED))

typedef struct cli_invocation cli_invocation;

/* What `swp audit` writes. */
typedef enum cli_audit_format {
    AUDIT_TEXT,
    AUDIT_JSON,
    AUDIT_SARIF,
    AUDIT_JUNIT,
} cli_audit_format;

/* Takes the value of an option; returns an exit status. */
typedef int cli_setter(cli_invocation *invocation, cli_option option, const char *value);

typedef struct cli_option_row {
    const char *name;
    char letter;
    const char *value;
    const char *meaning;
    cli_setter *set;
    size_t member; /* its offset in the invocation */
} cli_option_row;

const cli_option_row *option_row_of(cli_option option);

/* One --set, --set-a or --set-b: `text` is key=value, `path` the part before the sign. */
typedef struct cli_setting {
    char label[sizeof "--set-a"];
    cli_option option;
    cli_source text;
    char *path;
    const char *value;
    struct cli_setting *next;
} cli_setting;

/* Whether it is for the schedule of this argument. */
bool setting_is_for(const cli_setting *setting, int argument);

/* The first one from here on that is; NULL: none. */
const cli_setting *setting_for(const cli_setting *from, int argument);

typedef struct cli_subcommand cli_subcommand;

struct cli_invocation {
    const cli_subcommand *subcommand;
    const char **arguments; /* and room for one more */
    int argument_count;
    cli_setting *settings;  /* in their order */
    cli_source target;      /* no text: none asked for */
    cli_source target_file; /* what it names; no text: a built-in target */
    const char *format;
    bool as_json; /* what report_format() makes of it */
    const char *from;
    const char *prefix;       /* NULL: none asked for */
    swp_acceptance *accepted; /* in their order */
    size_t accepted_count;
    bool require_proof;
    bool allow_unsafe;
    bool full;
    bool advice;
    bool first;
    bool strict;
    const char *baseline;       /* a file; NULL: none */
    const char *write_baseline; /* a file; NULL: none */
    bool no_cache;
    const char *launch_file; /* NULL: none */
    void **kept;             /* names that were cut out of words */
    size_t kept_count;
    cli_audit_format audit_format;
    swp_audit_launch launch;
    swp_simulate_options simulation;
    swp_run_sweep sweep;
    const char *replay;         /* a file; NULL: none */
    const char *counterexample; /* a file; NULL: none */
    const char *certificate;    /* a file; NULL: none */
    const char *schedule;       /* a file or built-in; NULL: none */
    const char *output;
    double began;        /* by interrupt_clock() */
    double time_limit;   /* seconds by the clock; 0: none */
    double work_seconds; /* nominal ones; 0: none were asked for */
    uint64_t work_limit; /* nodes; 0: none */
    int jobs;            /* problems at a time */
    bool help;
    bool report_color; /* of verdicts on standard output */
    cli_diagnostics diagnostics;
};

/*
 * Reads what follows the subcommand's name into `invocation`, whose `subcommand` and `diagnostics`
 * are set. Returns an exit status; not EXIT_DONE means that a diagnostic was printed.
 */
int invocation_read(cli_invocation *invocation, int count, char **words);

/* Refuses a value of an option with a diagnostic; returns an exit status. */
int option_reject(const cli_invocation *invocation, cli_option option, const char *value,
                  const char *hint);

/* The member of the invocation that an option sets. */
void *option_member(cli_invocation *invocation, cli_option option);

/* Takes a whole number from `least` to `most` for a member that is an int. */
int option_set_number(cli_invocation *invocation, cli_option option, const char *value, int least,
                      int most, const char *hint);

/* The setters that are not in options.c: of kind:phase:entry, and of `swp run`. */
cli_setter option_set_acceptance, option_set_tiles, option_set_tile_list, option_set_seeds,
    option_set_timing, option_set_waves;
/* Of a launch, for `swp audit`. */
cli_setter option_set_argument, option_set_box, option_set_shape, option_set_work_group,
    option_set_names, option_set_shared;

/* How diagnostics are to look, which must be known before the first one. */
cli_diagnostics diagnostics_asked_for(int count, char **words);

void invocation_free(cli_invocation *invocation);

#endif
