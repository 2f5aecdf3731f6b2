/* SPDX-License-Identifier: Apache-2.0 */
/* From the text of an instruction to what it does. What is on no list is unknown. */
#include "audit/sass/sass.h"

#include "base/names.h"

/* X(opcode, kind, effect, words that may follow it after dots; NULL: any). */
/* clang-format off */
#define SCHEDULED(X) \
    X("LDGSTS",    COPY_TO_LDS, NONE, "E BYPASS ACCESS LTC64B LTC128B LTC256B 32 64 128 ZFILL") \
    X("LDGDEPBAR", COMMIT,      NONE, "") \
    X("DEPBAR",    WAIT,        NONE, "LE") \
    X("BAR",       BARRIER,     NONE, "SYNC DEFER_BLOCKING") \
    X("LDSM",      LDS_READ,    NONE, "16 M88 MT88 2 4") \
    X("HMMA",      MATRIX,      NONE, "1684 1688 16816 F16 F32 BF16 TF32") \
    X("IMMA",      MATRIX,      NONE, "16816 16832 S8 U8 SAT ROW COL") \
    X("DMMA",      MATRIX,      NONE, "884 16816")
#define OTHERS(X) \
    X("BRA",   JUMP,    NONE,   NULL) \
    X("BRX",   JUMP,    NONE,   "") \
    X("BRXU",  JUMP,    NONE,   "") \
    X("CALL",  JUMP,    NONE,   NULL) /* with a condition; without one it returns */ \
    X("EXIT",  END,     NONE,   "") \
    X("RET",   END,     NONE,   NULL) \
    X("BPT",   END,     TRAPS,  "TRAP") \
    X("NOP",   NOTHING, NONE,   NULL) \
    X("STS",   VECTOR,  STORES, NULL) \
    X("STSM",  VECTOR,  STORES, "16 M88 MT88 2 4") \
    X("ATOMS", VECTOR,  STORES, NULL)

/* They compute, access global or local memory, read shared memory, or bring threads together. */
#define ARITHMETIC(X) \
    X("ATOMG") X("BMOV") X("BREAK") X("BREV") X("BSSY") X("BSYNC") X("CS2R") X("DADD") X("DFMA") \
    X("DMUL") X("DSETP") X("ENDCOLLECTIVE") X("F2F") X("F2FP") X("F2I") X("FADD") X("FCHK") \
    X("FFMA") X("FLO") X("FMNMX") X("FMUL") X("FRND") X("FSEL") X("FSET") X("FSETP") X("FSWZADD") \
    X("HADD2") X("HFMA2") X("HMNMX2") X("HMUL2") X("HSET2") X("HSETP2") X("I2F") X("I2FP") X("I2I") \
    X("I2IP") X("IABS") X("IADD3") X("IDP") X("IMAD") X("IMNMX") X("ISETP") X("LDC") X("LDG") \
    X("LDL") X("LDS") X("LEA") X("LOP3") X("MOV") X("MOVM") X("MUFU") X("NANOSLEEP") X("P2R") \
    X("PLOP3") X("POPC") X("PRMT") X("R2P") X("R2UR") X("RED") X("REDG") X("REDUX") X("S2R") X("S2UR") \
    X("SEL") X("SGXT") X("SHF") X("SHFL") X("STG") X("STL") X("UBREV") X("UFLO") X("UIADD3") \
    X("UIMAD") X("UISETP") X("ULDC") X("ULEA") X("ULOP3") X("UMOV") X("UP2UR") X("UPLOP3") \
    X("UPOPC") X("UPRMT") X("UR2UP") X("USEL") X("USGXT") X("USHF") X("VABSDIFF") X("VIADD") \
    X("VIADDMNMX") X("VIMNMX") X("VIMNMX3") X("VOTE") X("VOTEU") X("WARPSYNC") X("YIELD")
/* clang-format on */

static const struct {
    const char *name;
    swp_insn_kind kind;
    swp_sass_effect effect;
    const char *words;
} rows[] = {
#define ROW(name, kind, effect, words) {name, SWP_INSN_##kind, SWP_SASS_##effect, words},
#define COMPUTES(name) ROW(name, VECTOR, NONE, NULL)
    SCHEDULED(ROW) OTHERS(ROW) ARITHMETIC(COMPUTES)
#undef ROW
#undef COMPUTES
};

static void set_unknown(swp_insn *insn, const char *why)
{
    insn->kind = SWP_INSN_UNKNOWN;
    insn->unknown = why;
}

/* --- opcodes --- */

static bool is_among(swp_slice word, const char *words)
{
    swp_slice rest = {words, 0};
    while (words[rest.length])
        rest.length++;
    while (rest.length)
        if (swp_code_slice_same(swp_code_slice_take_word(&rest), word))
            return true;
    return false;
}

static void read_opcode(swp_slice opcode, swp_insn *insn)
{
    const swp_slice base = swp_code_slice_take_until(&opcode, '.');
    for (size_t i = 0; i < SWP_COUNT_OF(rows); i++) {
        if (!swp_code_slice_is(base, rows[i].name))
            continue;
        insn->kind = rows[i].kind;
        insn->value = (int)rows[i].effect;
        while (rows[i].words && opcode.length)
            if (!is_among(swp_code_slice_take_until(&opcode, '.'), rows[i].words))
                set_unknown(insn, "a form of this instruction that the audit does not know");
        return;
    }
    set_unknown(insn, "no row of the instruction table is about it");
}

/* --- operands --- */

/* DEPBAR.LE SB0, 0x2: at most two groups may be outstanding. Copies are counted by SB0. */
static void read_wait(swp_insn *insn, swp_slice opcode, swp_slice rest)
{
    int64_t groups = 0;
    const swp_slice scoreboard = swp_code_slice_take_until(&rest, ',');
    if (swp_code_slice_is(opcode, "DEPBAR.LE") && swp_code_slice_is(scoreboard, "SB0") &&
        swp_code_slice_number(swp_code_slice_trim(rest), &groups) && groups >= 0 &&
        groups < SWP_SASS_MOST_GROUPS)
        insn->waits[SWP_AUDIT_VM] = (int)groups;
    else
        set_unknown(insn, "a wait for something else than a number of groups of copies");
}

/* BAR.SYNC 0x0: all threads synchronise. ARV only arrives, RED computes, a second number is of threads. */
static void read_barrier(swp_insn *insn, swp_slice opcode, swp_slice rest)
{
    int64_t number = 0;
    if (swp_code_slice_starts(opcode, "BAR.SYNC") && swp_code_slice_number(rest, &number) &&
        number >= 0)
        insn->value_number = (uint32_t)number;
    else
        set_unknown(insn, "a barrier that not all threads need to execute, for all that it says");
}

/* 0x1230, or `(.L_x_3), behind what else the branch or call reads. */
static swp_slice read_target(swp_slice rest)
{
    swp_slice target = {rest.start, 0};
    while (rest.length)
        target = swp_code_slice_take_until(&rest, ',');
    return swp_code_slice_starts(target, "`(") && target.length > 3
               ? (swp_slice){target.start + 2, target.length - 3}
               : target;
}

/*
 * BRA 0x1230, BRA P4, 0x890. BRA.CONV is taken by converged warps; what follows it does the same for those
 * that are not.
 */
static void read_branch(swp_insn *insn, swp_slice opcode, swp_slice rest, bool on_condition)
{
    const bool together = swp_code_slice_is(opcode, "BRA.CONV");
    const bool always = !on_condition && !swp_code_slice_contains(rest, ",") &&
                        !swp_code_slice_contains(opcode, ".DIV");
    insn->target_name = read_target(rest);
    if (together && !on_condition)
        insn->value = SWP_SASS_IF_CONVERGED;
    else if (!always)
        insn->kind = SWP_INSN_BRANCH;
}

/* nvdisasm -c writes (*"BRANCH_TARGETS .L_x_1,.L_x_2"*) behind it, cuobjdump nothing. */
static void read_table(swp_insn *insn, swp_slice rest, bool on_condition)
{
    static const char before[] = "BRANCH_TARGETS ";
    while (rest.length && !swp_code_slice_starts(rest, before))
        rest = swp_code_slice_after(rest, 1);
    if (!rest.length || on_condition) {
        set_unknown(insn, "goes on at one of several places, which nvdisasm -c names");
        return;
    }
    rest = swp_code_slice_after(rest, sizeof before - 1);
    insn->target_name = swp_code_slice_take_until(&rest, '"');
    insn->value = SWP_SASS_TABLE;
}

static bool is_of_schedules(swp_insn_kind kind)
{
    return kind == SWP_INSN_COPY_TO_LDS || kind == SWP_INSN_COMMIT || kind == SWP_INSN_WAIT ||
           kind == SWP_INSN_BARRIER || kind == SWP_INSN_LDS_READ || kind == SWP_INSN_MATRIX;
}

void swp_sass_decode(swp_slice text, int line, swp_insn *out)
{
    swp_slice rest = text;
    swp_slice opcode = swp_code_slice_take_word(&rest);
    const bool on_condition = swp_code_slice_starts(opcode, "@");
    if (on_condition)
        opcode = swp_code_slice_take_word(&rest);
    *out = swp_code_insn_new(line, text);
    read_opcode(opcode, out);
    if (on_condition && is_of_schedules(out->kind))
        set_unknown(out, "runs for some threads only");
    else if (out->kind == SWP_INSN_WAIT)
        read_wait(out, opcode, rest);
    else if (out->kind == SWP_INSN_BARRIER)
        read_barrier(out, opcode, rest);
    else if (swp_code_slice_starts(opcode, "CALL") && !on_condition) {
        out->kind = SWP_INSN_VECTOR;
        out->value = SWP_SASS_CALLS;
        out->target_name = read_target(rest);
    } else if (swp_code_slice_is(opcode, "BRX") || swp_code_slice_is(opcode, "BRXU"))
        read_table(out, rest, on_condition);
    else if (out->kind == SWP_INSN_JUMP)
        read_branch(out, opcode, rest, on_condition);
    else if (out->kind == SWP_INSN_END && on_condition) {
        out->kind = SWP_INSN_NOTHING;
        out->value = SWP_SASS_LEAVES;
    }
    if (out->kind == SWP_INSN_LDS_READ || out->kind == SWP_INSN_COPY_TO_LDS)
        out->lds.parts = 1;
}
