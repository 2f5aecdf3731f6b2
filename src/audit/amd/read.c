/* SPDX-License-Identifier: Apache-2.0 */
/* The front end for gfx942 and gfx950: functions, labels and what their descriptors say. */
#include "audit/amd/amd.h"

#include "base/diag.h"
#include "base/names.h"
#include "target/gfx9.h"

#include <string.h>

typedef struct reader {
    swp_context *ctx;
    const char *file;
    swp_statement_list statements;
    swp_machine_code *code;
    swp_slice kernel;          /* whose descriptor is being read */
    swp_amd_entry entry;       /* what that says of registers */
    const swp_statement *open; /* what begins a block that has not ended; NULL: none */
    int metadata_workgroup;    /* of the kernel whose metadata is being read; 0: not said */
    swp_function *metadata_of; /* that kernel, once its name was read; NULL: not yet */
    int metadata_dimension;    /* of the required size that is being read; -1: none is */
    bool metadata_is_flat;     /* no required size has more than one dimension */
    swp_amd_section section;
    swp_slice code_section; /* where the code that is being read began */
} reader;

static bool recognises(swp_slice text)
{
    static const char *const signs[] = {".amdgcn_target", ".amdhsa_", "s_endpgm", "s_waitcnt",
                                        "v_mfma_",        "ds_read",  "ds_write"};
    for (size_t i = 0; i < SWP_COUNT_OF(signs); i++)
        if (swp_code_slice_contains(text, signs[i]))
            return true;
    return false;
}

/* --- target --- */

/* "amdgcn-amd-amdhsa--gfx950:xnack-" names a processor, and features that do not matter here. */
static swp_slice processor_in(swp_slice triple)
{
    while (triple.length && !swp_code_slice_starts(triple, "gfx"))
        triple = swp_code_slice_after(triple, 1);
    size_t length = 0;
    while (length < triple.length && !strchr(":\"' ", triple.start[length]))
        length++;
    return (swp_slice){triple.start, length};
}

static void take_processor(reader *r, const swp_processor_row *row)
{
    r->code->processor = row->processor;
    r->code->target = row->name;
}

static swp_status set_target(reader *r, const swp_statement *statement)
{
    const swp_slice processor = processor_in(statement->rest);
    const swp_processor_row *row = swp_code_processor_named(processor);
    if (row) {
        take_processor(r, row);
        return SWP_OK;
    }
    const swp_place place = {r->file, statement->line, 1};
    return swp_error(r->ctx, SWP_E0812, place, "compile for gfx942 or gfx950 (clang -mcpu=gfx950)",
                     "this is assembly for %.*s; the audit knows gfx942 and gfx950",
                     processor.length ? (int)processor.length : (int)statement->rest.length,
                     processor.length ? processor.start : statement->rest.start);
}

/* What a statement names as the target; empty: none. */
static swp_slice target_in(const swp_statement *statement)
{
    static const char key[] = "amdhsa.target:";
    const bool names = statement->kind == SWP_STATEMENT_DIRECTIVE
                           ? swp_code_slice_is(statement->name, ".amdgcn_target")
                           : statement->kind == SWP_STATEMENT_METADATA &&
                                 swp_code_slice_starts(swp_code_slice_trim(statement->rest), key);
    return names ? processor_in(statement->rest) : (swp_slice){"", 0};
}

/* One that is for two may have instructions that its second target does not have, or does otherwise. */
static swp_status check_target(const reader *r, const swp_statement *statement)
{
    const swp_slice target = target_in(statement);
    if (!target.length || swp_code_slice_is(target, r->code->target))
        return SWP_OK;
    return swp_error(r->ctx, SWP_E0812, (swp_place){r->file, statement->line, 1},
                     "audit the code of one target at a time",
                     "this file is for %s, and here for %.*s", r->code->target,
                     SWP_SLICE_FORMAT(target));
}

static swp_status find_target(reader *r)
{
    for (size_t i = 0; i < r->statements.count; i++) {
        const swp_statement *statement = &r->statements.items[i];
        const bool is_directive = statement->kind == SWP_STATEMENT_DIRECTIVE &&
                                  swp_code_slice_is(statement->name, ".amdgcn_target");
        if (r->code->target)
            SWP_TRY(check_target(r, statement));
        else if (is_directive || target_in(statement).length)
            SWP_TRY(set_target(r, statement));
    }
    if (r->code->target)
        return SWP_OK;
    take_processor(r, swp_code_processor_row(SWP_PROCESSOR_GFX950));
    return swp_warn(r->ctx, SWP_W0811, (swp_place){r->file, 0, 0},
                    "write .amdgcn_target \"amdgcn-amd-amdhsa--gfx950\" on its first line",
                    "no .amdgcn_target: read as assembly for %s", r->code->target);
}

/* --- functions --- */

/* A function ends where the next one begins. */
static void begin_function(reader *r, swp_function *function, int line)
{
    const int here = (int)r->code->insns.count;
    for (size_t i = 0; i < r->code->functions.count; i++)
        if (r->code->functions.items[i].first >= 0 && r->code->functions.items[i].end < 0)
            r->code->functions.items[i].end = here;
    function->first = here;
    function->line = line;
    r->code_section = r->section.name;
}

static swp_status add_label(reader *r, const swp_statement *statement)
{
    const swp_code_label label = {statement->name, statement->line, (int)r->code->insns.count};
    swp_function *function = swp_amd_function_of(r->code, statement->name);
    if (function && function->first < 0)
        begin_function(r, function, statement->line);
    return SWP_PUSH(r->ctx, &r->code->labels, label);
}

/* --- descriptors --- */

static void read_directive(reader *r, const swp_statement *statement)
{
    int64_t number = 0;
    if (swp_code_slice_is(statement->name, ".amdhsa_kernel")) {
        r->kernel = statement->rest;
        swp_amd_entry_begin(&r->entry);
    }
    swp_amd_entry_read(statement, &r->entry);
    if (swp_code_slice_is(statement->name, ".amdhsa_kernel") ||
        swp_code_slice_is(statement->name, ".amdgpu_metadata"))
        r->open = statement;
    else if (swp_code_slice_starts(statement->name, ".end_amd"))
        r->open = NULL;
    swp_function *function = swp_amd_function_of(r->code, r->kernel);
    if (function)
        function->is_kernel = true;
    if (function && swp_code_slice_is(statement->name, ".end_amdhsa_kernel"))
        swp_amd_entry_end(&r->entry, function);
    if (function && swp_code_slice_is(statement->name, ".amdhsa_system_vgpr_workitem_id") &&
        swp_code_slice_number(statement->rest, &number))
        function->packed_ids = number != 0;
    if (function && swp_code_slice_is(statement->name, ".amdhsa_tg_split"))
        function->split = !swp_code_slice_is(statement->rest, "0");
}

/* Extents of a required size stand in a row or one a line: all but the first are 1, or threads have no one number. */
static void read_extents(reader *r, swp_slice extents)
{
    while (extents.length) {
        const swp_slice extent = swp_code_slice_trim(swp_code_slice_take_until(&extents, ','));
        int64_t number = 0;
        if (r->metadata_dimension++ > 0 && !(swp_code_slice_number(extent, &number) && number == 1))
            r->metadata_is_flat = false;
    }
}

/* Whether the line is about the required size of a workgroup. */
static bool read_required_size(reader *r, swp_slice line)
{
    static const char key[] = "    .reqd_workgroup_size:";
    static const char item[] = "      - ";
    if (swp_code_slice_starts(line, key)) {
        swp_slice row = swp_code_slice_trim(swp_code_slice_after(line, sizeof key - 1));
        r->metadata_dimension = 0;
        if (swp_code_slice_starts(row, "["))
            read_extents(
                r, swp_code_slice_take_until(&(swp_slice){row.start + 1, row.length - 1}, ']'));
    } else if (r->metadata_dimension >= 0 && swp_code_slice_starts(line, item)) {
        read_extents(r, swp_code_slice_after(line, sizeof item - 1));
    } else {
        r->metadata_dimension = -1;
        return false;
    }
    if (r->metadata_of && !r->metadata_is_flat)
        r->metadata_of->many_dimensions = true;
    return true;
}

/*
 * The lines of a kernel begin with "  - ", its own keys stand four columns in, those of its arguments
 * further; its name comes after the size of its workgroup.
 */
static void read_metadata(reader *r, const swp_statement *statement)
{
    enum { COLUMNS = 4 };
    swp_slice line = statement->rest;
    int64_t number = 0;
    if (read_required_size(r, line))
        return;
    if (swp_code_slice_starts(line, "  - ")) {
        r->metadata_workgroup = 0;
        r->metadata_of = NULL;
        r->metadata_is_flat = true;
    } else if (!swp_code_slice_starts(line, "    .") || line.length < COLUMNS) {
        return;
    }
    line = swp_code_slice_after(line, COLUMNS);
    const swp_slice key = swp_code_slice_take_until(&line, ':');
    const swp_slice value = swp_code_slice_trim(line);
    if (swp_code_slice_is(key, ".max_flat_workgroup_size") &&
        swp_code_slice_number(value, &number) && number > r->metadata_workgroup &&
        number <= SWP_AMD_LARGEST_WORKGROUP)
        r->metadata_workgroup = (int)number; /* of two that say so, the larger may be so */
    swp_function *function =
        swp_code_slice_is(key, ".name") ? swp_amd_function_of(r->code, value) : NULL;
    if (function) {
        r->metadata_of = function;
        function->many_dimensions |= !r->metadata_is_flat;
    }
    if (function && r->metadata_workgroup) {
        /* Of two that say so, the larger may be so. */
        if (!function->sized || r->metadata_workgroup > function->workgroup)
            function->workgroup = r->metadata_workgroup;
        function->sized = true;
    }
}

/* --- code --- */

static swp_insn unknown_insn(const swp_statement *statement, const char *why)
{
    swp_insn insn = swp_code_insn_new(statement->line, statement->text);
    insn.unknown = why;
    return insn;
}

static swp_status doubt(reader *r, const swp_statement *statement, const char *why)
{
    swp_insn_list *doubts = &r->code->doubts;
    const swp_insn insn = unknown_insn(statement, why);
    return SWP_PUSH(r->ctx, doubts, insn);
}

/* Statements run in the order in which they stand while they are of one section. */
static swp_status check_section(reader *r, const swp_statement *statement)
{
    if (!r->code->insns.count && !r->code_section.length)
        r->code_section = r->section.name;
    if (r->section.is_code && swp_code_slice_same(r->section.name, r->code_section))
        return SWP_OK;
    r->code_section = r->section.name;
    return doubt(r, statement, "code goes on in another section, which is put elsewhere");
}

static swp_status add_bytes(reader *r, const swp_statement *statement)
{
    const swp_insn insn =
        unknown_insn(statement, "bytes in code, which are not read as instructions");
    SWP_TRY(check_section(r, statement));
    return SWP_PUSH(r->ctx, &r->code->insns, insn);
}

static swp_status add_directive(reader *r, const swp_statement *statement)
{
    const swp_amd_effect effect = swp_amd_effect_of(statement, &r->section);
    read_directive(r, statement);
    if (effect == SWP_AMD_BYTES)
        return add_bytes(r, statement);
    return effect == SWP_AMD_HARMLESS ? SWP_OK
                                      : doubt(r, statement,
                                              "a directive that may leave out, repeat or make "
                                              "code; give what clang -S writes, or of assembly "
                                              "by hand what llvm-mc makes of it");
}

static swp_status add_instruction(reader *r, const swp_statement *statement)
{
    swp_insn insn;
    swp_amd_decode(statement, r->code->processor, &insn);
    SWP_TRY(check_section(r, statement));
    if (insn.invalid)
        return swp_error(r->ctx, SWP_E0818, (swp_place){r->file, insn.line, 1}, insn.invalid,
                         "%.*s cannot be encoded", SWP_SLICE_FORMAT(insn.text));
    return SWP_PUSH(r->ctx, &r->code->insns, insn);
}

static swp_status add_statements(reader *r)
{
    for (size_t i = 0; i < r->statements.count; i++) {
        const swp_statement *statement = &r->statements.items[i];
        if (statement->kind == SWP_STATEMENT_LABEL)
            SWP_TRY(add_label(r, statement));
        else if (statement->kind == SWP_STATEMENT_INSTRUCTION)
            SWP_TRY(add_instruction(r, statement));
        else if (statement->kind == SWP_STATEMENT_DIRECTIVE)
            SWP_TRY(add_directive(r, statement));
        else if (statement->kind == SWP_STATEMENT_OBSCURE)
            SWP_TRY(doubt(r, statement,
                          "a quote or a # that may hide what follows, or be hidden; give what "
                          "clang -S writes"));
        else
            read_metadata(r, statement);
    }
    for (size_t i = 0; i < r->code->functions.count; i++)
        if (r->code->functions.items[i].first >= 0 && r->code->functions.items[i].end < 0)
            r->code->functions.items[i].end = (int)r->code->insns.count;
    return SWP_OK;
}

/* --- what the file should say --- */

static swp_status check_ends(reader *r)
{
    if (r->open)
        return swp_error(r->ctx, SWP_E0813, (swp_place){r->file, r->open->line, 1},
                         "is the file cut short?", "%.*s does not end",
                         SWP_SLICE_FORMAT(r->open->name));
    if (!r->code->insns.count)
        return swp_error(r->ctx, SWP_E0814, (swp_place){r->file, 0, 0},
                         "give assembly with the code of a kernel; where macros or an .include "
                         "make it, what llvm-mc makes of those",
                         "no instruction stands in this file");
    for (size_t i = 0; i < r->code->functions.count; i++) {
        const swp_function *function = &r->code->functions.items[i];
        const swp_statement here = {.line = function->line, .text = function->name};
        if (function->is_kernel)
            swp_amd_doubt_returns(r->code, function);
        if (function->is_kernel && !function->sized)
            SWP_TRY(doubt(r, &here,
                          "a kernel whose number of threads the file does not say: its "
                          ".amdgpu_metadata must have .max_flat_workgroup_size"));
    }
    return SWP_OK;
}

static swp_status read_code(swp_context *ctx, swp_slice text, const char *file,
                            swp_machine_code *out)
{
    reader r = {.ctx = ctx, .file = file, .code = out};
    r.section = (swp_amd_section){{".text", sizeof ".text" - 1}, true};
    *out = (swp_machine_code){.counter_max = {SWP_GFX9_VM_MAX, SWP_GFX9_LGKM_MAX}, .judged = true};
    SWP_TRY(swp_amd_statements(ctx, text, &r.statements));
    SWP_TRY(find_target(&r));
    SWP_TRY(swp_amd_declare_functions(ctx, &r.statements, out));
    SWP_TRY(add_statements(&r));
    SWP_TRY(swp_amd_declare_whole(ctx, out));
    return check_ends(&r);
}

const swp_front_end swp_amd_front_end = {"AMD", recognises, read_code};
