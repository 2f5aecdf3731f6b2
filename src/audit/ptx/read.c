/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of PTX: directives, kernels, and the statements of their bodies. */
#include "audit/ptx/reader.h"

#include "audit/code/insn.h"
#include "base/diag.h"
#include "base/names.h"

#include <string.h>

/* Of targets; and of PTX versions, without what stands behind the point. */
enum { OLDEST = 80, OLDEST_VERSION = 7, NEWEST_VERSION = 9 };

bool swp_ptx_recognises(swp_slice text)
{
    return swp_code_slice_contains(text, ".version") &&
           swp_code_slice_contains(text, ".target sm_") &&
           swp_code_slice_contains(text, ".address_size");
}

/* A later version may give an instruction another meaning. */
static swp_status check_version(swp_ptx_reader *r, swp_slice line)
{
    int64_t number = 0;
    swp_slice rest = line;
    r->version_line = r->line;
    if (swp_code_slice_number(swp_code_slice_take_until(&rest, '.'), &number) &&
        number >= OLDEST_VERSION && number <= NEWEST_VERSION)
        return SWP_OK;
    return swp_error(r->ctx, SWP_E0812, (swp_place){r->file, r->line, 1},
                     "let the compiler write one of these, or take a newer swp",
                     "this is PTX of version %.*s; the audit knows versions %d.0 to %d.9",
                     SWP_SLICE_FORMAT(line), OLDEST_VERSION, NEWEST_VERSION);
}

static swp_status set_target(swp_ptx_reader *r, swp_slice line)
{
    int64_t number = 0;
    size_t digits = 0;
    swp_slice version = swp_code_slice_after(line, swp_code_slice_starts(line, "sm_") ? 3 : 0);
    while (digits < version.length && version.start[digits] >= '0' && version.start[digits] <= '9')
        digits++;
    const bool known =
        swp_code_slice_number((swp_slice){version.start, digits}, &number) && number >= OLDEST;
    const size_t named = 3 + digits + (digits < version.length && version.start[digits] == 'a');
    if (!known)
        return swp_error(r->ctx, SWP_E0812, (swp_place){r->file, r->line, 1},
                         "compile for sm_80 or later, which copy to shared memory asynchronously",
                         "this is PTX for %.*s; the audit knows sm_80 and later",
                         SWP_SLICE_FORMAT(line));
    const swp_slice name = {line.start, named};
    if (r->has_target && !swp_code_slice_is(name, r->module->target))
        return swp_error(r->ctx, SWP_E0812, (swp_place){r->file, r->line, 1},
                         "audit the code of one target at a time",
                         "this file is for %s, and here for %.*s", r->module->target,
                         SWP_SLICE_FORMAT(name));
    r->has_target = true;
    return swp_code_copy_printable(r->ctx, name, &r->module->target);
}

/* One to three numbers: what is not named stays as it is; false: these are none. */
static bool read_sizes(swp_slice line, int *sizes)
{
    int64_t number = 0;
    for (int i = 0; i < 3 && line.length; i++) {
        swp_slice piece = swp_code_slice_take_until(&line, ',');
        if (!swp_code_slice_number(swp_code_slice_take_word(&piece), &number) || number < 1 ||
            number > SWP_PTX_MOST_THREADS)
            return false;
        sizes[i] = (int)number;
        if (piece.length)
            break;
    }
    return true;
}

static void set_cluster(swp_ptx_reader *r, swp_slice line)
{
    int sizes[3] = {1, 1, 1};
    if (read_sizes(line, sizes))
        memcpy(swp_ptx_open_kernel(r)->cluster, sizes, sizeof sizes);
}

static void set_threads(swp_ptx_reader *r, swp_slice line, bool exact)
{
    swp_ptx_kernel *kernel = swp_ptx_open_kernel(r);
    if (!read_sizes(line, kernel->threads))
        return;
    kernel->sized = true;
    kernel->exact |= exact;
    kernel->is_at_most = !kernel->exact;
}

/* --- functions --- */

static swp_status add_params(swp_ptx_reader *r, swp_slice list)
{
    swp_ptx_kernel *kernel = swp_ptx_open_kernel(r);
    int number = 0;
    while (list.length) {
        swp_slice param = swp_code_slice_take_until(&list, ',');
        size_t end = 0;
        while (end < param.length && param.start[end] != '[')
            end++;
        swp_slice name = swp_code_slice_trim((swp_slice){param.start, end});
        for (size_t i = name.length; i > 0; i--)
            if (name.start[i - 1] == ' ' || name.start[i - 1] == '\t') {
                name = swp_code_slice_after(name, i);
                break;
            }
        if (!name.length)
            continue;
        SWP_TRY(SWP_PUSH(r->ctx, &kernel->param_names, name));
        SWP_TRY(
            swp_ptx_declare(r, SWP_PTX_PARAMS, r->function_scope, name, kernel->params++, &number));
    }
    return SWP_OK;
}

/* The directives between the parameters and the body. */
static swp_status read_attributes(swp_ptx_reader *r, bool *has_body)
{
    *has_body = false;
    for (;;) {
        swp_ptx_skip_blanks(r);
        if (!r->rest.length)
            return swp_ptx_cut_short(r, "a function has no body");
        if (r->rest.start[0] == '{' || r->rest.start[0] == ';') {
            *has_body = r->rest.start[0] == '{';
            swp_ptx_skip(r, 1);
            return SWP_OK;
        }
        const swp_slice word = swp_ptx_take_name(r);
        if (!word.length)
            return swp_ptx_cut_short(r, "a function has no body");
        if (swp_code_slice_is(word, ".maxntid") || swp_code_slice_is(word, ".reqntid"))
            set_threads(r, swp_ptx_take_line(r), swp_code_slice_is(word, ".reqntid"));
        else if (swp_code_slice_is(word, ".reqnctapercluster"))
            set_cluster(r, swp_ptx_take_line(r));
        else if (swp_code_slice_is(word, ".explicitcluster"))
            swp_ptx_open_kernel(r)->is_explicit = true;
        else if (swp_code_slice_starts(word, "."))
            (void)swp_ptx_take_line(r);
    }
}

static swp_status begin_kernel(swp_ptx_reader *r)
{
    const swp_slice name = swp_ptx_take_name(r);
    const swp_ptx_kernel kernel = {.name = name,
                                   .line = r->line,
                                   .first = (int)r->module->insns.count,
                                   .threads = {SWP_PTX_MOST_THREADS, 1, 1}};
    bool has_body = false;
    SWP_TRY(SWP_PUSH(r->ctx, &r->module->kernels, kernel));
    SWP_TRY(swp_ptx_open_scope(r));
    r->function_scope = r->scope;
    r->source = r->caller = (swp_ptx_line){0};
    swp_ptx_skip_blanks(r);
    if (r->rest.length && r->rest.start[0] == '(') {
        swp_ptx_skip(r, 1);
        const swp_slice params = {r->rest.start, swp_ptx_until(r, ')')};
        if (params.length == r->rest.length)
            return swp_ptx_cut_short(r, "the list of parameters does not end");
        swp_ptx_skip(r, params.length + 1);
        SWP_TRY(add_params(r, params));
    }
    SWP_TRY(read_attributes(r, &has_body));
    r->in_kernel = has_body;
    if (!has_body)
        r->scope = r->function_scope = 0;
    return SWP_OK;
}

/* Other functions are read over: what calls them is not followed. */
static swp_status begin_function(swp_ptx_reader *r)
{
    while (r->rest.length && r->rest.start[0] != '{' && r->rest.start[0] != ';')
        swp_ptx_skip(r, 1);
    if (!r->rest.length)
        return swp_ptx_cut_short(r, "a function has no body");
    const bool has_body = r->rest.start[0] == '{';
    swp_ptx_skip(r, 1);
    if (!has_body)
        return SWP_OK;
    SWP_TRY(swp_ptx_open_scope(r));
    r->function_scope = r->scope;
    return SWP_OK;
}

static swp_status close_scope(swp_ptx_reader *r)
{
    if (r->scope == 0)
        return swp_ptx_cut_short(r, "a brace closes what none opened");
    if (r->scope == r->function_scope) {
        if (r->in_kernel) {
            swp_ptx_kernel *kernel = swp_ptx_open_kernel(r);
            kernel->end = (int)r->module->insns.count;
            SWP_TRY(swp_ptx_resolve_branches(r, kernel));
        }
        r->in_kernel = false;
        r->function_scope = 0;
    }
    r->scope = r->scopes.items[r->scope];
    return SWP_OK;
}

static swp_status read_declaration(swp_ptx_reader *r, swp_slice word)
{
    swp_slice text = {0};
    SWP_TRY(swp_ptx_take_statement(r, &text));
    if (swp_code_slice_is(word, ".reg"))
        return swp_ptx_add_registers(r, text);
    const bool shared = swp_code_slice_is(word, ".shared");
    if (shared || swp_code_slice_is(word, ".global") || swp_code_slice_is(word, ".const") ||
        swp_code_slice_is(word, ".local"))
        return swp_ptx_add_variable(r, text, shared);
    return SWP_OK;
}

static swp_status skip_section(swp_ptx_reader *r)
{
    const size_t length = swp_ptx_until(r, '}');
    if (length == r->rest.length)
        return swp_ptx_cut_short(r, "a section does not end");
    swp_ptx_skip(r, length + 1);
    return SWP_OK;
}

/* What stands behind commas are options. */
static swp_slice take_target(swp_ptx_reader *r)
{
    const swp_slice target = swp_ptx_take_name(r);
    for (swp_ptx_skip_blanks(r); r->rest.length && r->rest.start[0] == ',';
         swp_ptx_skip_blanks(r)) {
        swp_ptx_skip(r, 1);
        (void)swp_ptx_take_name(r);
    }
    return target;
}

static swp_status read_directive(swp_ptx_reader *r)
{
    const swp_slice word = swp_ptx_take_name(r);
    if (swp_code_slice_is(word, ".version"))
        return check_version(r, swp_ptx_take_name(r));
    if (swp_code_slice_is(word, ".target"))
        return set_target(r, take_target(r));
    if (swp_code_slice_is(word, ".entry"))
        return begin_kernel(r);
    if (swp_code_slice_is(word, ".func"))
        return begin_function(r);
    if (swp_code_slice_is(word, ".section"))
        return skip_section(r);
    if (swp_code_slice_is(word, ".visible") || swp_code_slice_is(word, ".weak") ||
        swp_code_slice_is(word, ".extern") || swp_code_slice_is(word, ".common"))
        return SWP_OK;
    if (swp_code_slice_is(word, ".file"))
        return swp_ptx_read_file_line(r);
    if (swp_code_slice_is(word, ".loc"))
        return swp_ptx_read_loc(r);
    if (swp_code_slice_is(word, ".address_size")) {
        (void)swp_ptx_take_line(r);
        return SWP_OK;
    }
    return read_declaration(r, word);
}

/* The length of a label, with its colon; 0: none stands here. */
static size_t label_here(const swp_ptx_reader *r)
{
    size_t length = 0;
    while (length < r->rest.length && swp_ptx_is_name(r->rest.start[length]) &&
           r->rest.start[length] != ':')
        length++;
    const bool ends = length > 0 && length < r->rest.length && r->rest.start[length] == ':';
    return ends && !swp_code_slice_starts(swp_code_slice_after(r->rest, length), "::") ? length + 1
                                                                                       : 0;
}

static swp_status read_next(swp_ptx_reader *r)
{
    const char c = r->rest.start[0];
    const size_t label = label_here(r);
    if (label) {
        const swp_slice name = {r->rest.start, label - 1};
        swp_ptx_skip(r, label);
        return swp_ptx_add_label(r, name);
    }
    if (c == '{' || c == '}' || c == ';')
        swp_ptx_skip(r, 1);
    if (c == '{')
        return swp_ptx_open_scope(r);
    if (c == '}')
        return close_scope(r);
    if (c == ';')
        return SWP_OK;
    if (c != '.' && !r->function_scope)
        return swp_error(r->ctx, SWP_E0813, (swp_place){r->file, r->line, 1},
                         "let the compiler write the file, or compile it to PTX",
                         "this is no directive of PTX, and stands in no function");
    return c == '.' ? read_directive(r) : swp_ptx_read_insn(r);
}

swp_status swp_ptx_read(swp_context *ctx, swp_slice text, const char *file, swp_ptx_module *out)
{
    swp_ptx_reader r = {.ctx = ctx, .file = file, .line = 1, .version_line = 1, .module = out};
    swp_ptx_scopes *scopes = &r.scopes;
    *out = (swp_ptx_module){.target = "sm_80"};
    SWP_TRY(SWP_PUSH(ctx, scopes, -1));
    SWP_TRY(swp_ptx_blank_comments(ctx, text, &r.rest));
    r.blanked = r.rest.start;
    r.original_end = text.start + text.length;
    r.original = r.original_end - r.rest.length;
    for (swp_ptx_skip_blanks(&r); r.rest.length; swp_ptx_skip_blanks(&r))
        SWP_TRY(read_next(&r));
    if (r.scope != 0)
        return swp_ptx_cut_short(&r, "a function does not end: a brace is missing");
    swp_ptx_place_variables(&r);
    if (!r.has_target)
        return swp_error(ctx, SWP_E0812, (swp_place){file, r.version_line, 1},
                         "give the whole file", "no .target of PTX stands in this file");
    if (!out->insns.count)
        return swp_error(ctx, SWP_E0814, (swp_place){file, 0, 0}, "give PTX with an .entry",
                         "no kernel of this file has a body");
    return SWP_OK;
}
