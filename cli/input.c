/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a whole file or standard input, which Ctrl-C and the end of the time may interrupt. */
#include "input.h"

#include "count_of.h"
#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

enum { MOST_MIB = 256 };

static int fail(const cli_diagnostics *to, const char *name, const char *if_absent, int error)
{
    const char *hint = "";
    if (error == ECANCELED || error == EINTR)
        return diagnostics_stopped(to, name);
    if (error == ENOENT)
        hint = if_absent;
    else if (error == EISDIR)
        hint = "give the path of a file";
    return diagnostics_fail(to, CLI_E0906, hint, "cannot read %s: %s", name, strerror(error));
}

/*
 * Opens a pipe without waiting for a writer, since poll() does that later. Returns -1 and sets
 * errno if it fails.
 */
static int open_at_once(const char *path)
{
    const int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0)
        (void)fcntl(fd, F_SETFL, 0);
    return fd;
}

/* Reads on until the end or `most` bytes; returns 0 or an errno. */
static int read_all(int fd, char **text, size_t *length, size_t most)
{
    size_t capacity = 0;
    for (ssize_t got = 1; got != 0 && *length < most;) {
        if (*length == capacity) {
            capacity = capacity ? capacity * 2 : MIB / 16;
            char *larger = realloc(*text, capacity);
            if (!larger)
                return ENOMEM;
            *text = larger;
        }
        if (!interrupt_wait(fd, POLLIN))
            return ECANCELED;
        got = read(fd, *text + *length, capacity - *length);
        if (got < 0 && errno != EINTR)
            return errno;
        if (got > 0)
            *length += (size_t)got;
    }
    return 0;
}

int input_read(cli_diagnostics *to, const char *path, const char *if_absent, cli_source *text)
{
    const bool standard = !strcmp(path, "-");
    *text = (cli_source){.name = standard ? INPUT_STANDARD : path};
    const int fd = standard ? STDIN_FILENO : open_at_once(path);
    if (fd < 0)
        return fail(to, path, if_absent, errno);
    char *bytes = NULL;
    const int error = read_all(fd, &bytes, &text->length, MOST_MIB * MIB + 1);
    text->text = bytes;
    if (!standard)
        (void)close(fd);
    if (error == ENOMEM)
        return diagnostics_out_of_memory(to);
    if (error)
        return fail(to, standard ? "standard input" : path, if_absent, error);
    if (text->length > MOST_MIB * MIB)
        return diagnostics_fail(to, CLI_E0907, "is this the file you meant?",
                                "%s is larger than %d MiB", text->name, MOST_MIB);
    diagnostics_add_source(to, text);
    return EXIT_DONE;
}

static const struct {
    const char *ending;
    cli_kind kind;
} endings[] = {
    {".s", KIND_ASSEMBLY}, {".S", KIND_ASSEMBLY}, {".sass", KIND_ASSEMBLY}, {".ptx", KIND_ASSEMBLY},
    {".json", KIND_JSON},  {".yaml", KIND_YAML},  {".yml", KIND_YAML},
};

cli_kind input_kind(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; dot && i < COUNT_OF(endings); i++)
        if (strcmp(dot, endings[i].ending) == 0)
            return endings[i].kind;
    return KIND_UNKNOWN;
}
