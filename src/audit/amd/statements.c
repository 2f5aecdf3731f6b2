/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer of AMD's assembly: comments, labels, directives and metadata, as LLVM's assembler tells
 * them apart.
 */
#include "audit/amd/amd.h"

#include <string.h>

/* What is left of the text, and whether a comment or metadata is open. */
typedef struct statement_reader {
    swp_context *ctx;
    swp_slice rest;
    int line;
    bool in_comment;
    bool in_metadata;
    swp_statement_list *out;
} statement_reader;

/* Like LLVM's lexer, which ends a line, and a comment with it, at a line feed and at a carriage return. */
static swp_slice take_line(swp_slice *rest)
{
    size_t length = 0;
    while (length < rest->length && rest->start[length] != '\n' && rest->start[length] != '\r')
        length++;
    const swp_slice line = {rest->start, length};
    const swp_slice end = swp_code_slice_after(*rest, length);
    *rest = swp_code_slice_after(end, swp_code_slice_starts(end, "\r\n") ? 2 : end.length > 0);
    return line;
}

/* Where a comment begins: `;` or `//` or a block, outside strings; `open` says that a string has no end. */
static size_t comment_start(swp_slice line, bool *open)
{
    *open = false;
    for (size_t i = 0; i < line.length; i++) {
        const swp_slice here = swp_code_slice_after(line, i);
        if (*open && here.start[0] == '\\')
            i++;
        else if (here.start[0] == '"')
            *open = !*open;
        else if (!*open && (here.start[0] == ';' || swp_code_slice_starts(here, "//") ||
                            swp_code_slice_starts(here, "/*")))
            return i;
    }
    return line.length;
}

/*
 * What the assembler may read as something else than this reader does: a string goes on in the next
 * lines, a character in quotes may be one that begins a string or a comment, and a line that begins
 * with # may be a directive of the C preprocessor.
 */
static bool is_obscure(swp_slice code, bool open)
{
    bool in_string = false;
    for (size_t i = 0; i < code.length; i++) {
        if (in_string && code.start[i] == '\\')
            i++;
        else if (code.start[i] == '"')
            in_string = !in_string;
        else if (!in_string && code.start[i] == '\'')
            return true;
    }
    return open || swp_code_slice_starts(swp_code_slice_trim(code), "#");
}

static swp_status add(statement_reader *r, swp_statement_kind kind, swp_slice name, swp_slice rest,
                      swp_slice text)
{
    const swp_statement statement = {kind, r->line, name, rest, text};
    return SWP_PUSH(r->ctx, r->out, statement);
}

static bool is_in_names(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$' || c == '@' || c == '?';
}

/* A name, bare or in quotes, whose colon may be glued to it and to what follows. */
static bool take_label(swp_slice *rest, swp_slice *label)
{
    size_t length = 0;
    if (rest->start[0] == '"') {
        length = 1;
        while (length < rest->length && rest->start[length] != '"')
            length++;
        length += length < rest->length;
    }
    while (length < rest->length && is_in_names(rest->start[length]))
        length++;
    const swp_slice after = swp_code_slice_trim(swp_code_slice_after(*rest, length));
    if (length == 0 || !swp_code_slice_starts(after, ":"))
        return false;
    *label = (swp_slice){rest->start, length};
    *rest = swp_code_slice_trim(swp_code_slice_after(after, 1));
    return true;
}

static swp_status add_code(statement_reader *r, swp_slice text)
{
    swp_slice rest = swp_code_slice_trim(text);
    swp_slice label;
    while (rest.length && take_label(&rest, &label))
        SWP_TRY(add(r, SWP_STATEMENT_LABEL, label, (swp_slice){label.start, 0}, label));
    if (!rest.length)
        return SWP_OK;
    const swp_slice whole = rest;
    const swp_slice name = swp_code_slice_take_word(&rest);
    const bool directive = name.start[0] == '.';
    r->in_metadata = swp_code_slice_is(name, ".amdgpu_metadata");
    return add(r, directive ? SWP_STATEMENT_DIRECTIVE : SWP_STATEMENT_INSTRUCTION, name, rest,
               whole);
}

static swp_status add_metadata(statement_reader *r, swp_slice line)
{
    if (swp_code_slice_starts(swp_code_slice_trim(line), ".end_amdgpu_metadata")) {
        r->in_metadata = false;
        return add_code(r, line);
    }
    return add(r, SWP_STATEMENT_METADATA, (swp_slice){line.start, 0}, line, line);
}

/* A line may hold several block comments, and end in one that goes on. */
static swp_status add_line(statement_reader *r, swp_slice line)
{
    while (true) {
        if (r->in_comment) {
            while (line.length && !swp_code_slice_starts(line, "*/"))
                line = swp_code_slice_after(line, 1);
            if (!line.length)
                return SWP_OK;
            line = swp_code_slice_after(line, 2);
            r->in_comment = false;
        }
        bool open = false;
        const size_t length = comment_start(line, &open);
        const swp_slice code = {line.start, length};
        SWP_TRY(is_obscure(code, open) ? add(r, SWP_STATEMENT_OBSCURE, (swp_slice){code.start, 0},
                                             code, swp_code_slice_trim(code))
                                       : add_code(r, code));
        line = swp_code_slice_after(line, length);
        if (!swp_code_slice_starts(line, "/*"))
            return SWP_OK;
        line = swp_code_slice_after(line, 2);
        r->in_comment = true;
    }
}

swp_status swp_amd_statements(swp_context *ctx, swp_slice text, swp_statement_list *out)
{
    statement_reader r = {.ctx = ctx, .rest = text, .line = 1, .out = out};
    while (r.rest.length) {
        const swp_slice line = take_line(&r.rest);
        SWP_TRY(r.in_metadata ? add_metadata(&r, line) : add_line(&r, line));
        /* The assembler counts line feeds, as editors do. */
        r.line += r.rest.start[-1] == '\n';
    }
    return SWP_OK;
}
