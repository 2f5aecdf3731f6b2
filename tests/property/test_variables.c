/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random expressions against arithmetic of 128 bits, and random ranges against what they stand for, written
 * out here. SWP_SEED replays a run.
 */
#include "describe/yaml_scope.h"
#include "fixture.h"
#include "random.h"
#include "same_loop.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { EXPRESSION_CASES = 20000, RANGE_CASES = 400, TEXT_SIZE = 1 << 16, MOST_NAMES = 4 };

/* A text that ends where it is full, as no case here should. */
typedef struct text {
    char items[TEXT_SIZE];
    size_t count;
} text;

__attribute__((format(printf, 2, 3))) static void add(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    t->count += (size_t)vsnprintf(t->items + t->count, TEXT_SIZE - t->count, format, arguments);
    va_end(arguments);
    assert_true(t->count < TEXT_SIZE);
}

/* ---------------------------------------------------------------- expressions */

__extension__ typedef __int128 wide;

/* A value within 64 bits; `none` once a part has left them or is not defined. */
typedef struct number {
    wide value;
    bool none;
} number;

static const swp_yaml_binding known[] = {
    {"a", NULL, 7}, {"b", NULL, -3}, {"zero", NULL, 0}, {"huge", NULL, INT64_MAX}};

static number within(number n)
{
    n.none = n.none || n.value > INT64_MAX || n.value < INT64_MIN;
    return n;
}

static wide floor_of(wide a, wide b)
{
    const wide toward_zero = a / b;
    const bool below = toward_zero * b != a && (a < 0) != (b < 0);
    return toward_zero - below;
}

static number combine(number a, char sign, number b)
{
    number result = {0, a.none || b.none};
    if (result.none)
        return result;
    if (sign == '+' || sign == '-' || sign == '*') {
        result.value = sign == '+' ? a.value + b.value : sign == '-' ? a.value - b.value : 0;
        if (sign == '*')
            result.value = a.value * b.value;
        return within(result);
    }
    if (b.value == 0)
        return (number){0, true};
    const wide down = floor_of(a.value, b.value);
    const bool exact = down * b.value == a.value;
    if (sign == '%') {
        result.value = a.value - down * b.value;
        return result;
    }
    result.none = sign == '/' && !exact;
    result.value = down + (sign == 'c' && !exact);
    return within(result);
}

static number random_sum(test_random *random, text *t, int depth);

static number random_function(test_random *random, text *t, int depth)
{
    static const char *const names[] = {"min", "max", "floor_div", "ceil_div"};
    const int which = random_int(random, 0, 3);
    add(t, "%s(", names[which]);
    const number a = random_sum(random, t, depth - 1);
    add(t, ", ");
    const number b = random_sum(random, t, depth - 1);
    add(t, ")");
    if (which >= 2)
        return combine(a, which == 2 ? 'f' : 'c', b);
    if (a.none || b.none)
        return (number){0, true};
    return (a.value < b.value) == (which == 0) ? a : b;
}

static number random_operand(test_random *random, text *t, int depth)
{
    const int kind = random_int(random, 0, depth > 0 ? 5 : 2);
    if (kind <= 1) {
        const int value = random_int(random, 0, 40);
        add(t, "%d", value);
        return (number){value, false};
    }
    if (kind == 2) {
        const swp_yaml_binding *name = &known[random_int(random, 0, COUNT_OF(known) - 1)];
        add(t, "%s", name->name);
        return (number){name->number, false};
    }
    if (kind == 3)
        return random_function(random, t, depth);
    if (kind == 4) {
        add(t, "-");
        return combine((number){0, false}, '-', random_operand(random, t, depth - 1));
    }
    add(t, "(");
    const number inner = random_sum(random, t, depth - 1);
    add(t, ")");
    return inner;
}

static number random_product(test_random *random, text *t, int depth)
{
    number value = random_operand(random, t, depth);
    while (random_chance(random, 30)) {
        const char sign = "*/%"[random_int(random, 0, 2)];
        add(t, random_chance(random, 50) ? " %c " : "%c", sign);
        value = combine(value, sign, random_operand(random, t, depth));
    }
    return value;
}

static number random_sum(test_random *random, text *t, int depth)
{
    number value = random_product(random, t, depth);
    while (random_chance(random, 30)) {
        const char sign = "+-"[random_int(random, 0, 1)];
        add(t, random_chance(random, 50) ? " %c " : "%c", sign);
        value = combine(value, sign, random_product(random, t, depth));
    }
    return value;
}

static void expressions_are_arithmetic_of_64_bits(void **state)
{
    swp_context *ctx = *state;
    const uint64_t seed = random_seed(20261122);
    const size_t cases = random_sample(EXPRESSION_CASES);
    size_t with_value = 0;
    text *t = test_malloc(sizeof *t);
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_yaml_reader reader = {.ctx = ctx};
        swp_yaml_scope scope = {.reader = &reader};
        int64_t value = 0;
        bool found = false;
        t->count = 0;
        scope.bindings.items = (swp_yaml_binding *)known;
        scope.bindings.count = COUNT_OF(known);
        const number expected = random_sum(&random, t, 4);
        const swp_yaml_slice slice = {t->items, t->count, {NULL, 1, 1}, true};
        swp_context_clear_diags(ctx);
        assert_ok(ctx, swp_describe_yaml_evaluate(&scope, &slice, &value, &found));
        if (found == expected.none || (found && value != expected.value))
            fail_msg("case %zu: %s is %s%" PRId64, i, t->items, found ? "" : "not ", value);
        with_value += found;
    }
    assert_true(with_value > cases / 4 && with_value < cases);
    test_free(t);
}

/* ---------------------------------------------------------------- ranges */

/* A name of a range, in the order of nesting, and what it stands for where the case is written out. */
typedef struct name {
    int first;
    int count;
    bool words;
    int now; /* from 0 */
} name;

typedef struct ranges {
    name items[MOST_NAMES];
    int count;
} ranges;

static const char letters[] = "ijkl";

static ranges random_ranges(test_random *random)
{
    ranges r = {.count = random_int(random, 1, MOST_NAMES)};
    for (int i = 0; i < r.count; i++) {
        r.items[i] = (name){.first = random_chance(random, 50) ? random_int(random, -2, 3) : 0,
                            .count = random_int(random, 0, 3),
                            .words = random_chance(random, 25)};
        if (r.items[i].words && r.items[i].count == 0)
            r.items[i].count = 1;
    }
    return r;
}

static void add_series(text *t, const name *n)
{
    if (n->words) {
        add(t, "[");
        for (int i = 0; i < n->count; i++)
            add(t, "%sw%d", i ? ", " : "", i);
        add(t, "]");
    } else if (n->first == 0) {
        add(t, n->count == 2 ? "${two}" : "%d", n->count);
    } else {
        add(t, "[%d, %d]", n->first, n->first + n->count - 1);
    }
}

/* `from` to `to` of the names, as one `for`. */
static void add_for(text *t, const ranges *r, int from, int to)
{
    add(t, "for: {");
    for (int i = from; i < to; i++) {
        add(t, "%s%c: ", i > from ? ", " : "", letters[i]);
        add_series(t, &r->items[i]);
    }
    add(t, "}");
}

/* One element, with expressions or with what they are. */
static void add_element(text *t, const ranges *r, const char *start, const char *of, bool out)
{
    add(t, "{%s: %s", start, of);
    for (int i = 0; i < r->count; i++)
        if (!out)
            add(t, "_${%c}", letters[i]);
        else if (r->items[i].words)
            add(t, "_w%d", r->items[i].now);
        else
            add(t, "_%d", r->items[i].first + r->items[i].now);
}

static void add_value_or_op(text *t, const ranges *r, int which, bool op, bool out)
{
    char name_of[32];
    (void)snprintf(name_of, sizeof name_of, "%c%d", op ? 'O' : 'v', which);
    add_element(t, r, op ? "op" : "value", name_of, out);
    const name *last = &r->items[r->count - 1];
    if (last->words)
        add(t, op ? ", latency: 1" : ", space: registers, bytes: 8");
    else if (out)
        add(t, op ? ", latency: %d" : ", space: registers, bytes: %d",
            2 * (last->first + last->now) + 10);
    else
        add(t, op ? ", latency: ${two * %c + 10}" : ", space: registers, bytes: ${two * %c + 10}",
            letters[r->count - 1]);
    add(t, "}");
}

/* All that the ranges stand for, from this name on. */
static void write_out(text *t, ranges *r, int at, int which, bool op)
{
    if (at == r->count) {
        add(t, "    - ");
        add_value_or_op(t, r, which, op, true);
        add(t, "\n");
        return;
    }
    for (r->items[at].now = 0; r->items[at].now < r->items[at].count; r->items[at].now++)
        write_out(t, r, at + 1, which, op);
}

/* As one element, or with `do` after some of the names. */
static void write_short(text *t, const ranges *r, int split, int which, bool op)
{
    add(t, "    - {");
    add_for(t, r, 0, split);
    if (split < r->count) {
        add(t, ", do: [{");
        add_for(t, r, split, r->count);
        add(t, ", do: [");
        add_value_or_op(t, r, which, op, false);
        add(t, "]}]}\n");
        return;
    }
    text *element = test_calloc(1, sizeof *element);
    add_value_or_op(element, r, which, op, false);
    add(t, ", %s\n", element->items + 1);
    test_free(element);
}

static void ranges_stand_for_what_is_written_out(void **state)
{
    swp_context *ctx = *state;
    const uint64_t seed = random_seed(20261122);
    const size_t cases = random_sample(RANGE_CASES);
    text *texts = test_malloc(2 * sizeof *texts);
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        ranges list[3];
        const int count = random_int(&random, 1, (int)COUNT_OF(list));
        texts[0].count = texts[1].count = 0;
        add(&texts[0], "swp: 1\nvariables: {one: 1, two: '${one + 1}'}\nloop:\n");
        add(&texts[1], "swp: 1\nloop:\n");
        for (int j = 0; j < count; j++)
            list[j] = random_ranges(&random);
        for (int op = 0; op < 2; op++) {
            for (int k = 0; k < 2; k++)
                add(&texts[k], op ? "  ops:\n    - {op: FIRST, latency: 1}\n"
                                  : "  values:\n    - "
                                    "{value: first, space: shared}\n");
            for (int j = 0; j < count; j++) {
                write_short(&texts[0], &list[j], random_int(&random, 1, list[j].count), j, op);
                write_out(&texts[1], &list[j], 0, j, op);
            }
        }
        const swp_loop a = loop_of_yaml(ctx, texts[0].items);
        const swp_loop b = loop_of_yaml(ctx, texts[1].items);
        assert_same_loop(&a, &b);
    }
    test_free(texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(expressions_are_arithmetic_of_64_bits),
        CONTEXT_TEST(ranges_stand_for_what_is_written_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
