/* SPDX-License-Identifier: Apache-2.0 */
/* Names of PTX: scopes, and which number a name has in the innermost scope that declares it. */
#include "audit/ptx/reader.h"

#include "base/diag.h"

#include <string.h>

/* Scopes in one another, and characters. */
enum { MOST_SCOPES = 64, MOST_NAME = 1 << 12 };

static swp_status key_of(const swp_ptx_reader *r, swp_ptx_space kind, int scope, swp_slice name,
                         char *key, size_t *length)
{
    if (name.length > MOST_NAME)
        return swp_ptx_cut_short(r, "a name is longer than 4096 characters");
    key[0] = (char)kind;
    memcpy(key + 1, &scope, sizeof scope);
    memcpy(key + 1 + sizeof scope, name.start, name.length);
    /* Nothing that a key ends in is a zero. */
    key[1 + sizeof scope + name.length] = ';';
    *length = sizeof scope + name.length + 2;
    return SWP_OK;
}

swp_status swp_ptx_declare(swp_ptx_reader *r, swp_ptx_space kind, int scope, swp_slice name,
                           int number, int *found)
{
    char key[MOST_NAME + 16];
    size_t length = 0;
    SWP_TRY(key_of(r, kind, scope, name, key, &length));
    return swp_key_index_number(r->ctx, &r->names, key, length, number, found);
}

swp_status swp_ptx_look_up(const swp_ptx_reader *r, swp_ptx_space kind, int scope, swp_slice name,
                           int *found)
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

swp_ptx_kernel *swp_ptx_open_kernel(const swp_ptx_reader *r)
{
    return &r->module->kernels.items[r->module->kernels.count - 1];
}

swp_status swp_ptx_declare_register(swp_ptx_reader *r, int scope, swp_slice name, int *number)
{
    swp_ptx_kernel *kernel = swp_ptx_open_kernel(r);
    SWP_TRY(swp_ptx_declare(r, SWP_PTX_REGISTERS, scope, name, kernel->registers, number));
    if (*number == kernel->registers)
        kernel->registers++;
    return SWP_OK;
}

swp_status swp_ptx_open_scope(swp_ptx_reader *r)
{
    swp_ptx_scopes *scopes = &r->scopes;
    int depth = 0;
    for (int s = r->scope; s > 0; s = r->scopes.items[s])
        depth++;
    if (depth >= MOST_SCOPES)
        return swp_ptx_cut_short(r, "braces stand in more than 64 others");
    SWP_TRY(SWP_PUSH(r->ctx, scopes, r->scope));
    r->scope = (int)r->scopes.count - 1;
    return SWP_OK;
}
