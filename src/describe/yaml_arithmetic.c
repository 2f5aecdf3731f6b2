/* SPDX-License-Identifier: Apache-2.0 */
/* Adds, multiplies and divides with an error for whatever leaves the 64-bit integers, in two tables by sign and name. */
#include "describe/yaml_arithmetic.h"

const char swp_describe_yaml_too_large[] = "is beyond 64 bits";
const char swp_describe_yaml_by_zero[] = "divides by zero";

const char *swp_describe_yaml_add(int64_t a, int64_t b, int64_t *result)
{
    return __builtin_add_overflow(a, b, result) ? swp_describe_yaml_too_large : NULL;
}

const char *swp_describe_yaml_subtract(int64_t a, int64_t b, int64_t *result)
{
    return __builtin_sub_overflow(a, b, result) ? swp_describe_yaml_too_large : NULL;
}

const char *swp_describe_yaml_multiply(int64_t a, int64_t b, int64_t *result)
{
    return __builtin_mul_overflow(a, b, result) ? swp_describe_yaml_too_large : NULL;
}

static const char *floor_divide(int64_t a, int64_t b, int64_t *result)
{
    if (b == 0)
        return swp_describe_yaml_by_zero;
    if (b == -1)
        return swp_describe_yaml_subtract(0, a, result);
    *result = a / b - (a % b != 0 && (a % b < 0) != (b < 0));
    return NULL;
}

static const char *ceil_divide(int64_t a, int64_t b, int64_t *result)
{
    if (b == 0)
        return swp_describe_yaml_by_zero;
    if (b == -1)
        return swp_describe_yaml_subtract(0, a, result);
    *result = a / b + (a % b != 0 && (a % b < 0) == (b < 0));
    return NULL;
}

const char *swp_describe_yaml_divide(int64_t a, int64_t b, int64_t *result)
{
    const char *why = floor_divide(a, b, result);
    if (!why && b != -1 && a % b != 0)
        why = "is no whole number";
    return why;
}

/* What floor_div leaves. */
static const char *remain(int64_t a, int64_t b, int64_t *result)
{
    if (b == 0)
        return swp_describe_yaml_by_zero;
    *result = b == -1 ? 0 : a % b;
    *result += *result != 0 && (*result < 0) != (b < 0) ? b : 0;
    return NULL;
}

static const char *least(int64_t a, int64_t b, int64_t *result)
{
    *result = a < b ? a : b;
    return NULL;
}

static const char *most(int64_t a, int64_t b, int64_t *result)
{
    *result = a > b ? a : b;
    return NULL;
}

const swp_yaml_function swp_describe_yaml_functions[SWP_YAML_FUNCTIONS] = {
    {"min", least, true},
    {"max", most, true},
    {"floor_div", floor_divide, false},
    {"ceil_div", ceil_divide, false},
};

const swp_yaml_operator swp_describe_yaml_operators[SWP_YAML_OPERATORS] = {
    {'+', 0, swp_describe_yaml_add},
    {'-', 0, swp_describe_yaml_subtract},
    {'*', 1, swp_describe_yaml_multiply},
    {'/', 1, swp_describe_yaml_divide},
    {'%', 1, remain},
};
