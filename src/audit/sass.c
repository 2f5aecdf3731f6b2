/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The front end for NVIDIA's machine code, as cuobjdump -sass and nvdisasm -c write it. It knows the
 * instructions that carry out a schedule; all others count as arithmetic.
 */
#include "audit/front_end.h"

#include "base/diag.h"
#include "base/names.h"

/* X(opcode, kind); the parts after its first dot are not looked at. */
/* clang-format off */
#define SASS_ROWS(X) \
    X("LDGSTS",    COPY_TO_LDS) \
    X("LDGDEPBAR", COMMIT) \
    X("DEPBAR",    WAIT) \
    X("BAR",       BARRIER) \
    X("LDSM",      LDS_READ) \
    X("HMMA",      MATRIX) \
    X("IMMA",      MATRIX) \
    X("DMMA",      MATRIX) \
    X("QMMA",      MATRIX) \
    X("BRA",       JUMP) \
    X("CALL",      JUMP) /* with a condition; without one it comes back */ \
    X("EXIT",      END) \
    X("RET",       END) \
    X("NOP",       NOTHING)
/* clang-format on */

static const struct {
    const char *name;
    swp_insn_kind kind;
} rows[] = {
#define ROW(name, kind) {name, SWP_INSN_##kind},
    SASS_ROWS(ROW)
#undef ROW
};

enum { OLDEST = 80, MOST_GROUPS = 1 << 16 };

/* Where each instruction of a function stands, for branches to addresses. */
typedef struct addresses {
    uint64_t *items;
    size_t count;
    size_t capacity;
} addresses;

typedef struct reader {
    swp_context *ctx;
    const char *file;
    swp_machine_code *code;
    addresses at; /* of the function's instructions */
    int line;
} reader;

static bool recognises(swp_slice text)
{
    return swp_slice_contains(text, "/*0000*/") &&
           (swp_slice_contains(text, "code for sm_") || swp_slice_contains(text, ".target"));
}

static swp_slice take_line(swp_slice *rest)
{
    size_t length = 0;
    while (length < rest->length && rest->start[length] != '\n')
        length++;
    const swp_slice line = {rest->start, length};
    *rest = swp_slice_after(*rest, length + (length < rest->length));
    return swp_slice_trim(line);
}

/* --- target and functions --- */

static swp_status set_target(reader *r, swp_slice name)
{
    int64_t number = 0;
    size_t digits = 0;
    swp_slice version = swp_slice_after(name, sizeof "sm_" - 1);
    while (digits < version.length && version.start[digits] >= '0' && version.start[digits] <= '9')
        digits++;
    version.length = digits;
    if (!swp_slice_number(version, &number) || number < OLDEST)
        return swp_error(r->ctx, SWP_E0812, (swp_place){r->file, r->line, 1},
                         "compile for sm_80 or later, which copy to shared memory asynchronously",
                         "this is machine code for %.*s; the audit knows sm_80 and later",
                         SWP_SLICE_FORMAT(name));
    return swp_copy_printable(r->ctx, (swp_slice){name.start, sizeof "sm_" - 1 + digits},
                              &r->code->target);
}

static swp_function *open_function(const reader *r)
{
    swp_function_list *list = &r->code->functions;
    return list->count ? &list->items[list->count - 1] : NULL;
}

/* Branches are to addresses, or to labels, which are resolved for all languages alike. */
static swp_status close_function(reader *r)
{
    swp_function *function = open_function(r);
    if (!function)
        return SWP_OK;
    function->end = (int)r->code->insns.count;
    for (int i = function->first; i < function->end; i++) {
        swp_insn *insn = &r->code->insns.items[i];
        int64_t address = 0;
        if (!swp_slice_number(insn->target_name, &address))
            continue;
        for (size_t a = 0; a < r->at.count; a++)
            if (r->at.items[a] == (uint64_t)address)
                insn->target = function->first + (int)a;
        insn->target_name.length = 0;
        if (insn->target == SWP_NO_TARGET)
            return swp_error(r->ctx, SWP_E0813, (swp_place){r->file, insn->line, 1},
                             "is the file cut short?",
                             "no instruction stands at the address that "
                             "this branches to");
    }
    return SWP_OK;
}

static swp_status begin_function(reader *r, swp_slice name)
{
    SWP_TRY(close_function(r));
    const swp_function function = {.name = name,
                                   .line = r->line,
                                   .first = (int)r->code->insns.count,
                                   .end = (int)r->code->insns.count,
                                   .workgroup = 1,
                                   .packed_ids = true};
    swp_function_list *functions = &r->code->functions;
    r->at.count = 0;
    return SWP_PUSH(r->ctx, functions, function);
}

/* --- instructions --- */

/* Registers that an operand stands for: R12, R12.reuse, -R12. */
static bool read_register(swp_slice text, int count, swp_operand *out)
{
    int64_t number = 0;
    *out = (swp_operand){.kind = SWP_OPERAND_NONE};
    if (swp_slice_starts(text, "-") || swp_slice_starts(text, "|"))
        text = swp_slice_after(text, 1);
    if (!swp_slice_starts(text, "R"))
        return false;
    text = swp_slice_after(text, 1);
    swp_slice digits = text;
    digits = swp_slice_take_until(&digits, '.');
    if (!swp_slice_number(digits, &number) || number < 0 || number > UINT8_MAX)
        return false;
    *out = (swp_operand){.kind = SWP_OPERAND_REGISTERS,
                         .first = (int16_t)(SWP_REG_VECTOR + number),
                         .count = (int16_t)count};
    return true;
}

static void read_operands(swp_insn *insn, swp_slice rest)
{
    while (rest.length && insn->operand_count < SWP_MOST_OPERANDS) {
        const swp_slice piece = swp_slice_take_until(&rest, ',');
        (void)read_register(piece, 1, &insn->operands[insn->operand_count++]);
    }
}

/* DEPBAR.LE SB0, 0x2: at most two groups may be outstanding. */
static void read_wait(swp_insn *insn, swp_slice rest)
{
    int64_t groups = 0;
    (void)swp_slice_take_until(&rest, ',');
    if (swp_slice_number(swp_slice_trim(rest), &groups) && groups >= 0 && groups < MOST_GROUPS)
        insn->waits[SWP_AUDIT_VM] = (int)groups;
    else
        insn->kind = SWP_INSN_NOTHING;
}

/*
 * BRA 0x1230, BRA `(.L_x_3), BRA P4, 0x890. BRA.CONV is taken by warps whose threads are together, which
 * all are before a loop like this; what follows it does the same for those that are not.
 */
static void read_branch(swp_insn *insn, swp_slice rest, bool on_condition)
{
    swp_slice target = {rest.start, 0};
    while (rest.length)
        target = swp_slice_take_until(&rest, ',');
    if (swp_slice_starts(target, "`(") && target.length > 3)
        target = (swp_slice){target.start + 2, target.length - 3};
    insn->target_name = target;
    if (on_condition)
        insn->kind = SWP_INSN_BRANCH;
}

static swp_insn_kind kind_of(swp_slice opcode)
{
    const swp_slice base = swp_slice_take_until(&opcode, '.');
    for (size_t i = 0; i < SWP_COUNT_OF(rows); i++)
        if (swp_slice_is(base, rows[i].name))
            return rows[i].kind;
    return SWP_INSN_VECTOR;
}

static swp_insn decode(const reader *r, swp_slice text)
{
    swp_slice rest = text;
    swp_slice opcode = swp_slice_take_word(&rest);
    const bool on_condition = swp_slice_starts(opcode, "@");
    if (on_condition)
        opcode = swp_slice_take_word(&rest);
    swp_insn insn = {.line = r->line,
                     .text = text,
                     .kind = kind_of(opcode),
                     .lds.address = -1,
                     .waits = {SWP_NO_WAIT, SWP_NO_WAIT},
                     .target = SWP_NO_TARGET};
    /* Barriers are met with SYNC; ARV only arrives, RED computes on the way. */
    if (insn.kind == SWP_INSN_WAIT)
        read_wait(&insn, rest);
    else if (swp_slice_starts(opcode, "CALL") && !on_condition)
        insn.kind = SWP_INSN_VECTOR;
    else if (insn.kind == SWP_INSN_JUMP)
        read_branch(&insn, rest,
                    !swp_slice_contains(opcode, ".CONV") &&
                        (on_condition || swp_slice_contains(rest, "P")));
    else if (insn.kind == SWP_INSN_END && on_condition)
        insn.kind = SWP_INSN_NOTHING;
    else
        read_operands(&insn, rest);
    if (insn.kind == SWP_INSN_LDS_READ || insn.kind == SWP_INSN_COPY_TO_LDS)
        insn.lds.parts = 1;
    return insn;
}

/* A comment with the address, the instruction, a semicolon; other lines are its encoding. */
static swp_status add_line(reader *r, swp_slice line)
{
    size_t end = 2;
    uint64_t address = 0;
    while (end < line.length && line.start[end] != '*') {
        const char c = line.start[end++];
        const bool decimal = c >= '0' && c <= '9';
        if (!decimal && !(c >= 'a' && c <= 'f'))
            return SWP_OK;
        address = address * 16 + (uint64_t)(decimal ? c - '0' : c - 'a' + 10);
    }
    if (end + 2 > line.length)
        return SWP_OK;
    swp_slice rest = swp_slice_trim(swp_slice_after(line, end + 2));
    const swp_slice text = swp_slice_take_until(&rest, ';');
    if (!text.length || !open_function(r))
        return SWP_OK;
    addresses *at = &r->at;
    SWP_TRY(SWP_PUSH(r->ctx, at, address));
    const swp_insn insn = decode(r, text);
    return SWP_PUSH(r->ctx, &r->code->insns, insn);
}

static swp_status add_label(reader *r, swp_slice line)
{
    const swp_slice name = {line.start, line.length - 1};
    if (swp_slice_starts(name, ".text."))
        return begin_function(r, swp_slice_after(name, sizeof ".text." - 1));
    const swp_code_label label = {name, r->line, (int)r->code->insns.count};
    return swp_slice_starts(name, ".L_") ? SWP_PUSH(r->ctx, &r->code->labels, label) : SWP_OK;
}

static swp_status read_line(reader *r, swp_slice line)
{
    swp_slice rest = line;
    const swp_slice word = swp_slice_take_word(&rest);
    if (swp_slice_starts(line, "/*"))
        return add_line(r, line);
    if (swp_slice_starts(line, "code for sm_"))
        return set_target(r, swp_slice_after(line, sizeof "code for " - 1));
    if (swp_slice_is(word, ".target") && swp_slice_starts(rest, "sm_"))
        return set_target(r, rest);
    if (swp_slice_starts(line, "Function :"))
        return begin_function(r, swp_slice_trim(swp_slice_after(line, sizeof "Function :" - 1)));
    if (line.length > 1 && line.start[line.length - 1] == ':' && !rest.length)
        return add_label(r, line);
    return SWP_OK;
}

static swp_status read_code(swp_context *ctx, swp_slice text, const char *file,
                            swp_machine_code *out)
{
    reader r = {.ctx = ctx, .file = file, .code = out};
    *out = (swp_machine_code){.target = "sm_80", .counter_max = {MOST_GROUPS, MOST_GROUPS}};
    while (text.length) {
        r.line++;
        SWP_TRY(read_line(&r, take_line(&text)));
    }
    return close_function(&r);
}

const swp_front_end swp_front_end_sass = {"SASS", recognises, read_code};
