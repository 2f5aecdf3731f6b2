/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time and memory of compiling each built-in: the library call, and the whole process where the
 * command's path is given. Ratios are to the same built-in without any search (identity), and to
 * starting a process that does nothing.
 */
#include "measure.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

enum { LIBRARY_RUNS = 301, PROCESS_RUNS = 51 };

extern char **environ;

static double library_seconds(const char *builtin, const char *scheduling, size_t *bytes)
{
    *bytes = 0;
    const swp_allocator allocator = counting_allocator(bytes);
    swp_context *ctx = swp_context_new(&allocator);
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    const swp_place nowhere = {NULL, 0, 0};
    stop_on(builtin, swp_description_from_builtin(ctx, builtin, &description));
    if (scheduling)
        stop_on(scheduling,
                swp_description_set(ctx, description, "schedule.scheduling", scheduling, nowhere));
    const double began = seconds_now();
    stop_on(builtin, swp_description_compile(ctx, description, &schedule));
    const double seconds = seconds_now() - began;
    swp_schedule_free(schedule);
    swp_context_free(ctx);
    return seconds;
}

static double library_median(const char *builtin, const char *scheduling, size_t *bytes)
{
    static double runs[LIBRARY_RUNS];
    for (int i = 0; i < LIBRARY_RUNS; i++)
        runs[i] = library_seconds(builtin, scheduling, bytes);
    return median(runs, LIBRARY_RUNS);
}

static double process_seconds(char *const arguments[])
{
    posix_spawn_file_actions_t quiet;
    pid_t child = 0;
    int status = 0;
    (void)posix_spawn_file_actions_init(&quiet);
    (void)posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1, 0);
    const double began = seconds_now();
    if (posix_spawnp(&child, arguments[0], &quiet, NULL, arguments, environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0) {
        (void)fprintf(stderr, "%s did not run\n", arguments[0]);
        exit(EXIT_FAILURE);
    }
    const double seconds = seconds_now() - began;
    (void)posix_spawn_file_actions_destroy(&quiet);
    return seconds;
}

static double process_median(char *const arguments[])
{
    static double runs[PROCESS_RUNS];
    for (int i = 0; i < PROCESS_RUNS; i++)
        runs[i] = process_seconds(arguments);
    return median(runs, PROCESS_RUNS);
}

int main(int argc, char **argv)
{
    static char compile[] = "compile";
    static char nothing[] = "true";
    char *command = argc > 1 ? argv[1] : NULL;
    size_t count = 0;
    const swp_builtin *const *builtins = swp_builtins(&count);
    char *idle[] = {nothing, NULL};
    const double idle_seconds = command ? process_median(idle) : 0;
    (void)printf("%-14s %12s %10s %16s %12s %12s\n", "built-in", "library us", "KiB", "to identity",
                 "process ms", "to `true`");
    for (size_t i = 0; i < count; i++) {
        size_t bytes = 0;
        size_t unused = 0;
        const double seconds = library_median(builtins[i]->name, NULL, &bytes);
        /* A single buffer has no strategy to compare with. */
        const bool double_buffer = builtins[i]->depth > 1;
        const double identity =
            double_buffer ? library_median(builtins[i]->name, "identity", &unused) : seconds;
        (void)printf("%-14s %12.1f %10zu %15.2fx", builtins[i]->name, seconds * 1e6, bytes / 1024,
                     seconds / identity);
        if (command) {
            char name[64];
            (void)snprintf(name, sizeof name, "%s", builtins[i]->name);
            char *arguments[] = {command, compile, name, NULL};
            const double process = process_median(arguments);
            (void)printf(" %12.2f %11.2fx", process * 1e3, process / idle_seconds);
        }
        (void)printf("\n");
    }
    return EXIT_SUCCESS;
}
