/* SPDX-License-Identifier: Apache-2.0 */
/* Which line of which source an instruction was compiled from, as `.file` and `.loc` say it. */
#include "audit/ptx/reader.h"

enum { MOST_CALLS = 16 /* functions inlined in one another */, MOST_BACK = 256 };

/* The word in quotes as the file has it: in what is read, strings are blank. */
static swp_slice quoted(const swp_ptx_reader *r, const char *at)
{
    const char *start = r->original + (at - r->blanked);
    const swp_slice whole = {start, (size_t)(r->original_end - start)};
    size_t from = 0;
    size_t to = 0;
    while (from < whole.length && whole.start[from] != '"' && whole.start[from] != '\n')
        from++;
    to = from + 1;
    while (to < whole.length && whole.start[to] != '"' && whole.start[to] != '\n')
        to++;
    const bool is_quoted = to < whole.length && whole.start[from] == '"' && whole.start[to] == '"';
    return is_quoted ? (swp_slice){whole.start + from + 1, to - from - 1} : (swp_slice){0};
}

/* `.file 1 "kernel.cu", 1700000000, 1234` */
swp_status swp_ptx_read_file_line(swp_ptx_reader *r)
{
    const char *start = r->rest.start;
    swp_slice line = swp_ptx_take_line(r);
    int64_t number = 0;
    const swp_slice name = quoted(r, start);
    if (!swp_code_slice_number(swp_code_slice_take_word(&line), &number) || !name.length)
        return SWP_OK;
    const swp_ptx_source source = {(int)number, name};
    return SWP_PUSH(r->ctx, &r->module->sources, source);
}

static bool read_place(swp_slice *line, swp_ptx_line *out)
{
    int64_t numbers[3];
    for (int i = 0; i < 3; i++) {
        swp_slice word = swp_code_slice_take_word(line);
        while (word.length && word.start[word.length - 1] == ',')
            word.length--;
        if (!swp_code_slice_number(word, &numbers[i]) || numbers[i] < 0 || numbers[i] > INT32_MAX)
            return false;
    }
    *out = (swp_ptx_line){(int)numbers[0], (int)numbers[1], (int)numbers[2]};
    return true;
}

static bool is_same(const swp_ptx_line *a, const swp_ptx_line *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

/* The call that all the inlined ones stand in: each place of a call has been named before, with the call around it. */
static swp_ptx_line outermost(const swp_ptx_reader *r, swp_ptx_line place)
{
    const swp_ptx_calls *calls = &r->calls;
    for (int depth = 0; depth < MOST_CALLS; depth++) {
        size_t i = calls->count;
        const size_t end = calls->count > MOST_BACK ? calls->count - MOST_BACK : 0;
        while (i > end && !is_same(&calls->items[i - 1].place, &place))
            i--;
        if (i == end)
            break;
        place = calls->items[i - 1].from;
    }
    return place;
}

/* `.loc 1 50 3` or `.loc 2 7 1, function_name $L, inlined_at 1 50 3` */
swp_status swp_ptx_read_loc(swp_ptx_reader *r)
{
    swp_slice line = swp_ptx_take_line(r);
    swp_ptx_call call = {0};
    r->source = r->caller = (swp_ptx_line){0};
    if (!read_place(&line, &call.place))
        return SWP_OK;
    r->source = call.place;
    while (line.length)
        if (swp_code_slice_is(swp_code_slice_take_word(&line), "inlined_at") &&
            read_place(&line, &call.from)) {
            r->caller = outermost(r, call.from);
            return SWP_PUSH(r->ctx, &r->calls, call);
        }
    return SWP_OK;
}

swp_slice swp_ptx_source_of(const swp_ptx_module *module, int number)
{
    for (size_t i = 0; i < module->sources.count; i++)
        if (module->sources.items[i].number == number)
            return module->sources.items[i].name;
    return (swp_slice){0};
}
