/* SPDX-License-Identifier: Apache-2.0 */
/* Which language a text is in, or what people may take for one, and its front end. */
#include "audit/languages.h"

#include "audit/amd/amd.h"
#include "audit/code/targets.h"
#include "audit/sass/sass.h"
#include "base/diag.h"
#include "base/names.h"

#include <string.h>

static const swp_front_end *const front_ends[] = {&swp_amd_front_end, &swp_sass_front_end};

/*
 * X(where the sign stands, the sign, what it is a sign of, hint) for files that people may take for what is wanted. The
 * first that fits counts.
 */
/* clang-format off */
#define FOREIGN_FILES(X) \
    X(INSTEAD, "file format elf64-amdgpu", "a disassembly", \
      "give the assembly that it was made of (clang -S): a disassembly has neither its labels nor the size of a workgroup") \
    X(FIRST, "\177ELF\2\1\1\63", "a cubin", "give its machine code as text: cuobjdump -sass FILE.cubin") \
    X(FIRST, "\177ELF\2\1\1\101", "a cubin", "give its machine code as text: cuobjdump -sass FILE.cubin") \
    X(FIRST, "\177ELF\2\1\1\100", "a code object for AMD", \
      "give the assembly that it was made of: clang -S, or asm[\"amdgcn\"] of a kernel in Triton") \
    X(FIRST, "\177ELF", "an object file", \
      "compile to assembly instead: clang -S --target=amdgcn-amd-amdhsa -mcpu=gfx950") \
    X(FIRST, "!<arch>", "an archive of object files", \
      "compile to assembly instead: clang -S --cuda-device-only, nvcc -ptx") \
    X(FIRST, "\120\355\125\272", "a fat binary", "give its machine code as text: cuobjdump -sass FILE") \
    X(FIRST, "__CLANG_OFFLOAD_BUNDLE__", "a bundle of code objects", \
      "compile the device's part to assembly instead: clang -S --cuda-device-only") \
    X(FIRST, "CCOB", "a compressed bundle of code objects", \
      "compile the device's part to assembly instead: clang -S --cuda-device-only") \
    X(FIRST, "BC\300\336", "LLVM bitcode", "compile it on to assembly: clang -S, llc") \
    X(FIRST, "\37\213", "a compressed file", "decompress it first: gunzip") \
    X(FIRST, "\377\376", "text in UTF-16", "write it in UTF-8, as cmd.exe does where PowerShell's > does not") \
    X(WITHIN, "\"swp\":", "a schedule in JSON", "give the assembly first: swp audit FILE.s --schedule JSON") \
    X(WITHIN, "swp: 1", "a description", "give the assembly first: swp audit FILE.s --schedule FILE") \
    X(WITHIN, ".visible .entry", "a part of PTX", "give the whole file, with .version and .target") \
    X(WITHIN, "target triple =", "LLVM IR", "compile it on to assembly: clang -S, llc") \
    X(WITHIN, "tt.func", "Triton's IR", "give asm[\"amdgcn\"] or asm[\"ptx\"] of the compiled kernel") \
    X(WITHIN, "@triton.jit", "a source in Triton", "give asm[\"amdgcn\"] or asm[\"ptx\"] of the compiled kernel") \
    X(WITHIN, "__global__", "a source in CUDA or HIP", \
      "compile it to assembly: clang -S --cuda-device-only, nvcc -ptx") \
    X(WITHIN, "%rsp", "x86 assembly", "compile for the GPU: clang --target=amdgcn-amd-amdhsa -mcpu=gfx950") \
    X(WITHIN, ".cfi_startproc", "assembly for a CPU", \
      "compile for the GPU: clang --target=amdgcn-amd-amdhsa -mcpu=gfx950")
/* clang-format on */

/* Of a file in a language that the audit reads, only a sign that stands for something instead counts. */
typedef enum sign_place { INSTEAD, FIRST, WITHIN } sign_place;

typedef struct foreign_file {
    sign_place place;
    const char *sign;
    const char *name;
    const char *hint;
} foreign_file;

static const foreign_file foreign_files[] = {
#define ROW(place, sign, name, hint) {place, sign, name, hint},
    FOREIGN_FILES(ROW)
#undef ROW
};

static const foreign_file *foreign_file_of(swp_slice text, bool is_read)
{
    for (size_t i = 0; i < SWP_COUNT_OF(foreign_files); i++) {
        const foreign_file *file = &foreign_files[i];
        const bool fits = file->place == FIRST ? swp_code_slice_starts(text, file->sign)
                                               : swp_code_slice_contains(text, file->sign);
        if (fits && (!is_read || file->place == INSTEAD))
            return file;
    }
    return NULL;
}

static swp_status refuse(swp_context *ctx, swp_slice text, const char *file, bool is_read)
{
    const swp_place place = {file, 0, 0};
    const char *const hint = "give what `clang -S --target=amdgcn-amd-amdhsa`, `nvcc -ptx`, "
                             "`nvdisasm -c` or `cuobjdump -sass` writes";
    const foreign_file *foreign = foreign_file_of(text, is_read);
    if (foreign)
        return swp_error(ctx, SWP_E0811, place, foreign->hint,
                         "this is %s, not assembly for a GPU that the audit knows", foreign->name);
    if (is_read)
        return SWP_OK;
    if (!swp_code_slice_trim(text).length)
        return swp_error(ctx, SWP_E0811, place, hint, "the file is empty");
    if (memchr(text.start, '\0', text.length))
        return swp_error(ctx, SWP_E0811, place, hint, "this is a binary file, not assembly");
    return swp_error(ctx, SWP_E0811, place, hint,
                     "this is not assembly for a GPU that the audit knows");
}

/* --- one language --- */

/* What each language has exactly one of a module, or of a function. */
static const struct {
    const char *sign;
    const char *name;
} languages[] = {
    {".amdgcn_target", "assembly for AMD"},
    {".address_size", "PTX"},
    {"/*0000*/", "machine code for NVIDIA"},
};

/* The line where a sign stands first; 0: nowhere. */
static int line_of(swp_slice text, const char *sign)
{
    const swp_slice found = swp_code_slice_from(text, sign);
    int line = 1;
    if (!found.length)
        return 0;
    for (const char *c = text.start; c < found.start; c++)
        line += *c == '\n';
    return line;
}

swp_status swp_audit_check_language(swp_context *ctx, swp_slice text, const char *file)
{
    int lines[SWP_COUNT_OF(languages)];
    size_t first = SWP_COUNT_OF(languages);
    for (size_t i = 0; i < SWP_COUNT_OF(languages); i++) {
        lines[i] = line_of(text, languages[i].sign);
        if (lines[i] && (first == SWP_COUNT_OF(languages) || lines[i] < lines[first]))
            first = i;
    }
    for (size_t i = 0; i < SWP_COUNT_OF(languages); i++)
        if (lines[i] && i != first)
            return swp_error(ctx, SWP_E0812, (swp_place){file, lines[i], 1},
                             "cut the file in two, and audit each part",
                             "this file is %s, and here %s", languages[first].name,
                             languages[i].name);
    return SWP_OK;
}

swp_status swp_audit_read_code(swp_context *ctx, swp_slice text, const char *file,
                               swp_machine_code *out)
{
    const bool binary = memchr(text.start, '\0', text.length) != NULL;
    for (size_t i = 0; i < SWP_COUNT_OF(front_ends) && !binary; i++) {
        if (!front_ends[i]->recognises(text))
            continue;
        SWP_TRY(refuse(ctx, text, file, true));
        SWP_TRY(front_ends[i]->read(ctx, text, file, out));
        return swp_code_resolve_targets(ctx, file, out);
    }
    return refuse(ctx, text, file, false);
}
