/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the files of a command line by device and inode, so that no spelling of a path hides an input. */
#include "files.h"

#include "output.h"
#include "subcommand.h"

#include "swp/kernels.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a path stands for: a file, or the name that a new one would have in its folder. */
typedef struct identity {
    bool known; /* false: no file, and no folder for one */
    bool exists;
    struct stat about; /* of the file, else of its folder */
    const char *name;  /* of a new file in its folder */
} identity;

typedef struct used_file {
    const char *option; /* "" for an argument */
    const char *path;
    bool is_output;
    identity is;
} used_file;

enum { MOST_NAMED = 8 /* by options */ };

typedef struct used_files {
    used_file *items;
    size_t count;
} used_files;

static bool is_stream(const char *path)
{
    return strcmp(path, "-") == 0;
}

static identity identify_new(const char *path)
{
    const char *slash = strrchr(path, '/');
    identity is = {.name = slash ? slash + 1 : path};
    char *folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    is.known = folder && stat(folder, &is.about) == 0;
    free(folder);
    return is;
}

static identity identify(const char *path, bool is_output)
{
    identity is = {.known = true, .exists = true};
    const int fd = is_output ? STDOUT_FILENO : STDIN_FILENO;
    if ((is_stream(path) ? fstat(fd, &is.about) : stat(path, &is.about)) == 0)
        return is;
    return identify_new(path);
}

static bool is_same(const identity *a, const identity *b)
{
    return a->known && b->known && a->exists == b->exists && a->about.st_dev == b->about.st_dev &&
           a->about.st_ino == b->about.st_ino && (a->exists || strcmp(a->name, b->name) == 0);
}

/* Of it there is one copy, which a write replaces. */
static bool is_stored(const identity *is)
{
    return !is->exists || S_ISREG(is->about.st_mode) || S_ISBLK(is->about.st_mode);
}

/* A pipe or a terminal: what two write there is mixed, what one has read there is gone. Not /dev/null. */
static bool is_flow(const identity *is)
{
    struct stat null;
    const mode_t mode = is->about.st_mode;
    if (!is->exists || !S_ISCHR(mode))
        return is->exists && (S_ISFIFO(mode) || S_ISSOCK(mode));
    return stat("/dev/null", &null) != 0 || null.st_rdev != is->about.st_rdev;
}

static void add(used_files *files, const char *option, const char *path, bool is_output)
{
    if (path)
        files->items[files->count++] =
            (used_file){option, path, is_output, identify(path, is_output)};
}

static void add_input(used_files *files, const cli_invocation *invocation, const char *option,
                      const char *path)
{
    const bool may_be_builtin = invocation->subcommand->reads == READS_SCHEDULES || *option;
    if (path && !(may_be_builtin && swp_builtin_find(path)))
        add(files, option, path, false);
}

/* A baseline may be read and then written anew. */
static bool is_rewritten(const cli_invocation *invocation)
{
    return invocation->baseline && invocation->write_baseline &&
           strcmp(invocation->baseline, invocation->write_baseline) == 0;
}

/* Inputs first, so that every output finds what it could replace before it. */
static used_files files_of(const cli_invocation *invocation)
{
    used_files files = {
        .items = calloc((size_t)invocation->argument_count + MOST_NAMED, sizeof *files.items)};
    if (!files.items)
        return files;
    const bool reads = invocation->subcommand->reads != READS_NOTHING;
    for (int i = 0; reads && i < invocation->argument_count; i++)
        add_input(&files, invocation, "", invocation->arguments[i]);
    add_input(&files, invocation, "--schedule ", invocation->schedule);
    add(&files, "--replay ", invocation->replay, false);
    add(&files, "--baseline ", invocation->baseline, false);
    add(&files, "--launch ", invocation->launch_file, false);
    add(&files, "-o ", invocation->output ? invocation->output : "-", true);
    add(&files, "--certificate ", invocation->certificate, true);
    if (!is_rewritten(invocation))
        add(&files, "--write-baseline ", invocation->write_baseline, true);
    add(&files, "--counterexample ", invocation->counterexample, true);
    return files;
}

static int refuse_output(const cli_diagnostics *to, const used_file *output, const used_file *other)
{
    const char *hint = "give each output a file of its own";
    if (!other->is_output)
        return diagnostics_fail(to, CLI_E0903, hint, "`%s%s` would replace the input `%s%s`",
                                output->option, output->path, other->option, other->path);
    return diagnostics_fail(
        to, CLI_E0903, hint, "`%s%s` would %s the output of `%s%s`", output->option, output->path,
        is_stored(&output->is) ? "replace" : "stand amid", other->option, other->path);
}

static int refuse_input(const cli_diagnostics *to)
{
    return diagnostics_fail(to, CLI_E0905, "give one of the inputs as a file",
                            "standard input is named twice, but can be read only once");
}

static int check_pair(const cli_diagnostics *to, const used_file *earlier, const used_file *file)
{
    const bool both_read = !earlier->is_output && !file->is_output;
    const bool is_one = is_same(&earlier->is, &file->is);
    if (both_read && is_stream(earlier->path) && is_stream(file->path))
        return refuse_input(to);
    if (!is_one)
        return EXIT_DONE;
    if (both_read)
        return is_flow(&file->is) ? refuse_input(to) : EXIT_DONE;
    const bool collides = is_stored(&file->is) || (earlier->is_output && is_flow(&file->is));
    return collides ? refuse_output(to, file, earlier) : EXIT_DONE;
}

static int check_file(const cli_diagnostics *to, const used_files *files, size_t i)
{
    int status = EXIT_DONE;
    for (size_t j = 0; j < i && status == EXIT_DONE; j++)
        status = check_pair(to, &files->items[j], &files->items[i]);
    if (status == EXIT_DONE && files->items[i].is_output)
        status = output_check(to, files->items[i].path);
    return status;
}

int files_check(const cli_invocation *invocation)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    const used_files files = files_of(invocation);
    int status = files.items ? EXIT_DONE : diagnostics_out_of_memory(to);
    for (size_t i = 0; i < files.count && status == EXIT_DONE; i++)
        status = check_file(to, &files, i);
    free(files.items);
    return status;
}
