/* SPDX-License-Identifier: Apache-2.0 */
/* Variables and registers of PTX that are declared, and where those in shared memory lie. */
#include "audit/ptx/reader.h"

#include <string.h>

enum { LEAST_ALIGNMENT = 16, DYNAMIC_ALIGNMENT = 1 << 10, MOST_SHARED = 1 << 20 };

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

/* What swp_ptx_add_variable() takes apart. */
typedef struct variable {
    swp_slice front; /* all before the brackets */
    swp_slice name;
    int64_t count; /* of elements; 0: none is given */
} variable;

static size_t length_before(swp_slice text, char end)
{
    size_t length = 0;
    while (length < text.length && text.start[length] != end)
        length++;
    return length;
}

static variable read_variable(swp_slice text)
{
    variable v = {.count = 1};
    text = swp_code_slice_trim((swp_slice){text.start, length_before(text, '=')});
    const size_t end = length_before(text, '[');
    v.front = v.name = swp_code_slice_trim((swp_slice){text.start, end});
    while (v.name.length && memchr(v.name.start, ' ', v.name.length))
        (void)swp_code_slice_take_word(&v.name);
    text = swp_code_slice_after(text, end);
    while (text.length && text.start[0] == '[') {
        swp_slice rest = swp_code_slice_after(text, 1);
        int64_t size = 0;
        if (!swp_code_slice_number(swp_code_slice_take_until(&rest, ']'), &size) || size < 0 ||
            size > MOST_SHARED / (v.count ? v.count : 1))
            size = 0;
        v.count *= size;
        text = swp_code_slice_trim(rest);
    }
    return v;
}

static int64_t alignment_of(const variable *v)
{
    const int64_t alignment = number_behind(v->front, ".align");
    return alignment < LEAST_ALIGNMENT || alignment > MOST_SHARED ? LEAST_ALIGNMENT : alignment;
}

static int64_t aligned(int64_t address, int64_t alignment)
{
    return (address + alignment - 1) / alignment * alignment;
}

swp_status swp_ptx_add_variable(swp_ptx_reader *r, swp_slice text, bool shared)
{
    const variable v = read_variable(text);
    swp_ptx_numbers *variables = &r->variables;
    int number = 0;
    SWP_TRY(
        swp_ptx_declare(r, SWP_PTX_VARIABLES, r->scope, v.name, (int)variables->count, &number));
    if (number != (int)variables->count)
        return SWP_OK;
    if (!shared)
        return SWP_PUSH(r->ctx, variables, -1);
    if (v.count == 0)
        return SWP_PUSH(r->ctx, variables, SWP_PTX_DYNAMIC);
    r->shared = aligned(r->shared, alignment_of(&v));
    SWP_TRY(SWP_PUSH(r->ctx, variables, r->shared));
    r->shared += v.count * element_bytes(v.front);
    return SWP_OK;
}

swp_status swp_ptx_add_registers(swp_ptx_reader *r, swp_slice text)
{
    int number = 0;
    (void)swp_code_slice_take_word(&text);
    while (r->in_kernel && text.length) {
        const swp_slice name = swp_code_slice_take_until(&text, ',');
        if (name.length && !memchr(name.start, '<', name.length) &&
            !memchr(name.start, ' ', name.length))
            SWP_TRY(swp_ptx_declare_register(r, r->scope, name, &number));
    }
    return SWP_OK;
}

void swp_ptx_place_dynamic(const swp_ptx_reader *r)
{
    const int64_t begin = aligned(r->shared, DYNAMIC_ALIGNMENT);
    r->module->dynamic = begin;
    for (size_t i = 0; i < r->module->operands.count; i++) {
        swp_ptx_operand *operand = &r->module->operands.items[i];
        const int64_t offset = operand->value - SWP_PTX_DYNAMIC;
        if (operand->atom == SWP_PTX_VARIABLE && offset > -MOST_SHARED && offset < MOST_SHARED)
            operand->value = begin + offset;
    }
}
