/* SPDX-License-Identifier: Apache-2.0 */
/* The text of PTX: blanks and comments, names, lines, statements. */
#include "audit/ptx/reader.h"

#include "base/diag.h"

#include <string.h>

swp_status swp_ptx_cut_short(const swp_ptx_reader *r, const char *what)
{
    return swp_error(r->ctx, SWP_E0813, (swp_place){r->file, r->line, 1}, "is the file cut short?",
                     "%s", what);
}

static size_t blank(char *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (at[i] != '\n')
            at[i] = ' ';
    return count;
}

/* The length of a comment, with its end; 0: none begins here. */
static size_t comment_here(swp_slice rest)
{
    const bool line = swp_code_slice_starts(rest, "//");
    size_t length = 2;
    if (!line && !swp_code_slice_starts(rest, "/*"))
        return 0;
    while (length < rest.length &&
           (line ? rest.start[length] != '\n'
                 : !swp_code_slice_starts(swp_code_slice_after(rest, length), "*/")))
        length++;
    return line || length == rest.length ? length : length + 2;
}

swp_status swp_ptx_blank_comments(swp_context *ctx, swp_slice text, swp_slice *out)
{
    char *copy = NULL;
    if (swp_code_slice_starts(text, "\xef\xbb\xbf"))
        text = swp_code_slice_after(text, 3);
    SWP_TRY(SWP_TAKE(ctx, text.length + 1, &copy));
    memcpy(copy, text.start, text.length);
    for (size_t i = 0; i < text.length;) {
        const swp_slice rest = {copy + i, text.length - i};
        const char *end = copy[i] == '"' ? memchr(copy + i + 1, '"', rest.length - 1) : NULL;
        const size_t length = end ? (size_t)(end - copy) + 1 - i : comment_here(rest);
        i += length ? blank(copy + i, length) : 1;
    }
    *out = (swp_slice){copy, text.length};
    return SWP_OK;
}

bool swp_ptx_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%' || c == '.' || c == ':';
}

void swp_ptx_skip(swp_ptx_reader *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        r->line += r->rest.start[i] == '\n';
    r->rest = swp_code_slice_after(r->rest, count);
}

size_t swp_ptx_until(const swp_ptx_reader *r, char end)
{
    size_t length = 0;
    while (length < r->rest.length && r->rest.start[length] != end)
        length++;
    return length;
}

void swp_ptx_skip_blanks(swp_ptx_reader *r)
{
    while (r->rest.length) {
        const char c = r->rest.start[0];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            swp_ptx_skip(r, 1);
        } else if (c == '#') {
            swp_ptx_skip(r, swp_ptx_until(r, '\n'));
        } else {
            return;
        }
    }
}

swp_slice swp_ptx_take_name(swp_ptx_reader *r)
{
    size_t length = 0;
    swp_ptx_skip_blanks(r);
    while (length < r->rest.length && swp_ptx_is_name(r->rest.start[length]))
        length++;
    const swp_slice name = {r->rest.start, length};
    swp_ptx_skip(r, length);
    return name;
}

swp_slice swp_ptx_take_line(swp_ptx_reader *r)
{
    swp_slice line = {r->rest.start, swp_ptx_until(r, '\n')};
    const char *brace = line.length ? memchr(line.start, '{', line.length) : NULL;
    if (brace)
        line.length = (size_t)(brace - line.start);
    swp_ptx_skip(r, line.length);
    return swp_code_slice_trim(line);
}

swp_status swp_ptx_take_statement(swp_ptx_reader *r, swp_slice *out)
{
    int depth = 0;
    size_t length = 0;
    for (; length < r->rest.length; length++) {
        const char c = r->rest.start[length];
        depth += (c == '{') - (c == '}');
        if ((c == ';' && depth == 0) || depth < 0)
            break;
    }
    if (length == r->rest.length || depth < 0)
        return swp_ptx_cut_short(r, "a statement has no semicolon at its end");
    *out = swp_code_slice_trim((swp_slice){r->rest.start, length});
    swp_ptx_skip(r, length + 1);
    return SWP_OK;
}
