/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the values of configuration fields as text, and lists which there are. */
#include "swp/fields.h"

#include "base/diag.h"
#include "base/names.h"
#include "base/require.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const swp_name strategy_names[] = {SWP_STRATEGIES(SWP_NAME_ROW)};
static const swp_name sync_mode_names[] = {SWP_SYNC_MODES(SWP_NAME_ROW)};
static const swp_name sync_goal_names[] = {SWP_SYNC_GOALS(SWP_NAME_ROW)};
static const swp_name frag_order_names[] = {SWP_FRAG_ORDERS(SWP_NAME_ROW)};
static const swp_name barrier_kind_names[] = {SWP_BARRIER_KINDS(SWP_NAME_ROW)};
static const swp_name register_mode_names[] = {SWP_REGISTER_MODES(SWP_NAME_ROW)};
static const swp_name counter_full_names[] = {SWP_COUNTER_FULL_MODES(SWP_NAME_ROW)};

const char *swp_register_mode_name(swp_register_mode mode)
{
    return swp_name_of(register_mode_names, SWP_COUNT_OF(register_mode_names), (int)mode);
}

/* Returns the names of an enumerated kind, or NULL for the other kinds. */
static const swp_name *names_of_kind(swp_field_kind kind, size_t *count)
{
    switch (kind) {
    case SWP_FIELD_STRATEGY:
        *count = SWP_COUNT_OF(strategy_names);
        return strategy_names;
    case SWP_FIELD_SYNC_MODE:
        *count = SWP_COUNT_OF(sync_mode_names);
        return sync_mode_names;
    case SWP_FIELD_SYNC_GOAL:
        *count = SWP_COUNT_OF(sync_goal_names);
        return sync_goal_names;
    case SWP_FIELD_FRAG_ORDER:
        *count = SWP_COUNT_OF(frag_order_names);
        return frag_order_names;
    case SWP_FIELD_BARRIER_KIND:
        *count = SWP_COUNT_OF(barrier_kind_names);
        return barrier_kind_names;
    case SWP_FIELD_REGISTER_MODE:
        *count = SWP_COUNT_OF(register_mode_names);
        return register_mode_names;
    case SWP_FIELD_COUNTER_FULL:
        *count = SWP_COUNT_OF(counter_full_names);
        return counter_full_names;
    default:
        *count = 0;
        return NULL;
    }
}

static bool ints_in_range(const swp_field *field, const int *values, int count)
{
    for (int i = 0; i < count; i++)
        if (values[i] < field->least || values[i] > field->most)
            return false;
    return true;
}

bool swp_field_in_domain(const swp_field *field, const swp_settings *settings)
{
    SWP_REQUIRE_OR(false, field && settings);
    const void *value = (const char *)settings + field->offset;
    const int *ints = value;
    size_t count = 0;
    const swp_name *names = names_of_kind(field->kind, &count);
    if (names)
        return swp_name_of(names, count, ints[0]) != NULL;
    switch (field->kind) {
    case SWP_FIELD_INT:
        return ints_in_range(field, ints, 1);
    case SWP_FIELD_TRIPLE:
        return ints_in_range(field, ints, 3);
    case SWP_FIELD_STAGGER: {
        const swp_warp_stagger *stagger = value;
        return stagger->rule != SWP_STAGGER_FIXED || stagger->amount >= 0;
    }
    default:
        return true;
    }
}

void swp_field_domain(const swp_field *field, char text[SWP_FIELD_TEXT_SIZE])
{
    SWP_REQUIRE_OR(, field && text);
    size_t count = 0;
    const swp_name *names = names_of_kind(field->kind, &count);
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && length < SWP_FIELD_TEXT_SIZE; i++)
        length += (size_t)snprintf(text + length, SWP_FIELD_TEXT_SIZE - length, "%s%s",
                                   i ? "|" : "", names[i].name);
    if (names)
        return;
    switch (field->kind) {
    case SWP_FIELD_BOOL:
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "true|false");
        break;
    case SWP_FIELD_MASK:
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "64 bits: decimal, 0x or 0b");
        break;
    case SWP_FIELD_LOOP_CARRIED:
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "none|fragment_zero|fragment_load:N");
        break;
    case SWP_FIELD_STAGGER:
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "none|auto|fixed(N)");
        break;
    case SWP_FIELD_TRIPLE:
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "three of %" PRId64 "..%" PRId64, field->least,
                       field->most);
        break;
    default:
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "%" PRId64 "..%" PRId64, field->least,
                       field->most);
        break;
    }
}

typedef enum parsed { PARSED, NOT_A_VALUE, OUT_OF_RANGE } parsed;

/* Reads a decimal integer from `text` up to `end`. */
static parsed parse_int(const char *text, const char *end, int64_t least, int64_t most, int *out)
{
    const char *digits = *text == '-' || *text == '+' ? text + 1 : text;
    if (digits == end)
        return NOT_A_VALUE;
    for (const char *c = digits; c < end; c++)
        if (*c < '0' || *c > '9')
            return NOT_A_VALUE;
    errno = 0;
    const long long value = strtoll(text, NULL, 10);
    if (errno == ERANGE || value < least || value > most)
        return OUT_OF_RANGE;
    *out = (int)value;
    return PARSED;
}

static parsed parse_mask(const char *text, uint64_t *out)
{
    int base = 10;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'b')) {
        base = text[1] == 'x' ? 16 : 2;
        text += 2;
    }
    const char *allowed = base == 16 ? "0123456789abcdefABCDEF" : base == 2 ? "01" : "0123456789";
    if (*text == '\0' || text[strspn(text, allowed)] != '\0')
        return NOT_A_VALUE;
    errno = 0;
    const unsigned long long value = strtoull(text, NULL, base);
    if (errno == ERANGE)
        return OUT_OF_RANGE;
    *out = value;
    return PARSED;
}

static parsed parse_triple(const swp_field *field, const char *text, int out[3])
{
    int values[3] = {0};
    for (int i = 0; i < 3; i++) {
        const char *comma = strchr(text, ',');
        if (!comma != (i == 2))
            return NOT_A_VALUE;
        const char *end = comma ? comma : text + strlen(text);
        const parsed result = parse_int(text, end, field->least, field->most, &values[i]);
        if (result != PARSED)
            return result;
        text = end + 1;
    }
    memcpy(out, values, sizeof values);
    return PARSED;
}

static parsed parse_stagger(const char *text, swp_warp_stagger *out)
{
    if (strcmp(text, "none") == 0) {
        *out = swp_warp_stagger_none();
        return PARSED;
    }
    if (strcmp(text, "auto") == 0) {
        *out = swp_warp_stagger_auto();
        return PARSED;
    }
    const size_t length = strlen(text);
    if (length < 8 || strncmp(text, "fixed(", 6) != 0 || text[length - 1] != ')')
        return NOT_A_VALUE;
    int amount = 0;
    const parsed result = parse_int(text + 6, text + length - 1, 0, SWP_MOST_ACCESSES, &amount);
    if (result == PARSED)
        *out = swp_warp_stagger_fixed(amount);
    return result;
}

static parsed parse_loop_carried(const char *text, swp_loop_carried *out)
{
    if (strcmp(text, "none") == 0) {
        *out = swp_loop_carried_none();
        return PARSED;
    }
    if (strcmp(text, "fragment_zero") == 0) {
        *out = swp_loop_carried_fragment_zero();
        return PARSED;
    }
    const char *colon = strchr(text, ':');
    char role[32];
    if (!colon || (size_t)(colon - text) >= sizeof role)
        return NOT_A_VALUE;
    (void)snprintf(role, sizeof role, "%.*s", (int)(colon - text), text);
    swp_loop_carried result = {SWP_ROLE_NONE, 0};
    /* Only a fragment load can carry the loop; rules then go by the subtile alone. */
    if (!swp_role_from_name(role, &result.role) || result.role != SWP_FRAGMENT_LOAD)
        return NOT_A_VALUE;
    const parsed subtile =
        parse_int(colon + 1, text + strlen(text), 0, SWP_MOST_ACCESSES, &result.selector);
    if (subtile == PARSED)
        *out = result;
    return subtile;
}

static parsed parse_bool(const char *text, bool *out)
{
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return NOT_A_VALUE;
    *out = text[0] == 't';
    return PARSED;
}

static parsed parse_value(const swp_field *field, const char *text, void *value)
{
    switch (field->kind) {
    case SWP_FIELD_INT:
        return parse_int(text, text + strlen(text), field->least, field->most, value);
    case SWP_FIELD_BOOL:
        return parse_bool(text, value);
    case SWP_FIELD_MASK:
        return parse_mask(text, value);
    case SWP_FIELD_TRIPLE:
        return parse_triple(field, text, value);
    case SWP_FIELD_STAGGER:
        return parse_stagger(text, value);
    case SWP_FIELD_LOOP_CARRIED:
        return parse_loop_carried(text, value);
    default: {
        size_t count = 0;
        const swp_name *names = names_of_kind(field->kind, &count);
        /* Enumerations have the size of an int; see the assertion below. */
        return swp_number_of(names, count, text, value) ? PARSED : NOT_A_VALUE;
    }
    }
}

_Static_assert(sizeof(swp_strategy) == sizeof(int), "enumerations are stored through int");

swp_status swp_field_parse(swp_context *ctx, const swp_field *field, const char *text,
                           swp_place place, swp_settings *settings)
{
    SWP_REQUIRE(ctx, ctx && field && text && settings);
    const parsed result = parse_value(field, text, (char *)settings + field->offset);
    if (result == PARSED)
        return SWP_OK;
    char domain[SWP_FIELD_TEXT_SIZE];
    swp_field_domain(field, domain);
    char path[SWP_FIELD_PATH_SIZE];
    return swp_error(ctx, result == OUT_OF_RANGE ? SWP_E0105 : SWP_E0104, place, field->meaning,
                     "%s is '%s', but must be %s%s%s", swp_field_path(field, path), text, domain,
                     *field->unit ? " " : "", field->unit);
}

static void format_stagger(swp_warp_stagger stagger, char *text)
{
    if (stagger.rule == SWP_STAGGER_FIXED)
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "fixed(%d)", stagger.amount);
    else
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "%s",
                       stagger.rule == SWP_STAGGER_AUTO ? "auto" : "none");
}

static void format_loop_carried(swp_loop_carried carried, char *text)
{
    if (carried.role == SWP_ROLE_NONE)
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "none");
    else if (carried.role == SWP_FRAGMENT_LOAD && carried.selector == 0)
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "fragment_zero");
    else
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "%s:%d", swp_role_name(carried.role),
                       carried.selector);
}

void swp_field_format(const swp_field *field, const swp_settings *settings,
                      char text[SWP_FIELD_TEXT_SIZE])
{
    SWP_REQUIRE_OR(, field && settings && text);
    const void *value = (const char *)settings + field->offset;
    const int *ints = value;
    size_t count = 0;
    const swp_name *names = names_of_kind(field->kind, &count);
    switch (field->kind) {
    case SWP_FIELD_INT:
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "%d", ints[0]);
        break;
    case SWP_FIELD_BOOL:
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "%s", *(const bool *)value ? "true" : "false");
        break;
    case SWP_FIELD_MASK:
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "0x%" PRIx64, *(const uint64_t *)value);
        break;
    case SWP_FIELD_TRIPLE:
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "%d,%d,%d", ints[0], ints[1], ints[2]);
        break;
    case SWP_FIELD_STAGGER:
        format_stagger(*(const swp_warp_stagger *)value, text);
        break;
    case SWP_FIELD_LOOP_CARRIED:
        format_loop_carried(*(const swp_loop_carried *)value, text);
        break;
    default: {
        const char *name = swp_name_of(names, count, ints[0]);
        (void)snprintf(text, SWP_FIELD_TEXT_SIZE, "%s", name ? name : "?");
        break;
    }
    }
}
