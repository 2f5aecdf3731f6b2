/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes results to a temporary file that then takes the name of the output. An output that is no
 * regular file is written in place.
 */
#include "output.h"

#include "interrupt.h"
#include "line.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new file has these permissions, before the umask. */
enum { NEW_FILE_MODE = 0666, MOST_TEMPORARIES = 100 };

void output_prepare(void)
{
    /* If the reader has closed the pipe, write() then reports an error, and the process goes on. */
    (void)signal(SIGPIPE, SIG_IGN);
    /*
     * If a standard stream is closed, the next file opened would take its number, and diagnostics
     * would be written into the result. So it is opened for the wrong direction, and only fails.
     */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* A reader that closes the pipe has seen enough. The command then ends as others do, by SIGPIPE, which is status 141 to a shell. */
static int end_by_closed_pipe(void)
{
    (void)signal(SIGPIPE, SIG_DFL);
    (void)raise(SIGPIPE);
    return EXIT_BAD; /* the signal is blocked */
}

static int fail(const cli_diagnostics *to, const char *path, int error)
{
    const char *hint = "";
    if (error == ECANCELED || error == EINTR)
        return diagnostics_stopped(to, path ? path : "standard output");
    if (error == EPIPE)
        return end_by_closed_pipe();
    if (error == ENOENT || error == ENOTDIR)
        hint = "its folder does not exist; create it, or give another path";
    else if (error == EACCES || error == EPERM || error == EROFS)
        hint = "give a path that you may write to";
    else if (error == EISDIR)
        hint = "give the path of a file";
    return diagnostics_fail(to, CLI_E0908, hint, "cannot write %s: %s",
                            path ? path : "standard output", strerror(error));
}

/* The functions below return 0, or the errno of what failed. */

static int write_all(int fd, const char *text, size_t length)
{
    struct stat about;
    const bool is_file = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    while (length) {
        /* If poll() says that a pipe takes something, it takes at least so much. */
        const size_t most = is_file || length < PIPE_BUF ? length : PIPE_BUF;
        if (!interrupt_wait(fd, POLLOUT))
            return ECANCELED;
        const ssize_t written = write(fd, text, most);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

static int write_and_close(int fd, const char *text, size_t length)
{
    const int error = write_all(fd, text, length);
    return close(fd) != 0 && error == 0 ? errno : error;
}

static int write_in_place(const char *path, const char *text, size_t length)
{
    const int fd = open(path, O_WRONLY | O_NOCTTY);
    return fd < 0 ? errno : write_and_close(fd, text, length);
}

/* Opens a new file in the folder of `path`, so that it can be renamed to it. */
static int open_temporary(const char *path, char **temporary)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    const size_t size = (size_t)folder + sizeof ".swp-18446744073709551615-99";
    *temporary = malloc(size);
    if (!*temporary)
        return -1;
    for (int i = 0; i < MOST_TEMPORARIES; i++) {
        (void)snprintf(*temporary, size, "%.*s.swp-%ld-%d", folder, path, (long)getpid(), i);
        const int fd = open(*temporary, O_WRONLY | O_CREAT | O_EXCL, NEW_FILE_MODE);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Writes a temporary file and renames it. `old` is the file that is replaced, or NULL. */
static int write_and_rename(const char *path, const struct stat *old, const char *text,
                            size_t length)
{
    char *temporary = NULL;
    int error = 0;
    const int fd = open_temporary(path, &temporary);
    if (fd < 0) {
        error = errno;
        free(temporary);
        return error;
    }
    if (old && fchmod(fd, old->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO)) != 0)
        error = errno;
    const int write_error = write_and_close(fd, text, length);
    error = error ? error : write_error;
    if (!error && rename(temporary, path) != 0)
        error = errno;
    if (error)
        (void)unlink(temporary);
    free(temporary);
    return error;
}

static int replace_file(const char *path, const struct stat *old, const char *text, size_t length)
{
    /* rename() asks only for permission to the folder, so the file's own is asked here. */
    if (access(path, W_OK) != 0)
        return errno;
    char *target = realpath(path, NULL);
    if (!target)
        return errno;
    const int error = write_and_rename(target, old, text, length);
    free(target);
    return error;
}

bool output_is_standard(const char *path)
{
    return !path || !strcmp(path, "-") || !strcmp(path, "/dev/stdout");
}

static int write_to(const char *path, const char *text, size_t length)
{
    struct stat old;
    if (output_is_standard(path))
        return write_all(STDOUT_FILENO, text, length);
    if (stat(path, &old) != 0)
        return errno == ENOENT ? write_and_rename(path, NULL, text, length) : errno;
    /* /dev/fd/N may be a regular file that somebody else is writing to. */
    if (!S_ISREG(old.st_mode) || !strncmp(path, "/dev/", 5))
        return write_in_place(path, text, length);
    return replace_file(path, &old, text, length);
}

int output_write(const cli_diagnostics *to, const char *path, const char *text, size_t length)
{
    line_clear();
    const int error = write_to(path, text, length);
    return error ? fail(to, output_is_standard(path) ? NULL : path, error) : EXIT_DONE;
}

static int check_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    const int error = folder && access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
    return error;
}

int output_check(const cli_diagnostics *to, const char *path)
{
    struct stat old;
    int error = 0;
    if (output_is_standard(path))
        return EXIT_DONE;
    if (stat(path, &old) != 0)
        error = errno == ENOENT && *path ? check_folder(path) : errno;
    else if (S_ISDIR(old.st_mode))
        error = EISDIR;
    else if (access(path, W_OK) != 0)
        error = errno;
    return error ? fail(to, path, error) : EXIT_DONE;
}

/* The first size of the memory for what is printed by stream: tables, help, a new description. */
enum { CAPTURE_SIZE = 1 << 16 };

/* Returns what was printed, or NULL; if the text did not fit, `*full` is true. */
static char *capture(void (*print)(FILE *stream, const void *user), const void *user, size_t size,
                     size_t *length, bool *full)
{
    char *text = malloc(size);
    FILE *stream = text ? fmemopen(text, size, "w") : NULL;
    *full = false;
    if (!stream) {
        free(text);
        return NULL;
    }
    (void)setvbuf(stream, NULL, _IONBF, 0);
    print(stream, user);
    const long written = ftell(stream);
    *full = ferror(stream) != 0 || written < 0 || (size_t)written >= size - 1;
    if (fclose(stream) == 0 && !*full) {
        *length = (size_t)written;
        return text;
    }
    free(text);
    return NULL;
}

/*
 * Prints again into more memory until it fits, because a stream that grows its memory drops text
 * silently if that fails.
 */
char *output_capture(void (*print)(FILE *stream, const void *user), const void *user,
                     size_t *length)
{
    bool full = true;
    char *text = NULL;
    for (size_t size = CAPTURE_SIZE; full && size < SIZE_MAX / 2; size *= 2)
        text = capture(print, user, size, length, &full);
    return text;
}

int output_print(const cli_diagnostics *to, const char *path,
                 void (*print)(FILE *stream, const void *user), const void *user)
{
    size_t length = 0;
    char *text = output_capture(print, user, &length);
    const int status = text ? output_write(to, path, text, length) : diagnostics_out_of_memory(to);
    free(text);
    return status;
}
