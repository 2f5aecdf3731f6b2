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
typedef struct declaration {
    swp_slice front; /* all before the brackets */
    swp_slice name;
    int64_t count; /* of elements; 0: none is given */
} declaration;

static size_t length_before(swp_slice text, char end)
{
    size_t length = 0;
    while (length < text.length && text.start[length] != end)
        length++;
    return length;
}

static declaration read_variable(swp_slice text)
{
    declaration v = {.count = 1};
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

static int64_t alignment_of(const declaration *v)
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
    const declaration v = read_variable(text);
    swp_ptx_variables *variables = &r->variables;
    const swp_ptx_sizing sizing = !shared       ? SWP_PTX_NOT_SHARED
                                  : v.count > 0 ? SWP_PTX_SIZED
                                                : SWP_PTX_DYNAMIC;
    int number = 0;
    SWP_TRY(
        swp_ptx_declare(r, SWP_PTX_VARIABLES, r->scope, v.name, (int)variables->count, &number));
    if (number != (int)variables->count)
        return SWP_OK;
    return SWP_PUSH(r->ctx, variables,
                    ((swp_ptx_variable){.sizing = sizing,
                                        .bytes = v.count * element_bytes(v.front),
                                        .alignment = alignment_of(&v)}));
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

/* --- addresses --- */

static swp_ptx_operand *variables_of(const swp_ptx_module *module, const swp_ptx_kernel *kernel,
                                     int *count)
{
    const int first = kernel->first < kernel->end ? module->insns.items[kernel->first].first : 0;
    *count = kernel->first < kernel->end ? module->insns.items[kernel->end - 1].end - first : 0;
    return *count ? &module->operands.items[first] : NULL;
}

/* Where what has a size and is named lies, in the order of the declarations; the first address behind. */
static int64_t place_sized(const swp_ptx_variables *variables, int kernel)
{
    int64_t next = 0;
    for (size_t i = 0; i < variables->count; i++) {
        swp_ptx_variable *variable = &variables->items[i];
        if (variable->kernel != kernel || variable->sizing != SWP_PTX_SIZED)
            continue;
        variable->address = aligned(next, variable->alignment);
        next = variable->address + variable->bytes;
    }
    return next;
}

static void place_in(const swp_ptx_reader *r, int number)
{
    const swp_ptx_variables *variables = &r->variables;
    swp_ptx_kernel *kernel = &r->module->kernels.items[number];
    int count = 0;
    swp_ptx_operand *operands = variables_of(r->module, kernel, &count);
    for (int i = 0; i < count; i++)
        if (operands[i].atom == SWP_PTX_VARIABLE)
            variables->items[operands[i].reg].kernel = number + 1;
    kernel->shared_bytes = place_sized(variables, number + 1);
    const int64_t dynamic = aligned(kernel->shared_bytes, DYNAMIC_ALIGNMENT);
    for (int i = 0; i < count; i++) {
        if (operands[i].atom != SWP_PTX_VARIABLE)
            continue;
        const swp_ptx_variable *variable = &variables->items[operands[i].reg];
        operands[i].value += variable->sizing == SWP_PTX_DYNAMIC ? dynamic : variable->address;
    }
}

void swp_ptx_place_variables(const swp_ptx_reader *r)
{
    for (size_t k = 0; k < r->module->kernels.count; k++)
        place_in(r, (int)k);
}
