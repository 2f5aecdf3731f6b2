/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers certificates while problems are solved, and writes them in the order of the problems. */
#include "certificate.h"

#include "output.h"
#include "search.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

swp_status certificate_add(swp_context *ctx, const swp_problem *problem, const swp_answer *answer,
                           FILE *stream, cli_certificate *out)
{
    const long begin = ftell(stream);
    const swp_status status = swp_certificate_write(ctx, problem, answer, stream);
    if (status == SWP_OK)
        *out = (cli_certificate){stream, begin, ftell(stream)};
    return status;
}

static void copy(const cli_certificate *from, FILE *to)
{
    char block[1 << 14];
    if (fseek(from->stream, from->begin, SEEK_SET) != 0)
        return;
    for (long left = from->end - from->begin; left > 0;) {
        const size_t wanted = left < (long)sizeof block ? (size_t)left : sizeof block;
        const size_t got = fread(block, 1, wanted, from->stream);
        if (got == 0)
            return;
        (void)fwrite(block, 1, got, to);
        left -= (long)got;
    }
}

/* A certificate may be far larger than memory, so it is not copied there. */
static int write_mapped(const cli_diagnostics *to, const char *path, FILE *stream, long length)
{
    if (length == 0)
        return output_write(to, path, "", 0);
    void *text = mmap(NULL, (size_t)length, PROT_READ, MAP_PRIVATE, fileno(stream), 0);
    if (text == MAP_FAILED)
        return diagnostics_out_of_memory(to);
    const int status = output_write(to, path, text, (size_t)length);
    (void)munmap(text, (size_t)length);
    return status;
}

int certificates_write(const cli_diagnostics *to, const char *path,
                       const cli_certificate *certificates, size_t count)
{
    long length = 0;
    FILE *all = tmpfile();
    bool whole = all != NULL;
    for (size_t i = 0; i < count && whole; i++) {
        if (!certificates[i].stream)
            continue;
        copy(&certificates[i], all);
        length += certificates[i].end - certificates[i].begin;
        whole = !ferror(certificates[i].stream);
    }
    whole = whole && fflush(all) == 0 && !ferror(all) && ftell(all) == length;
    const int status =
        whole ? write_mapped(to, path, all, length)
              : diagnostics_fail(to, CLI_E0908, "the folder for temporary files may be full",
                                 "cannot gather the certificates: %s", strerror(errno));
    if (all)
        (void)fclose(all);
    return status;
}

static swp_status search_for_it(const cli_invocation *invocation, const cli_schedule *opened,
                                FILE *stream)
{
    search_limit(opened->ctx, invocation);
    const swp_status status =
        swp_loop_certificate_write(opened->ctx, opened->schedule->pipeline, stream);
    diagnostics_flush(&invocation->diagnostics, opened->ctx);
    return status;
}

/* Writes both, but nothing before both exist. */
static int write_both(const cli_invocation *invocation, const cli_schedule *opened, FILE *stream,
                      const char *text, size_t length)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    const int searched = exit_status_of(search_for_it(invocation, opened, stream));
    int written = EXIT_DONE;
    if (searched != EXIT_DONE && searched != EXIT_STOPPED)
        return searched;
    if (searched == EXIT_DONE) {
        const cli_certificate whole = {stream, 0, ftell(stream)};
        written = certificates_write(to, invocation->certificate, &whole, 1);
    }
    if (written == EXIT_DONE)
        written = output_write(to, invocation->output, text, length);
    return written == EXIT_DONE ? searched : written;
}

int certificate_emit(const cli_invocation *invocation, const cli_schedule *opened, const char *text,
                     size_t length)
{
    FILE *stream = tmpfile();
    if (!stream)
        return diagnostics_fail(&invocation->diagnostics, CLI_E0908,
                                "certificates are gathered in the folder for temporary files",
                                "cannot open a temporary file: %s", strerror(errno));
    const int status = write_both(invocation, opened, stream, text, length);
    (void)fclose(stream);
    return status;
}
