/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of PTX: statements, scopes with names of their own, kernels, and what branches go to. */
#include "audit/ptx/ptx.h"

#include "audit/code/insn.h"
#include "base/diag.h"
#include "base/key_index.h"
#include "base/names.h"

#include <string.h>

enum {
    OLDEST = 80,
    MOST_SCOPES = 64,    /* one in another */
    MOST_NAME = 1 << 12, /* characters */
    DYNAMIC_ALIGNMENT = 1 << 10,
    MOST_SHARED = 1 << 20,
    DYNAMIC = 1 << 30 /* the address of what has no size, until all that has one is known */
};

/* A name's place in one of the tables; kinds of names do not meet. */
typedef enum space { REGISTERS = 'r', LABELS = 'l', VARIABLES = 'v', PARAMS = 'p' } space;

typedef struct scope_list {
    int *items; /* the scope around each */
    size_t count;
    size_t capacity;
} scope_list;

typedef struct number_list {
    int64_t *items;
    size_t count;
    size_t capacity;
} number_list;

typedef struct reader {
    swp_context *ctx;
    const char *file;
    swp_slice rest;
    int line;
    swp_ptx_module *module;
    swp_key_index names;
    scope_list scopes; /* 0 is the module's */
    int scope;
    int function_scope; /* 0: outside functions */
    bool in_kernel;
    number_list variables; /* addresses in shared memory; -1: of another space */
    number_list labels;    /* instructions */
    int64_t shared;        /* the next free address of it */
} reader;

bool swp_ptx_recognises(swp_slice text)
{
    return swp_code_slice_contains(text, ".version") &&
           swp_code_slice_contains(text, ".target sm_") &&
           swp_code_slice_contains(text, ".address_size");
}

static swp_status cut_short(const reader *r, const char *what)
{
    return swp_error(r->ctx, SWP_E0813, (swp_place){r->file, r->line, 1}, "is the file cut short?",
                     "%s", what);
}

/* --- characters --- */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%' || c == '.' || c == ':';
}

static void skip(reader *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        r->line += r->rest.start[i] == '\n';
    r->rest = swp_code_slice_after(r->rest, count);
}

static size_t until(const reader *r, char end)
{
    size_t length = 0;
    while (length < r->rest.length && r->rest.start[length] != end)
        length++;
    return length;
}

static void skip_blanks(reader *r)
{
    while (r->rest.length) {
        const char c = r->rest.start[0];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            skip(r, 1);
        } else if (swp_code_slice_starts(r->rest, "//") || c == '#') {
            skip(r, until(r, '\n'));
        } else if (swp_code_slice_starts(r->rest, "/*")) {
            skip(r, 2);
            while (r->rest.length && !swp_code_slice_starts(r->rest, "*/"))
                skip(r, 1);
            skip(r, r->rest.length ? 2 : 0);
        } else {
            return;
        }
    }
}

static swp_slice take_name(reader *r)
{
    size_t length = 0;
    skip_blanks(r);
    while (length < r->rest.length && is_name(r->rest.start[length]))
        length++;
    const swp_slice name = {r->rest.start, length};
    skip(r, length);
    return name;
}

static swp_slice take_line(reader *r)
{
    swp_slice line = {r->rest.start, until(r, '\n')};
    const char *brace = line.length ? memchr(line.start, '{', line.length) : NULL;
    if (brace)
        line.length = (size_t)(brace - line.start);
    skip(r, line.length);
    return swp_code_slice_trim(line);
}

/* Up to a semicolon that stands in no braces. */
static swp_status take_statement(reader *r, swp_slice *out)
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
        return cut_short(r, "a statement has no semicolon at its end");
    *out = swp_code_slice_trim((swp_slice){r->rest.start, length});
    return SWP_OK;
}

/* --- names --- */

static swp_status key_of(const reader *r, space kind, int scope, swp_slice name, char *key,
                         size_t *length)
{
    if (name.length > MOST_NAME)
        return cut_short(r, "a name is longer than 4096 characters");
    key[0] = (char)kind;
    memcpy(key + 1, &scope, sizeof scope);
    memcpy(key + 1 + sizeof scope, name.start, name.length);
    /* Nothing that a key ends in is a zero. */
    key[1 + sizeof scope + name.length] = ';';
    *length = sizeof scope + name.length + 2;
    return SWP_OK;
}

static swp_status declare(reader *r, space kind, int scope, swp_slice name, int number, int *found)
{
    char key[MOST_NAME + 16];
    size_t length = 0;
    SWP_TRY(key_of(r, kind, scope, name, key, &length));
    return swp_key_index_number(r->ctx, &r->names, key, length, number, found);
}

/* In a scope, or in one around it; -1: nowhere. */
static swp_status look_up(const reader *r, space kind, int scope, swp_slice name, int *found)
{
    char key[MOST_NAME + 16];
    size_t length = 0;
    for (; scope >= 0; scope = r->scopes.items[scope]) {
        SWP_TRY(key_of(r, kind, scope, name, key, &length));
        *found = swp_key_index_find(&r->names, key, length);
        if (*found >= 0)
            return SWP_OK;
    }
    return SWP_OK;
}

static swp_ptx_kernel *open_kernel(const reader *r)
{
    return &r->module->kernels.items[r->module->kernels.count - 1];
}

static swp_status declare_register(reader *r, int scope, swp_slice name, int *number)
{
    swp_ptx_kernel *kernel = open_kernel(r);
    SWP_TRY(declare(r, REGISTERS, scope, name, kernel->registers, number));
    if (*number == kernel->registers)
        kernel->registers++;
    return SWP_OK;
}

static swp_status open_scope(reader *r)
{
    scope_list *scopes = &r->scopes;
    int depth = 0;
    for (int s = r->scope; s > 0; s = r->scopes.items[s])
        depth++;
    if (depth >= MOST_SCOPES)
        return cut_short(r, "braces stand in more than 64 others");
    SWP_TRY(SWP_PUSH(r->ctx, scopes, r->scope));
    r->scope = (int)r->scopes.count - 1;
    return SWP_OK;
}

/* --- operands --- */

static const char *const specials[SWP_PTX_SPECIALS] = {
    "%tid.x",   "%tid.y",   "%tid.z",    "%ntid.x",   "%ntid.y",   "%ntid.z", "%ctaid.x",
    "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid"};

static swp_status name_operand(reader *r, swp_slice name, swp_ptx_operand *out)
{
    int found = -1;
    for (int i = 0; i < SWP_PTX_SPECIALS; i++)
        if (swp_code_slice_is(name, specials[i])) {
            *out = (swp_ptx_operand){.atom = SWP_PTX_SPECIAL, .reg = i};
            return SWP_OK;
        }
    *out = (swp_ptx_operand){.atom = SWP_PTX_REGISTER};
    SWP_TRY(look_up(r, REGISTERS, r->scope, name, &out->reg));
    if (out->reg >= 0)
        return SWP_OK;
    SWP_TRY(look_up(r, VARIABLES, r->scope, name, &found));
    if (found >= 0) {
        const int64_t at = r->variables.items[found];
        *out = (swp_ptx_operand){.atom = at < 0 ? SWP_PTX_SINK : SWP_PTX_VARIABLE, .value = at};
        return SWP_OK;
    }
    SWP_TRY(look_up(r, PARAMS, r->scope, name, &found));
    if (found >= 0) {
        *out = (swp_ptx_operand){.atom = SWP_PTX_PARAM, .reg = found};
        return SWP_OK;
    }
    const bool dotted = memchr(name.start, '.', name.length) != NULL;
    if (name.start[0] == '%' && !dotted)
        return declare_register(r, r->function_scope, name, &out->reg);
    *out = (swp_ptx_operand){.atom = SWP_PTX_SINK};
    return SWP_OK;
}

static bool read_number(swp_slice text, int64_t *out)
{
    while (text.length && (text.start[text.length - 1] == 'U'))
        text.length--;
    return swp_code_slice_number(text, out);
}

/* A number, a float, or a name. */
static swp_status read_atom(reader *r, swp_slice word, swp_ptx_operand *out)
{
    *out = (swp_ptx_operand){.atom = SWP_PTX_NUMBER};
    if (read_number(word, &out->value))
        return SWP_OK;
    out->atom = SWP_PTX_SINK;
    if (word.start[0] >= '0' && word.start[0] <= '9')
        return SWP_OK;
    return swp_code_slice_is(word, "_") ? SWP_OK : name_operand(r, word, out);
}

typedef struct operand_place {
    int group;
    int braces;
    bool address;
    bool negative;
    bool inverted;
    bool adds; /* the next number is added to the last operand */
} operand_place;

static swp_status add_atom(reader *r, swp_slice word, operand_place *at)
{
    swp_ptx_operand atom;
    swp_ptx_operands *list = &r->module->operands;
    SWP_TRY(read_atom(r, word, &atom));
    if (at->negative)
        atom.value = (int64_t)(0 - (uint64_t)atom.value);
    if (at->adds && list->count) {
        swp_ptx_operand *last = &list->items[list->count - 1];
        last->value = (int64_t)((uint64_t)last->value + (uint64_t)atom.value);
    } else {
        atom.group = at->group;
        atom.address = at->address;
        atom.negated = at->inverted;
        SWP_TRY(SWP_PUSH(r->ctx, list, atom));
    }
    at->negative = at->inverted = at->adds = false;
    return SWP_OK;
}

static void take_mark(char c, operand_place *at)
{
    at->braces += (c == '{') - (c == '}');
    at->address = c == '[' || (at->address && c != ']');
    at->negative |= c == '-';
    at->inverted |= c == '!';
    at->adds |= c == '+';
    /* In brackets or braces a comma separates parts of one operand. */
    if (c == ',' && at->braces == 0 && !at->address)
        at->group++;
}

static swp_status read_operands(reader *r, swp_slice text)
{
    operand_place at = {0};
    size_t i = 0;
    while (i < text.length) {
        size_t length = 0;
        while (i + length < text.length && is_name(text.start[i + length]))
            length++;
        if (length)
            SWP_TRY(add_atom(r, (swp_slice){text.start + i, length}, &at));
        else
            take_mark(text.start[i], &at);
        i += length ? length : 1;
    }
    return SWP_OK;
}

/* --- instructions --- */

static swp_status read_guard(reader *r, swp_slice *text, swp_ptx_insn *insn)
{
    swp_ptx_operand guard;
    insn->guard = -1;
    if (!swp_code_slice_starts(*text, "@"))
        return SWP_OK;
    *text = swp_code_slice_after(*text, 1);
    swp_slice word = swp_code_slice_take_word(text);
    insn->guard_negated = swp_code_slice_starts(word, "!");
    word = swp_code_slice_after(word, insn->guard_negated);
    if (!word.length)
        return cut_short(r, "a guard names no predicate");
    SWP_TRY(name_operand(r, word, &guard));
    if (guard.atom != SWP_PTX_REGISTER)
        return cut_short(r, "a guard names no predicate");
    insn->guard = guard.reg;
    return SWP_OK;
}

static swp_status add_insn(reader *r, swp_slice text, int line)
{
    swp_ptx_module *module = r->module;
    swp_ptx_insn insn = {.text = text, .line = line, .target = -1, .scope = r->scope};
    swp_slice rest = text;
    SWP_TRY(read_guard(r, &rest, &insn));
    insn.name = swp_code_slice_take_word(&rest);
    swp_ptx_classify(&insn);
    insn.first = (int)module->operands.count;
    if (insn.kind != SWP_PTX_BRANCH && insn.kind != SWP_PTX_UNSUPPORTED)
        SWP_TRY(read_operands(r, rest));
    insn.end = (int)module->operands.count;
    if (insn.kind == SWP_PTX_BRANCH)
        insn.name = rest;
    return SWP_PUSH(r->ctx, &module->insns, insn);
}

static swp_status read_insn(reader *r)
{
    swp_slice text = {0};
    const int line = r->line;
    SWP_TRY(take_statement(r, &text));
    skip(r, (size_t)(text.start - r->rest.start) + text.length);
    skip(r, until(r, ';') + 1);
    return r->in_kernel && text.length ? add_insn(r, text, line) : SWP_OK;
}

static swp_status add_label(reader *r, swp_slice name)
{
    int number = 0;
    number_list *labels = &r->labels;
    if (!r->in_kernel)
        return SWP_OK;
    SWP_TRY(declare(r, LABELS, r->scope, name, (int)labels->count, &number));
    if (number != (int)labels->count)
        return swp_error(r->ctx, SWP_E0813, (swp_place){r->file, r->line, 1},
                         "give every label a name of its own", "the label %.*s stands twice",
                         SWP_SLICE_FORMAT(name));
    return SWP_PUSH(r->ctx, labels, (int64_t)r->module->insns.count);
}

static swp_status resolve_branches(reader *r, const swp_ptx_kernel *kernel)
{
    for (int i = kernel->first; i < kernel->end; i++) {
        swp_ptx_insn *insn = &r->module->insns.items[i];
        int label = -1;
        if (insn->kind != SWP_PTX_BRANCH)
            continue;
        if (insn->name.length)
            SWP_TRY(look_up(r, LABELS, insn->scope, insn->name, &label));
        if (label < 0)
            return swp_error(r->ctx, SWP_E0813, (swp_place){r->file, insn->line, 1},
                             "is the file cut short?", "there is no label %.*s to branch to",
                             SWP_SLICE_FORMAT(insn->name));
        insn->target = (int)r->labels.items[label];
    }
    return SWP_OK;
}

/* --- declarations --- */

/* What stands in front of `name[bytes]`; 0: none. */
static int64_t number_behind(swp_slice text, const char *word)
{
    int64_t number = 0;
    while (text.length) {
        const swp_slice next = swp_code_slice_take_word(&text);
        if (swp_code_slice_is(next, word)) {
            const swp_slice value = swp_code_slice_take_word(&text);
            return swp_code_slice_number(value, &number) ? number : 0;
        }
    }
    return 0;
}

static int64_t element_bytes(swp_slice text)
{
    int64_t bits = 8;
    while (text.length) {
        const swp_slice word = swp_code_slice_take_word(&text);
        if (word.length > 2 && word.start[0] == '.' && word.start[1] != 'a' &&
            swp_code_slice_number(swp_code_slice_after(word, 2), &bits) && bits >= 8 && bits <= 128)
            break;
    }
    return bits / 8;
}

/* `.shared .align 8 .b8 name[64]` */
static swp_status add_variable(reader *r, swp_slice text, bool shared)
{
    int number = 0;
    int64_t count = 1;
    number_list *variables = &r->variables;
    size_t end = 0;
    while (end < text.length && text.start[end] != '=')
        end++;
    text = swp_code_slice_trim((swp_slice){text.start, end});
    size_t name_end = 0;
    while (name_end < text.length && text.start[name_end] != '[')
        name_end++;
    swp_slice name = swp_code_slice_trim((swp_slice){text.start, name_end});
    const swp_slice front = name;
    while (name.length && memchr(name.start, ' ', name.length))
        (void)swp_code_slice_take_word(&name);
    if (name_end < text.length) {
        swp_slice size = swp_code_slice_after(text, name_end + 1);
        size = swp_code_slice_take_until(&size, ']');
        if (!swp_code_slice_number(size, &count) || count < 0 || count > MOST_SHARED)
            count = 0;
    }
    int64_t alignment = number_behind(front, ".align");
    if (alignment < 16 || alignment > MOST_SHARED)
        alignment = 16;
    SWP_TRY(declare(r, VARIABLES, r->scope, name, (int)variables->count, &number));
    if (number != (int)variables->count)
        return SWP_OK;
    if (!shared)
        return SWP_PUSH(r->ctx, variables, -1);
    if (count == 0)
        return SWP_PUSH(r->ctx, variables, DYNAMIC);
    r->shared = (r->shared + alignment - 1) / alignment * alignment;
    SWP_TRY(SWP_PUSH(r->ctx, variables, r->shared));
    r->shared += count * element_bytes(front);
    return SWP_OK;
}

/* `.reg .pred p, q` or `.reg .b32 %r<12>`; what has no name of its own is known by its first use. */
static swp_status add_registers(reader *r, swp_slice text)
{
    int number = 0;
    (void)swp_code_slice_take_word(&text);
    while (r->in_kernel && text.length) {
        const swp_slice name = swp_code_slice_take_until(&text, ',');
        if (name.length && !memchr(name.start, '<', name.length) &&
            !memchr(name.start, ' ', name.length))
            SWP_TRY(declare_register(r, r->scope, name, &number));
    }
    return SWP_OK;
}

static swp_status set_target(reader *r, swp_slice line)
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
    return swp_code_copy_printable(r->ctx, (swp_slice){line.start, named}, &r->module->target);
}

static void set_threads(reader *r, swp_slice line)
{
    swp_ptx_kernel *kernel = open_kernel(r);
    int64_t number = 0;
    for (int i = 0; i < 3 && line.length; i++)
        if (swp_code_slice_number(swp_code_slice_take_until(&line, ','), &number) && number > 0 &&
            number <= SWP_PTX_MOST_THREADS)
            kernel->threads[i] = (int)number;
    kernel->sized = true;
}

/* --- functions --- */

static swp_status add_params(reader *r, swp_slice list)
{
    swp_ptx_kernel *kernel = open_kernel(r);
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
        if (name.length)
            SWP_TRY(declare(r, PARAMS, r->function_scope, name, kernel->params++, &number));
    }
    return SWP_OK;
}

/* The directives between the parameters and the body. */
static swp_status read_attributes(reader *r, bool *has_body)
{
    *has_body = false;
    for (;;) {
        skip_blanks(r);
        if (!r->rest.length)
            return cut_short(r, "a function has no body");
        if (r->rest.start[0] == '{' || r->rest.start[0] == ';') {
            *has_body = r->rest.start[0] == '{';
            skip(r, 1);
            return SWP_OK;
        }
        const swp_slice word = take_name(r);
        if (!word.length)
            return cut_short(r, "a function has no body");
        if (swp_code_slice_is(word, ".maxntid") || swp_code_slice_is(word, ".reqntid"))
            set_threads(r, take_line(r));
        else if (swp_code_slice_starts(word, "."))
            (void)take_line(r);
    }
}

static swp_status begin_kernel(reader *r)
{
    const swp_slice name = take_name(r);
    const swp_ptx_kernel kernel = {.name = name,
                                   .line = r->line,
                                   .first = (int)r->module->insns.count,
                                   .threads = {SWP_PTX_MOST_THREADS, 1, 1}};
    bool has_body = false;
    SWP_TRY(SWP_PUSH(r->ctx, &r->module->kernels, kernel));
    SWP_TRY(open_scope(r));
    r->function_scope = r->scope;
    skip_blanks(r);
    if (r->rest.length && r->rest.start[0] == '(') {
        skip(r, 1);
        const swp_slice params = {r->rest.start, until(r, ')')};
        if (params.length == r->rest.length)
            return cut_short(r, "the list of parameters does not end");
        skip(r, params.length + 1);
        SWP_TRY(add_params(r, params));
    }
    SWP_TRY(read_attributes(r, &has_body));
    r->in_kernel = has_body;
    if (!has_body)
        r->scope = r->function_scope = 0;
    return SWP_OK;
}

/* Other functions are read over: what calls them is not followed. */
static swp_status begin_function(reader *r)
{
    while (r->rest.length && r->rest.start[0] != '{' && r->rest.start[0] != ';')
        skip(r, 1);
    if (!r->rest.length)
        return cut_short(r, "a function has no body");
    const bool has_body = r->rest.start[0] == '{';
    skip(r, 1);
    if (!has_body)
        return SWP_OK;
    SWP_TRY(open_scope(r));
    r->function_scope = r->scope;
    return SWP_OK;
}

static swp_status close_scope(reader *r)
{
    if (r->scope == 0)
        return cut_short(r, "a brace closes what none opened");
    if (r->scope == r->function_scope) {
        if (r->in_kernel) {
            swp_ptx_kernel *kernel = open_kernel(r);
            kernel->end = (int)r->module->insns.count;
            kernel->shared_bytes = r->shared;
            SWP_TRY(resolve_branches(r, kernel));
        }
        r->in_kernel = false;
        r->function_scope = 0;
    }
    r->scope = r->scopes.items[r->scope];
    return SWP_OK;
}

static bool ends_with_line(swp_slice word)
{
    static const char *const names[] = {".version", ".address_size", ".file", ".loc"};
    for (size_t i = 0; i < SWP_COUNT_OF(names); i++)
        if (swp_code_slice_is(word, names[i]))
            return true;
    return false;
}

static swp_status read_declaration(reader *r, swp_slice word)
{
    swp_slice text = {0};
    SWP_TRY(take_statement(r, &text));
    skip(r, (size_t)(text.start - r->rest.start) + text.length);
    skip(r, until(r, ';') + 1);
    if (swp_code_slice_is(word, ".reg"))
        return add_registers(r, text);
    const bool shared = swp_code_slice_is(word, ".shared");
    if (shared || swp_code_slice_is(word, ".global") || swp_code_slice_is(word, ".const") ||
        swp_code_slice_is(word, ".local"))
        return add_variable(r, text, shared);
    return SWP_OK;
}

static swp_status skip_section(reader *r)
{
    const size_t length = until(r, '}');
    if (length == r->rest.length)
        return cut_short(r, "a section does not end");
    skip(r, length + 1);
    return SWP_OK;
}

static swp_status read_directive(reader *r)
{
    const swp_slice word = take_name(r);
    if (swp_code_slice_is(word, ".target"))
        return set_target(r, take_line(r));
    if (swp_code_slice_is(word, ".entry"))
        return begin_kernel(r);
    if (swp_code_slice_is(word, ".func"))
        return begin_function(r);
    if (swp_code_slice_is(word, ".section"))
        return skip_section(r);
    if (swp_code_slice_is(word, ".visible") || swp_code_slice_is(word, ".weak") ||
        swp_code_slice_is(word, ".extern") || swp_code_slice_is(word, ".common"))
        return SWP_OK;
    if (ends_with_line(word)) {
        (void)take_line(r);
        return SWP_OK;
    }
    return read_declaration(r, word);
}

/* The length of a label, with its colon; 0: none stands here. */
static size_t label_here(const reader *r)
{
    size_t length = 0;
    while (length < r->rest.length && is_name(r->rest.start[length]) &&
           r->rest.start[length] != ':')
        length++;
    const bool ends = length > 0 && length < r->rest.length && r->rest.start[length] == ':';
    return ends && !swp_code_slice_starts(swp_code_slice_after(r->rest, length), "::") ? length + 1
                                                                                       : 0;
}

static swp_status read_next(reader *r)
{
    const char c = r->rest.start[0];
    const size_t label = label_here(r);
    if (label) {
        const swp_slice name = {r->rest.start, label - 1};
        skip(r, label);
        return add_label(r, name);
    }
    if (c == '{' || c == '}' || c == ';')
        skip(r, 1);
    if (c == '{')
        return open_scope(r);
    if (c == '}')
        return close_scope(r);
    if (c == ';')
        return SWP_OK;
    return c == '.' ? read_directive(r) : read_insn(r);
}

/* Dynamic shared memory begins behind the static one, wherever it is declared. */
static void place_dynamic(const reader *r)
{
    const int64_t begin =
        (r->shared + DYNAMIC_ALIGNMENT - 1) / DYNAMIC_ALIGNMENT * DYNAMIC_ALIGNMENT;
    for (size_t i = 0; i < r->module->operands.count; i++)
        if (r->module->operands.items[i].atom == SWP_PTX_VARIABLE &&
            r->module->operands.items[i].value == DYNAMIC)
            r->module->operands.items[i].value = begin;
}

swp_status swp_ptx_read(swp_context *ctx, swp_slice text, const char *file, swp_ptx_module *out)
{
    reader r = {.ctx = ctx, .file = file, .rest = text, .line = 1, .module = out};
    scope_list *scopes = &r.scopes;
    *out = (swp_ptx_module){.target = "sm_80"};
    SWP_TRY(SWP_PUSH(ctx, scopes, -1));
    for (skip_blanks(&r); r.rest.length; skip_blanks(&r))
        SWP_TRY(read_next(&r));
    if (r.scope != 0)
        return cut_short(&r, "a function does not end: a brace is missing");
    place_dynamic(&r);
    if (!out->insns.count)
        return swp_error(ctx, SWP_E0814, (swp_place){file, 0, 0}, "give PTX with an .entry",
                         "no kernel of this file has a body");
    return SWP_OK;
}
