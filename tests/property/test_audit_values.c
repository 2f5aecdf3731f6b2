/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the audit takes registers to hold, against four waves that execute random programs: branches
 * that waves take alike or not, lanes that are off, a loop. Whatever is known must be so, and scalars
 * that are said not to differ between waves must not. The interpreter below knows nothing of the
 * audit: it is written from the instructions' definitions (CDNA3 ISA, chapters 5, 6 and 12).
 */
#include "fixture.h"
#include "random.h"

#include "audit/front_end.h"
#include "audit/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAVES = 4,
    LANES = 64,
    VCC = 106,
    EXEC = 126,
    SCALARS = 128,
    VECTORS = 6,
    COUNTER = 40, /* of the loop; no instruction writes it but its own */
    MOST_CODE = 160,
    MOST_TURNS = 8,
    FIRST = 12
};

typedef struct wave {
    uint32_t s[SCALARS];
    uint32_t v[VECTORS][LANES];
    bool scc;
} wave;

/* How operands of an instruction are chosen, written and read. */
typedef enum form {
    SCALAR_2, /* s, s, s; scc */
    SCALAR_1,
    SCALAR_K, /* s, a constant of 16 bits; changes s in place */
    COMPARE,  /* s, s; scc */
    CHOOSE,   /* s, s, s by scc */
    PAIR_2,   /* s[2], s[2], s[2]; scc */
    PAIR_1,
    CHOOSE_PAIR,
    SAVE_EXEC, /* s[2], s[2]; scc */
    VECTOR_1,
    VECTOR_2,
    VECTOR_3,
    VECTOR_COMPARE, /* s[2], v, v */
    SELECT,         /* v, v, v, s[2] */
    FIRST_LANE,     /* s, v */
    READ_LANE,      /* s, v, lane */
    WRITE_LANE,     /* v, s, lane */
    COUNT_LANES_LOW,
    COUNT_LANES_HIGH
} form;

typedef struct numbers {
    uint64_t a, b, c;
} numbers;

static uint64_t low_bits(uint64_t word, uint64_t count)
{
    return count >= 32 ? word : word % (1ULL << count);
}

static uint64_t arithmetic_shift(uint64_t word, uint64_t count)
{
    const int64_t number = (int64_t)(int32_t)(uint32_t)word;
    const int64_t divisor = (int64_t)1 << count % 32;
    return (uint64_t)(number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor));
}

/* bitop3 of a table that is the majority of three. */
static uint64_t majority(numbers n)
{
    return (n.a & n.b) | (n.a & n.c) | (n.b & n.c);
}

#define INT(x) ((int32_t)(uint32_t)(x))

/* X(name, form, result, scc afterwards where the form has one). `r` is the result. */
/* clang-format off */
#define INSTRUCTIONS(X) \
    X("s_add_i32", SCALAR_2, n.a + n.b, (int64_t)INT(n.a) + INT(n.b) != INT(r)) \
    X("s_sub_i32", SCALAR_2, n.a - n.b, (int64_t)INT(n.a) - INT(n.b) != INT(r)) \
    X("s_and_b32", SCALAR_2, n.a & n.b, r != 0) \
    X("s_or_b32", SCALAR_2, n.a | n.b, r != 0) \
    X("s_xor_b32", SCALAR_2, (n.a | n.b) - (n.a & n.b), r != 0) \
    X("s_andn2_b32", SCALAR_2, n.a - (n.a & n.b), r != 0) \
    X("s_orn2_b32", SCALAR_2, n.a | (0xffffffff - n.b), r != 0) \
    X("s_lshl_b32", SCALAR_2, n.a * (1ULL << n.b % 32), r != 0) \
    X("s_lshr_b32", SCALAR_2, n.a / (1ULL << n.b % 32), r != 0) \
    X("s_ashr_i32", SCALAR_2, arithmetic_shift(n.a, n.b), r != 0) \
    X("s_bfe_u32", SCALAR_2, low_bits(n.a >> n.b % 32, (n.b >> 16) % 128), r != 0) \
    X("s_min_u32", SCALAR_2, n.a < n.b ? n.a : n.b, n.a < n.b) \
    X("s_max_u32", SCALAR_2, n.a > n.b ? n.a : n.b, n.a > n.b) \
    X("s_lshl2_add_u32", SCALAR_2, n.a * 4 + n.b, n.a * 4 + n.b > 0xffffffff) \
    X("s_mul_i32", SCALAR_2, n.a * n.b, before) \
    X("s_not_b32", SCALAR_1, 0xffffffff - n.a, r != 0) \
    X("s_mov_b32", SCALAR_1, n.a, before) \
    X("s_brev_b32", SCALAR_1, reversed(n.a), before) \
    X("s_addk_i32", SCALAR_K, n.a + n.b, (int64_t)INT(n.a) + INT(n.b) != INT(r)) \
    X("s_mulk_i32", SCALAR_K, n.a * n.b, before) \
    X("s_cmp_eq_u32", COMPARE, 0, n.a == n.b) \
    X("s_cmp_lg_u32", COMPARE, 0, n.a != n.b) \
    X("s_cmp_gt_i32", COMPARE, 0, INT(n.a) > INT(n.b)) \
    X("s_cmp_le_u32", COMPARE, 0, n.a <= n.b) \
    X("s_bitcmp1_b32", COMPARE, 0, n.a >> n.b % 32 & 1) \
    X("s_cselect_b32", CHOOSE, before ? n.a : n.b, before) \
    X("s_and_b64", PAIR_2, n.a & n.b, r != 0) \
    X("s_or_b64", PAIR_2, n.a | n.b, r != 0) \
    X("s_xor_b64", PAIR_2, (n.a | n.b) - (n.a & n.b), r != 0) \
    X("s_andn2_b64", PAIR_2, n.a - (n.a & n.b), r != 0) \
    X("s_mov_b64", PAIR_1, n.a, before) \
    X("s_not_b64", PAIR_1, UINT64_MAX - n.a, r != 0) \
    X("s_cselect_b64", CHOOSE_PAIR, before ? n.a : n.b, before) \
    X("s_and_saveexec_b64", SAVE_EXEC, n.a & n.b, r != 0) \
    X("s_or_saveexec_b64", SAVE_EXEC, n.a | n.b, r != 0) \
    X("s_andn2_saveexec_b64", SAVE_EXEC, n.a - (n.a & n.b), r != 0) \
    X("v_mov_b32_e32", VECTOR_1, n.a, before) \
    X("v_not_b32_e32", VECTOR_1, 0xffffffff - n.a, before) \
    X("v_add_u32_e64", VECTOR_2, n.a + n.b, before) \
    X("v_sub_u32_e64", VECTOR_2, n.a - n.b, before) \
    X("v_subrev_u32_e64", VECTOR_2, n.b - n.a, before) \
    X("v_and_b32_e64", VECTOR_2, n.a & n.b, before) \
    X("v_or_b32_e64", VECTOR_2, n.a | n.b, before) \
    X("v_xor_b32_e64", VECTOR_2, (n.a | n.b) - (n.a & n.b), before) \
    X("v_lshlrev_b32_e64", VECTOR_2, n.b * (1ULL << n.a % 32), before) \
    X("v_lshrrev_b32_e64", VECTOR_2, n.b / (1ULL << n.a % 32), before) \
    X("v_ashrrev_i32_e64", VECTOR_2, arithmetic_shift(n.b, n.a), before) \
    X("v_mul_lo_u32", VECTOR_2, n.a * n.b, before) \
    X("v_mul_u32_u24_e64", VECTOR_2, (n.a % (1 << 24)) * (n.b % (1 << 24)), before) \
    X("v_min_u32_e64", VECTOR_2, n.a < n.b ? n.a : n.b, before) \
    X("v_max_u32_e64", VECTOR_2, n.a > n.b ? n.a : n.b, before) \
    X("v_and_or_b32", VECTOR_3, (n.a & n.b) | n.c, before) \
    X("v_lshl_add_u32", VECTOR_3, n.a * (1ULL << n.b % 32) + n.c, before) \
    X("v_add_lshl_u32", VECTOR_3, (n.a + n.b) * (1ULL << n.c % 32), before) \
    X("v_lshl_or_b32", VECTOR_3, (uint32_t)(n.a * (1ULL << n.b % 32)) | n.c, before) \
    X("v_or3_b32", VECTOR_3, n.a | n.b | n.c, before) \
    X("v_add3_u32", VECTOR_3, n.a + n.b + n.c, before) \
    X("v_xad_u32", VECTOR_3, ((n.a | n.b) - (n.a & n.b)) + n.c, before) \
    X("v_mad_u32_u24", VECTOR_3, (n.a % (1 << 24)) * (n.b % (1 << 24)) + n.c, before) \
    X("v_bfe_u32", VECTOR_3, low_bits(n.a >> n.b % 32, n.c % 32), before) \
    X("v_bfi_b32", VECTOR_3, (n.a & n.b) | ((0xffffffff - n.a) & n.c), before) \
    X("v_bitop3_b32", VECTOR_3, majority(n), before) \
    X("v_cmp_eq_u32_e64", VECTOR_COMPARE, n.a == n.b, before) \
    X("v_cmp_gt_u32_e64", VECTOR_COMPARE, n.a > n.b, before) \
    X("v_cmp_lt_i32_e64", VECTOR_COMPARE, INT(n.a) < INT(n.b), before) \
    X("v_cndmask_b32_e64", SELECT, 0, before) \
    X("v_readfirstlane_b32", FIRST_LANE, 0, before) \
    X("v_readlane_b32", READ_LANE, 0, before) \
    X("v_writelane_b32", WRITE_LANE, 0, before) \
    X("v_mbcnt_lo_u32_b32", COUNT_LANES_LOW, 0, before) \
    X("v_mbcnt_hi_u32_b32", COUNT_LANES_HIGH, 0, before)
/* clang-format on */

#define ENUMERATE(name, form, result, scc) form,
static const form forms[] = {INSTRUCTIONS(ENUMERATE)};
#undef ENUMERATE
#define NAME(name, form, result, scc) name,
static const char *const names[] = {INSTRUCTIONS(NAME)};
#undef NAME

static uint64_t reversed(uint64_t word)
{
    uint64_t result = 0;
    for (int bit = 0; bit < 32; bit++)
        result |= (word >> bit & 1) << (31 - bit);
    return result;
}

static bool is_wide(form f)
{
    return f == PAIR_2 || f == PAIR_1 || f == CHOOSE_PAIR || f == SAVE_EXEC;
}

/* The result, and scc afterwards from what it was before. */
static uint64_t compute(int op, numbers n, bool *scc)
{
    const bool before = *scc;
    uint64_t r = 0;
    int at = 0;
#define COMPUTE(name, form, result, after)                                                         \
    if (at++ == op) {                                                                              \
        r = (result);                                                                              \
        r = is_wide(form) ? r : (uint32_t)r;                                                       \
        *scc = (after);                                                                            \
        return r;                                                                                  \
    }
    INSTRUCTIONS(COMPUTE)
#undef COMPUTE
    return 0;
}

/* --- programs --- */

typedef enum operand_kind { CONSTANT, SCALAR, PAIR, VECTOR } operand_kind;

typedef struct operand {
    operand_kind kind;
    int number; /* of the register, or the constant */
} operand;

typedef enum flow_kind { STRAIGHT, BRANCH, JUMP, LOOP_START, LOOP_END } flow_kind;

typedef struct line {
    flow_kind flow;
    int op;    /* of an instruction, or which branch */
    int label; /* line that it goes to */
    operand to;
    operand from[4];
} line;

typedef struct program {
    line lines[MOST_CODE];
    int count;
    int turns; /* of the loop */
} program;

static const char *const branches[] = {"s_cbranch_scc0",  "s_cbranch_scc1",  "s_cbranch_vccz",
                                       "s_cbranch_vccnz", "s_cbranch_execz", "s_cbranch_execnz"};

static int random_below(test_random *random, int count)
{
    return random_int(random, 0, count - 1);
}

static uint32_t random_word(test_random *random)
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
    line l = {.op = random_below(random, (int)COUNT_OF(forms))};
    switch (forms[l.op]) {
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
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], moves[which]) == 0)
            l.op = (int)i;
    l.to = which == 0   ? scalar(random)
           : which == 1 ? pair(random, false)
                        : (operand){VECTOR, 1 + random_below(random, VECTORS - 1)};
    if (which == 2 && random_chance(random, 50))
        l.from[0] = (operand){VECTOR, 0};
    return l;
}

/*
 * Branches lead forward, and never into the loop nor out of it: all waves go round it equally often,
 * which the audit assumes.
 */
static program random_program(test_random *random)
{
    program p = {.count = 30 + random_below(random, MOST_CODE - 30)};
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
            p.lines[i].op = random_below(random, (int)COUNT_OF(branches));
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

/* --- as text --- */

typedef struct text {
    char bytes[MOST_CODE * 80];
    size_t length;
} text;

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

static int sources_of(form f)
{
    switch (f) {
    case SCALAR_1:
    case PAIR_1:
    case SAVE_EXEC:
    case VECTOR_1:
    case FIRST_LANE:
        return 1;
    case VECTOR_3:
    case SELECT:
        return 3;
    default:
        return 2;
    }
}

static void put_instruction(text *t, const line *l)
{
    const form f = forms[l->op];
    PUT(t, "%s ", names[l->op]);
    if (f != COMPARE)
        put_operand(t, l->to);
    for (int i = f == SCALAR_K; i < sources_of(f); i++) {
        PUT(t, "%s", f == COMPARE && i == 0 ? "" : ", ");
        put_operand(t, l->from[i]);
    }
    PUT(t, "%s\n", strcmp(names[l->op], "v_bitop3_b32") == 0 ? " bitop3:0xe8" : "");
}

/* Every line has a label, so that each is a block of its own. */
static void put_program(text *t, const program *p)
{
    PUT(t, ".amdgcn_target \"amdgcn-amd-amdhsa--gfx950\"\n.amdhsa_kernel k\nk:\n");
    PUT(t, "s_movk_i32 s%d, %d\n", COUNTER, p->turns);
    for (int i = 0; i < p->count; i++) {
        const line *l = &p->lines[i];
        PUT(t, "L%d:\n", i);
        if (l->flow == BRANCH)
            PUT(t, "%s L%d\n", branches[l->op], l->label);
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

/* --- execution --- */

static uint64_t pair_of(const wave *w, int first)
{
    return w->s[first] | (uint64_t)w->s[first + 1] << 32U;
}

static void set_pair(wave *w, int first, uint64_t value)
{
    w->s[first] = (uint32_t)value;
    w->s[first + 1] = (uint32_t)(value >> 32U);
}

static uint64_t read(const wave *w, operand o, int lane)
{
    switch (o.kind) {
    case SCALAR:
        return w->s[o.number];
    case PAIR:
        return pair_of(w, o.number);
    case VECTOR:
        return w->v[o.number][lane];
    default:
        return (uint64_t)(int64_t)o.number;
    }
}

static numbers read_all(const wave *w, const line *l, int lane)
{
    numbers n = {read(w, l->from[0], lane), read(w, l->from[1], lane), read(w, l->from[2], lane)};
    if (!is_wide(forms[l->op]))
        n = (numbers){(uint32_t)n.a, (uint32_t)n.b, (uint32_t)n.c};
    return n;
}

static uint64_t count_lanes(numbers n, int lane, bool high)
{
    uint64_t count = n.b;
    for (int other = 0; other < 32; other++)
        count += other + (high ? 32 : 0) < lane && n.a >> other & 1;
    return count;
}

static uint64_t vector_result(const wave *w, const line *l, numbers n, int lane)
{
    bool scc = w->scc;
    switch (forms[l->op]) {
    case SELECT:
        return pair_of(w, l->from[2].number) >> lane & 1 ? n.b : n.a;
    case COUNT_LANES_LOW:
    case COUNT_LANES_HIGH:
        return count_lanes(n, lane, forms[l->op] == COUNT_LANES_HIGH);
    default:
        return compute(l->op, n, &scc);
    }
}

static void execute_lanes(wave *w, const line *l)
{
    const uint64_t exec = pair_of(w, EXEC);
    const wave old = *w;
    uint64_t mask = 0;
    for (int lane = 0; lane < LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        const uint64_t r = vector_result(&old, l, read_all(&old, l, lane), lane);
        if (l->to.kind == VECTOR)
            w->v[l->to.number][lane] = (uint32_t)r;
        mask |= (r & 1) << lane;
    }
    if (l->to.kind == PAIR)
        set_pair(w, l->to.number, mask);
}

static void execute(wave *w, const line *l)
{
    const uint64_t exec = pair_of(w, EXEC);
    int first = 0;
    numbers n = read_all(w, l, 0);
    switch (forms[l->op]) {
    case SCALAR_2:
    case SCALAR_1:
    case SCALAR_K:
    case CHOOSE:
        w->s[l->to.number] = (uint32_t)compute(l->op, n, &w->scc);
        break;
    case COMPARE:
        (void)compute(l->op, n, &w->scc);
        break;
    case PAIR_2:
    case PAIR_1:
    case CHOOSE_PAIR:
        set_pair(w, l->to.number, compute(l->op, n, &w->scc));
        break;
    case SAVE_EXEC:
        n.b = exec;
        set_pair(w, EXEC, compute(l->op, n, &w->scc));
        set_pair(w, l->to.number, exec);
        break;
    case FIRST_LANE:
        while (exec && !(exec >> first & 1))
            first++;
        w->s[l->to.number] = w->v[l->from[0].number][first];
        break;
    case READ_LANE:
        w->s[l->to.number] = w->v[l->from[0].number][n.b % LANES];
        break;
    case WRITE_LANE:
        w->v[l->to.number][n.b % LANES] = (uint32_t)n.a;
        break;
    default:
        execute_lanes(w, l);
        break;
    }
}

static bool is_taken(const wave *w, int branch)
{
    enum { ASKS_SCC = 2, ASKS_VCC = 4 };
    const bool set = branch < ASKS_SCC   ? w->scc
                     : branch < ASKS_VCC ? pair_of(w, VCC) != 0
                                         : pair_of(w, EXEC) != 0;
    return set == (branch % 2 == 1);
}

/* One line; returns the next. */
static int step(wave *w, const program *p, int at)
{
    const line *l = &p->lines[at];
    switch (l->flow) {
    case BRANCH:
        return is_taken(w, l->op) ? l->label : at + 1;
    case JUMP:
        return l->label;
    case LOOP_START:
        w->scc = INT(w->s[COUNTER]) == INT32_MIN;
        w->s[COUNTER]--;
        return at + 1;
    case LOOP_END:
        w->scc = w->s[COUNTER] != 0;
        return w->scc ? l->label : at + 1;
    default:
        execute(w, l);
        return at + 1;
    }
}

/* --- the comparison --- */

typedef struct trial {
    const program *program;
    const text *text;
    swp_flow flow;
    swp_trace trace;
    int known; /* registers that were known and right */
    int alike; /* scalars that were said to be alike, and are */
    wave states[MOST_CODE][MOST_TURNS][WAVES];
    bool there[MOST_CODE][MOST_TURNS][WAVES];
} trial;

static void complain(const trial *t, int at, const char *what, int number, int wave_number)
{
    char name[SWP_REG_NAME_SIZE];
    print_error("%s", t->text->bytes);
    fail_msg("%s at L%d: %s, wave %d", what, at, swp_reg_name(number, 1, name), wave_number);
}

static void check_vectors(trial *t, const swp_point *point, int at, const wave *w, int number)
{
    for (int v = 0; v < VECTORS; v++)
        for (int lane = 0; lane < LANES; lane++) {
            const int value = point->registers.values[SWP_REG_VECTOR + v];
            const uint32_t *words = swp_values_lane(&t->trace.values, value, lane);
            if (words && words[number * LANES + lane] != w->v[v][lane])
                complain(t, at, "another value", SWP_REG_VECTOR + v, number);
            t->known += words != NULL;
        }
}

static uint32_t scalar_of(const wave *w, int number)
{
    return number == SWP_REG_SCC ? w->scc : w->s[number];
}

static void check_scalar(trial *t, const swp_point *point, int at, int turn, int number)
{
    const uint32_t *words = swp_registers_words(&t->trace.values, &point->registers, number);
    int first = -1;
    for (int i = 0; i < WAVES; i++) {
        if (!t->there[at][turn][i])
            continue;
        const uint32_t word = scalar_of(&t->states[at][turn][i], number);
        if (words && words[(size_t)i * LANES] != word)
            complain(t, at, "another value", number, i);
        if (!point->registers.varying[number] && first >= 0 &&
            scalar_of(&t->states[at][turn][first], number) != word)
            complain(t, at, "waves differ", number, i);
        t->known += words != NULL;
        t->alike += first >= 0 && !point->registers.varying[number];
        first = i;
    }
}

static void check_line(trial *t, const swp_point *point, int at)
{
    static const int others[] = {VCC, VCC + 1, EXEC, EXEC + 1, SWP_REG_SCC};
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        for (int i = 0; i < WAVES; i++)
            if (t->there[at][turn][i]) {
                if (!point->reached)
                    complain(t, at, "taken for unreached", 0, i);
                check_vectors(t, point, at, &t->states[at][turn][i], i);
            }
        for (int s = 0; s < 12; s++)
            check_scalar(t, point, at, turn, s);
        for (size_t i = 0; i < COUNT_OF(others); i++)
            check_scalar(t, point, at, turn, others[i]);
    }
}

/* The line of the program that an instruction begins, -1 if it begins none. */
static int line_at(const trial *t, int insn)
{
    const swp_code_label_list *labels = &t->flow.code->labels;
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].insn == insn && labels->items[i].name.start[0] == 'L')
            return atoi(labels->items[i].name.start + 1);
    return -1;
}

static void check_block(swp_context *ctx, trial *t, int block)
{
    const swp_block *b = &t->flow.blocks[block];
    swp_point point;
    assert_ok(ctx, swp_point_new(&t->trace, &point));
    swp_point_copy(&t->trace, &point, swp_trace_point(&t->trace, block, 0));
    for (int insn = b->first; insn < b->end; insn++) {
        const int at = line_at(t, insn);
        if (at >= 0)
            check_line(t, &point, at);
        if (point.reached)
            swp_trace_step(&t->trace, &point, insn, 0);
    }
}

static wave start(test_random *random, const wave *like, int number)
{
    wave w = like ? *like : (wave){{0}, {{0}}, false};
    for (int s = 0; s < 12 && !like; s++)
        w.s[s] =
            random_below(random, 2) ? (uint32_t)random_below(random, 100) : random_word(random);
    for (int v = 1; v < VECTORS; v++)
        for (int lane = 0; lane < LANES; lane++)
            w.v[v][lane] = random_word(random);
    for (int lane = 0; lane < LANES; lane++)
        w.v[0][lane] = (uint32_t)(number * LANES + lane);
    set_pair(&w, VCC, random_below(random, 2) ? 0U : random_word(random));
    set_pair(&w, EXEC, UINT64_MAX);
    w.s[COUNTER] = 0;
    w.scc = random_below(random, 2);
    return w;
}

/*
 * A wave from its start to its end, kept at every line as it was before, by turns of the loop: a wave
 * may leave out a line in some of them.
 */
static void run_wave(trial *t, wave w, int number)
{
    int turn = 0;
    int at = 0;
    w.s[COUNTER] = (uint32_t)t->program->turns;
    while (at < t->program->count) {
        turn += t->program->lines[at].flow == LOOP_START;
        t->states[at][turn][number] = w;
        t->there[at][turn][number] = true;
        at = step(&w, t->program, at);
    }
}

static void compare(swp_context *ctx, test_random *random, trial *t)
{
    swp_machine_code code;
    const swp_slice slice = {t->text->bytes, t->text->length};
    assert_ok(ctx, swp_machine_code_read(ctx, slice, "random.s", &code));
    for (size_t i = 0; i < code.insns.count; i++)
        if (code.insns.items[i].unknown)
            fail_msg("unknown: %.*s", SWP_SLICE_FORMAT(code.insns.items[i].text));
    assert_ok(ctx, swp_flow_build(ctx, "random.s", &code, &code.functions.items[0], &t->flow));
    assert_ok(ctx, swp_trace_build(ctx, "random.s", &t->flow, &t->trace));
    const wave first = start(random, NULL, 0);
    for (int i = 0; i < WAVES; i++)
        run_wave(t, i ? start(random, &first, i) : first, i);
    for (int block = 0; block < t->flow.block_count; block++)
        check_block(ctx, t, block);
}

static void what_is_known_of_registers_is_so(void **state)
{
    enum { FEW = 150 };
    const size_t programs = random_cases(FEW);
    const uint64_t seed = random_seed(20260);
    size_t known = 0;
    size_t alike = 0;
    (void)state;
    for (size_t i = 0; i < programs; i++) {
        test_random random = random_for_case(seed, i);
        const program p = random_program(&random);
        text *t = calloc(1, sizeof *t);
        trial *run = calloc(1, sizeof *run);
        swp_context *ctx = swp_context_new(NULL);
        assert_true(t && run && ctx);
        put_program(t, &p);
        run->program = &p;
        run->text = t;
        compare(ctx, &random, run);
        known += (size_t)run->known;
        alike += (size_t)run->alike;
        swp_context_free(ctx);
        free(run);
        free(t);
    }
    print_message("%zu programs: %zu words known, %zu scalars alike\n", programs, known, alike);
    assert_true(known > programs * 1000 && alike > programs * 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_known_of_registers_is_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
