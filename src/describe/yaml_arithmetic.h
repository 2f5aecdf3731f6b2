/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of two 64-bit integers, each of which says why it has no result. */
#ifndef SWP_DESCRIBE_YAML_ARITHMETIC_H
#define SWP_DESCRIBE_YAML_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What it makes of two numbers; NULL, or why they have no result. */
typedef const char *swp_yaml_operation(int64_t a, int64_t b, int64_t *result);

swp_yaml_operation swp_describe_yaml_add, swp_describe_yaml_subtract, swp_describe_yaml_multiply,
    swp_describe_yaml_divide;

typedef struct swp_yaml_function {
    const char *name;
    swp_yaml_operation *apply;
    bool of_many; /* of two arguments or more */
} swp_yaml_function;

typedef struct swp_yaml_operator {
    char sign;
    int rank; /* of two, the higher one binds first */
    swp_yaml_operation *apply;
} swp_yaml_operator;

enum { SWP_YAML_FUNCTIONS = 4, SWP_YAML_OPERATORS = 5, SWP_YAML_RANKS = 2 };

extern const swp_yaml_function swp_describe_yaml_functions[SWP_YAML_FUNCTIONS];
extern const swp_yaml_operator swp_describe_yaml_operators[SWP_YAML_OPERATORS];

/* Why two of them have no result. */
extern const char swp_describe_yaml_too_large[];
extern const char swp_describe_yaml_by_zero[];

#endif
