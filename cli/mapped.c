/* SPDX-License-Identifier: Apache-2.0 */
/* Maps a file into memory; a pipe, and whatever else cannot be mapped, is read. */
#include "mapped.h"

#include "input.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool map(const char *path, cli_mapped *out)
{
    const int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    struct stat about;
    if (fd < 0)
        return false;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        out->mapped = bytes != MAP_FAILED;
        if (out->mapped)
            out->source =
                (cli_source){.name = path, .text = bytes, .length = (size_t)about.st_size};
    }
    (void)close(fd);
    return out->mapped;
}

int input_map(cli_diagnostics *to, const char *path, const char *if_absent, cli_mapped *out)
{
    *out = (cli_mapped){0};
    if (strcmp(path, "-") != 0 && map(path, out)) {
        diagnostics_add_source(to, &out->source);
        return EXIT_DONE;
    }
    return input_read(to, path, if_absent, &out->source);
}

void input_unmap(cli_mapped *mapped)
{
    if (mapped->mapped)
        (void)munmap((void *)mapped->source.text, mapped->source.length);
    else
        free((char *)mapped->source.text);
}
