/* SPDX-License-Identifier: Apache-2.0 */
#include "same_loop.h"

#include "fixture.h"

#include <string.h>

swp_loop loop_of_yaml(swp_context *ctx, const char *text)
{
    swp_description *description = NULL;
    swp_loop loop = {0};
    assert_ok(ctx, swp_description_read_yaml(ctx, text, strlen(text), "text", &description));
    assert_ok(ctx, swp_description_loop(ctx, description, 0, &loop));
    return loop;
}

static void assert_same_numbers(const int *a, size_t a_count, const int *b, size_t b_count)
{
    assert_int_equal(a_count, b_count);
    for (size_t i = 0; i < a_count; i++)
        assert_int_equal(a[i], b[i]);
}

static void assert_same_value(const swp_loop_value *a, const swp_loop_value *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->space, b->space);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->bytes_of, b->bytes_of);
    assert_int_equal(a->least_slots, b->least_slots);
    assert_int_equal(a->most_slots, b->most_slots);
}

static void assert_same_op(const swp_loop_op *a, const swp_loop_op *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->latency, b->latency);
    assert_int_equal(a->completion, b->completion);
    assert_int_equal(a->read_cycles, b->read_cycles);
    assert_int_equal(a->accesses, b->accesses);
    assert_int_equal(a->role, b->role);
    assert_int_equal(a->when.kind, b->when.kind);
    assert_int_equal(a->when.every, b->when.every);
    assert_int_equal(a->when.offset, b->when.offset);
    assert_int_equal(a->use_count, b->use_count);
    for (size_t i = 0; i < a->use_count; i++) {
        assert_int_equal(a->uses[i].resource, b->uses[i].resource);
        assert_int_equal(a->uses[i].amount, b->uses[i].amount);
        assert_int_equal(a->uses[i].cycles, b->uses[i].cycles);
    }
    assert_int_equal(a->read_count, b->read_count);
    for (size_t i = 0; i < a->read_count; i++) {
        assert_int_equal(a->reads[i].value, b->reads[i].value);
        assert_int_equal(a->reads[i].distance, b->reads[i].distance);
    }
    assert_same_numbers(a->writes, a->write_count, b->writes, b->write_count);
    assert_same_numbers(a->updates, a->update_count, b->updates, b->update_count);
}

void assert_same_loop(const swp_loop *a, const swp_loop *b)
{
    assert_int_equal(a->unit_count, b->unit_count);
    for (size_t i = 0; i < a->unit_count; i++) {
        assert_string_equal(a->units[i].name, b->units[i].name);
        assert_int_equal(a->units[i].capacity, b->units[i].capacity);
    }
    assert_int_equal(a->value_count, b->value_count);
    for (size_t i = 0; i < a->value_count; i++)
        assert_same_value(&a->values[i], &b->values[i]);
    assert_int_equal(a->op_count, b->op_count);
    for (size_t i = 0; i < a->op_count; i++)
        assert_same_op(&a->ops[i], &b->ops[i]);
    assert_int_equal(a->role_count, b->role_count);
    for (size_t i = 0; i < a->role_count; i++) {
        assert_string_equal(a->roles[i].name, b->roles[i].name);
        assert_int_equal(a->roles[i].warps, b->roles[i].warps);
        assert_int_equal(a->roles[i].instances, b->roles[i].instances);
        assert_int_equal(a->roles[i].registers, b->roles[i].registers);
    }
    assert_int_equal(a->signal, b->signal);
    assert_int_equal(a->shared_budget, b->shared_budget);
    assert_int_equal(a->least_resident, b->least_resident);
    assert_int_equal(a->most_resident, b->most_resident);
    assert_int_equal(a->lane_registers, b->lane_registers);
    assert_int_equal(a->lanes, b->lanes);
    assert_memory_equal(a->objectives, b->objectives, sizeof a->objectives);
}
