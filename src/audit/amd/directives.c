/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the assembler does at a directive. The list is one of those known to be harmless: every other
 * one may leave out, repeat or make code (.if, .rept, .macro, .include), which the audit does not
 * follow. GNU as manual, "Assembler Directives"; LLVM's user guide for AMDGPU, "Code object".
 */
#include "audit/amd/amd.h"

#include "base/names.h"

/* They declare, describe or debug; no byte of code comes or goes. A trailing `_` is a beginning. */
static const char *const harmless[] = {".addrsig",
                                       ".addrsig_sym",
                                       ".amdgcn_target",
                                       ".amdgpu_lds",
                                       ".amdgpu_metadata",
                                       ".amdhsa_",
                                       ".cfi_",
                                       ".comm",
                                       ".end_amdgpu_metadata",
                                       ".end_amdhsa_kernel",
                                       ".equ",
                                       ".equiv",
                                       ".file",
                                       ".global",
                                       ".globl",
                                       ".hidden",
                                       ".ident",
                                       ".internal",
                                       ".lcomm",
                                       ".loc",
                                       ".local",
                                       ".protected",
                                       ".set",
                                       ".size",
                                       ".type",
                                       ".weak"};

/* They put bytes where they stand. */
static const char *const data[] = {
    ".2byte",  ".4byte", ".8byte",   ".ascii", ".asciz",  ".byte",    ".double", ".fill", ".float",
    ".half",   ".hword", ".incbin",  ".int",   ".long",   ".octa",    ".org",    ".quad", ".short",
    ".single", ".skip",  ".sleb128", ".space", ".string", ".uleb128", ".value",  ".word", ".zero"};

static const char *const alignments[] = {".align",   ".balign",   ".balignl", ".balignw",
                                         ".p2align", ".p2alignl", ".p2alignw"};

static bool is_in(swp_slice name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = 0;
        while (list[i][length])
            length++;
        if (list[i][length - 1] == '_' ? swp_code_slice_starts(name, list[i])
                                       : swp_code_slice_is(name, list[i]))
            return true;
    }
    return false;
}

static bool is_nop(swp_slice number)
{
    static const int64_t s_nop = 0xbf800000;
    int64_t value = 0;
    return swp_code_slice_number(number, &value) && value == s_nop;
}

/* Without a value the assembler fills code with s_nop; a given one is code as well. */
static bool aligns_with_nop(const swp_statement *statement)
{
    swp_slice rest = statement->rest;
    (void)swp_code_slice_take_until(&rest, ',');
    const swp_slice fill = swp_code_slice_take_until(&rest, ',');
    return !fill.length ||
           (statement->name.start[statement->name.length - 1] == 'l' && is_nop(fill));
}

/* .fill COUNT, 4, S_NOP: what compilers put behind a function for the prefetcher. */
static bool is_nops(const swp_statement *statement)
{
    swp_slice rest = statement->rest;
    (void)swp_code_slice_take_until(&rest, ',');
    return swp_code_slice_is(statement->name, ".fill") &&
           swp_code_slice_is(swp_code_slice_take_until(&rest, ','), "4") &&
           is_nop(swp_code_slice_trim(rest));
}

/*
 * NAME, and after a comma flags in quotes: code is in .text and where they say x. What follows the type
 * makes it another section of the same name.
 */
static bool read_section(const swp_statement *statement, swp_amd_section *out)
{
    swp_slice rest = statement->rest;
    if (!swp_code_slice_is(statement->name, ".section")) {
        *out = (swp_amd_section){statement->name, swp_code_slice_is(statement->name, ".text")};
        return !rest.length;
    }
    const swp_slice name = swp_code_slice_take_until(&rest, ',');
    const swp_slice flags = swp_code_slice_take_until(&rest, ',');
    *out = (swp_amd_section){name, swp_code_slice_starts(name, ".text") ||
                                       swp_code_slice_contains(flags, "x")};
    (void)swp_code_slice_take_until(&rest, ',');
    if (rest.length)
        out->name = statement->rest;
    return !flags.length || flags.start[0] == '"';
}

swp_amd_effect swp_amd_effect_of(const swp_statement *statement, swp_amd_section *section)
{
    static const char *const sections[] = {".section", ".text", ".data", ".bss"};
    if (is_in(statement->name, sections, SWP_COUNT_OF(sections)))
        return read_section(statement, section) ? SWP_AMD_HARMLESS : SWP_AMD_NOT_FOLLOWED;
    if (is_in(statement->name, harmless, SWP_COUNT_OF(harmless)))
        return SWP_AMD_HARMLESS;
    if (is_in(statement->name, data, SWP_COUNT_OF(data)))
        return section->is_code && !is_nops(statement) ? SWP_AMD_BYTES : SWP_AMD_HARMLESS;
    if (is_in(statement->name, alignments, SWP_COUNT_OF(alignments)))
        return section->is_code && !aligns_with_nop(statement) ? SWP_AMD_BYTES : SWP_AMD_HARMLESS;
    return SWP_AMD_NOT_FOLLOWED;
}
