/* SPDX-License-Identifier: Apache-2.0 */
#include "gfx9_program.h"

#include <stdio.h>
#include <string.h>

/* Lines that set registers before anything else. */
enum { FIRST = 12 };

static int random_below(test_random *random, int count)
{
    return random_int(random, 0, count - 1);
}

uint32_t gfx9_random_word(test_random *random)
{
    const uint32_t high = (uint32_t)random_below(random, 1 << 16);
    return high << 16U | (uint32_t)random_below(random, 1 << 16);
}

/* Constants that both widths read alike; lanes and shifts among them. */
static operand constant(test_random *random)
{
    return (operand){CONSTANT, random_below(random, 81) - 16};
}

static operand scalar(test_random *random)
{
    return (operand){SCALAR, random_below(random, 6)};
}

static operand pair(test_random *random, bool exec)
{
    static const int firsts[] = {8, 10, VCC};
    if (exec && random_chance(random, 10))
        return (operand){PAIR, EXEC};
    return (operand){PAIR, firsts[random_below(random, 3)]};
}

static operand vector(test_random *random)
{
    return (operand){VECTOR, random_below(random, VECTORS)};
}

static operand any_scalar(test_random *random)
{
    return random_below(random, 3) ? scalar(random) : constant(random);
}

static operand any_vector(test_random *random)
{
    const int which = random_below(random, 6);
    return which == 0 ? constant(random) : vector(random);
}

static operand any_pair(test_random *random)
{
    return random_below(random, 4) ? pair(random, true) : constant(random);
}

/* At most one scalar register may be read by a vector instruction; it stands first. */
static operand first_of_vector(test_random *random)
{
    return random_below(random, 4) ? any_vector(random) : scalar(random);
}

static line instruction(test_random *random)
{
    line l = {.op = random_below(random, gfx9_op_count())};
    switch (gfx9_form(l.op)) {
    case SCALAR_2:
    case CHOOSE:
        l.to = scalar(random);
        l.from[0] = any_scalar(random);
        l.from[1] = any_scalar(random);
        break;
    case SCALAR_1:
        l.to = scalar(random);
        l.from[0] = any_scalar(random);
        break;
    case SCALAR_K:
        l.to = scalar(random);
        l.from[0] = l.to;
        l.from[1] = constant(random);
        break;
    case COMPARE:
        l.from[0] = any_scalar(random);
        l.from[1] = any_scalar(random);
        break;
    case PAIR_2:
    case CHOOSE_PAIR:
        l.to = pair(random, true);
        l.from[0] = any_pair(random);
        l.from[1] = any_pair(random);
        break;
    case PAIR_1:
        l.to = pair(random, true);
        l.from[0] = any_pair(random);
        break;
    case SAVE_EXEC:
        l.to = pair(random, false);
        l.from[0] = pair(random, false);
        break;
    case VECTOR_1:
    case VECTOR_2:
    case VECTOR_3:
        l.to = vector(random);
        l.from[0] = first_of_vector(random);
        l.from[1] = any_vector(random);
        l.from[2] = any_vector(random);
        break;
    case VECTOR_COMPARE:
        l.to = pair(random, false);
        l.from[0] = first_of_vector(random);
        l.from[1] = any_vector(random);
        break;
    case SELECT:
        l.to = vector(random);
        l.from[0] = any_vector(random);
        l.from[1] = any_vector(random);
        l.from[2] = pair(random, false);
        break;
    case FIRST_LANE:
        l.to = scalar(random);
        l.from[0] = vector(random);
        break;
    case READ_LANE:
        l.to = scalar(random);
        l.from[0] = vector(random);
        l.from[1] = any_scalar(random);
        break;
    case WRITE_LANE:
        l.to = vector(random);
        l.from[0] = any_scalar(random);
        l.from[1] = any_scalar(random);
        break;
    default:
        l.to = vector(random);
        l.from[0] = first_of_vector(random);
        l.from[1] = any_vector(random);
        break;
    }
    return l;
}

/* A register set to a constant, or to one that is known. */
static line setting(test_random *random)
{
    static const char *const moves[] = {"s_mov_b32", "s_mov_b64", "v_mov_b32_e32"};
    const int which = random_below(random, 3);
    line l = {.from = {constant(random)}};
    for (int i = 0; i < gfx9_op_count(); i++)
        if (strcmp(gfx9_name(i), moves[which]) == 0)
            l.op = i;
    l.to = which == 0   ? scalar(random)
           : which == 1 ? pair(random, false)
                        : (operand){VECTOR, 1 + random_below(random, VECTORS - 1)};
    if (which == 2 && random_chance(random, 50))
        l.from[0] = (operand){VECTOR, 0};
    return l;
}

gfx9_program gfx9_random_program(test_random *random)
{
    gfx9_program p = {.count = 30 + random_below(random, MOST_CODE - 30)};
    const bool loops = random_below(random, 2);
    const int start = loops ? FIRST / 2 + random_below(random, p.count - 10) : p.count;
    const int end = loops ? start + 2 + random_below(random, p.count - start - 2) : p.count;
    p.turns = 1 + random_below(random, MOST_TURNS - 1);
    for (int i = 0; i < p.count; i++) {
        /* Programs that compute from what is known, at first. */
        if (i < FIRST && i < start) {
            p.lines[i] = setting(random);
            continue;
        }
        const int last = i < start ? start : i < end ? end : p.count;
        p.lines[i] = instruction(random);
        if (random_below(random, 7) == 0 && i + 2 < last) {
            p.lines[i].flow = random_below(random, 4) ? BRANCH : JUMP;
            p.lines[i].op = random_below(random, GFX9_BRANCHES);
            p.lines[i].label = i + 1 + random_below(random, last - i - 1);
        }
    }
    if (loops) {
        p.lines[start].flow = LOOP_START;
        p.lines[end].flow = LOOP_END;
        p.lines[end].label = start;
    }
    return p;
}

#define PUT(t, ...)                                                                                \
    ((t)->length +=                                                                                \
     (size_t)snprintf((t)->bytes + (t)->length, sizeof(t)->bytes - (t)->length, __VA_ARGS__))

static void put_operand(text *t, operand o)
{
    if (o.kind == CONSTANT)
        PUT(t, "%d", o.number);
    else if (o.kind == SCALAR)
        PUT(t, "s%d", o.number);
    else if (o.kind == VECTOR)
        PUT(t, "v%d", o.number);
    else if (o.number == VCC || o.number == EXEC)
        PUT(t, "%s", o.number == VCC ? "vcc" : "exec");
    else
        PUT(t, "s[%d:%d]", o.number, o.number + 1);
}

static void put_instruction(text *t, const line *l)
{
    const form f = gfx9_form(l->op);
    PUT(t, "%s ", gfx9_name(l->op));
    if (f != COMPARE)
        put_operand(t, l->to);
    for (int i = f == SCALAR_K; i < gfx9_sources(f); i++) {
        PUT(t, "%s", f == COMPARE && i == 0 ? "" : ", ");
        put_operand(t, l->from[i]);
    }
    PUT(t, "%s\n", strcmp(gfx9_name(l->op), "v_bitop3_b32") == 0 ? " bitop3:0xe8" : "");
}

void gfx9_put_program(text *t, const gfx9_program *p)
{
    PUT(t, ".amdgcn_target \"amdgcn-amd-amdhsa--gfx950\"\n.amdhsa_kernel k\nk:\n");
    PUT(t, "s_movk_i32 s%d, %d\n", COUNTER, p->turns);
    for (int i = 0; i < p->count; i++) {
        const line *l = &p->lines[i];
        PUT(t, "L%d:\n", i);
        if (l->flow == BRANCH)
            PUT(t, "%s L%d\n", gfx9_branch_name(l->op), l->label);
        else if (l->flow == JUMP)
            PUT(t, "s_branch L%d\n", l->label);
        else if (l->flow == LOOP_START)
            PUT(t, "s_addk_i32 s%d, -1\n", COUNTER);
        else if (l->flow == LOOP_END)
            PUT(t, "s_cmp_lg_u32 s%d, 0\ns_cbranch_scc1 L%d\n", COUNTER, l->label);
        else
            put_instruction(t, l);
    }
    PUT(t, "s_endpgm\n.amdgpu_metadata\namdhsa.kernels:\n  - .args:\n"
           "    .max_flat_workgroup_size: 256\n    .name: k\n.end_amdgpu_metadata\n");
}
