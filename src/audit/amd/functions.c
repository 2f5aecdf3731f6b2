/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions a text of AMD's assembly has. */
#include "audit/amd/amd.h"

swp_function *swp_amd_function_of(const swp_machine_code *code, swp_slice name)
{
    for (size_t i = 0; i < code->functions.count; i++)
        if (swp_code_slice_same(code->functions.items[i].name, name))
            return &code->functions.items[i];
    return NULL;
}

/* Functions are declared before they begin: by `.type NAME,@function` or `.amdhsa_kernel NAME`. */
swp_status swp_amd_declare_functions(swp_context *ctx, const swp_statement_list *statements,
                                     swp_machine_code *code)
{
    for (size_t i = 0; i < statements->count; i++) {
        const swp_statement *statement = &statements->items[i];
        swp_slice rest = statement->rest;
        const bool is_type = swp_code_slice_is(statement->name, ".type");
        if (statement->kind != SWP_STATEMENT_DIRECTIVE ||
            !(is_type || swp_code_slice_is(statement->name, ".amdhsa_kernel")))
            continue;
        const swp_slice name = swp_code_slice_take_until(&rest, ',');
        swp_function function = {
            .name = name, .first = -1, .end = -1, .workgroup = SWP_AMD_LARGEST_WORKGROUP};
        swp_amd_presume_entry(&function);
        if (is_type && !swp_code_slice_contains(rest, "@function"))
            continue;
        if (!swp_amd_function_of(code, name))
            SWP_TRY(SWP_PUSH(ctx, &code->functions, function));
    }
    return SWP_OK;
}

/* Code that no function is declared for is one, named by its first label. */
swp_status swp_amd_declare_whole(swp_context *ctx, swp_machine_code *code)
{
    const swp_code_label_list *labels = &code->labels;
    swp_function whole = {.name = labels->count && labels->items[0].insn == 0
                                      ? labels->items[0].name
                                      : (swp_slice){"code", sizeof "code" - 1},
                          .line = code->insns.count ? code->insns.items[0].line : 1,
                          .first = 0,
                          .end = (int)code->insns.count,
                          .workgroup = SWP_AMD_LARGEST_WORKGROUP};
    swp_amd_presume_entry(&whole);
    for (size_t i = 0; i < code->functions.count; i++)
        if (code->functions.items[i].first >= 0)
            return SWP_OK;
    return SWP_PUSH(ctx, &code->functions, whole);
}

/* Nobody called a kernel: where it goes on is not known. */
void swp_amd_doubt_returns(swp_machine_code *code, const swp_function *kernel)
{
    for (int i = kernel->first; i >= 0 && i < kernel->end; i++) {
        swp_insn *insn = &code->insns.items[i];
        if (insn->kind == SWP_INSN_RETURN)
            insn->unknown = "goes back to a caller, and a kernel has none";
    }
}
