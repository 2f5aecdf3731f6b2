/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the kinds of files in JSON by keys that only one of them has. */
#include "json/kind.h"

/* The first row whose keys a file has decides. So a kind that has all keys of another stands before it. */
static const struct {
    swp_json_file file;
    const char *keys[2]; /* keys at the top; NULL: no second one */
    const char *name;
    const char *taker;
} rows[] = {
    {SWP_JSON_COUNTEREXAMPLE,
     {"swp_counterexample", NULL},
     "a counterexample",
     "execute it with `swp run SCHEDULE --replay FILE`"},
    {SWP_JSON_CERTIFICATE,
     {"certificate", NULL},
     "a certificate",
     "`swp check-certificate PROBLEMS ANSWERS FILE` checks it"},
    {SWP_JSON_ANSWER,
     {"times", "status"},
     "an answer to a scheduling problem",
     "`swp check-certificate PROBLEMS FILE CERTIFICATES` checks it"},
    {SWP_JSON_BASELINE,
     {"swp_audit_baseline", NULL},
     "a baseline of an audit",
     "give it to `swp audit --baseline FILE`"},
    {SWP_JSON_LAUNCH,
     {"swp_audit_launch", NULL},
     "a launch",
     "give it to `swp audit --launch FILE`"},
    {SWP_JSON_PROBLEM, {"problem", "ops"}, "a scheduling problem", "`swp solve FILE` solves it"},
    {SWP_JSON_SCHEDULE, {"machine", "loop"}, "a schedule", "`swp verify FILE` judges it"},
};

static bool fits(size_t row, const json_t *root)
{
    return json_object_get(root, rows[row].keys[0]) &&
           (!rows[row].keys[1] || json_object_get(root, rows[row].keys[1]));
}

bool swp_json_mismatches(const json_t *root, swp_json_file wanted, swp_json_mismatch *out)
{
    size_t row = 0;
    size_t wanted_row = 0;
    while (row < SWP_COUNT_OF(rows) && !fits(row, root))
        row++;
    while (rows[wanted_row].file != wanted)
        wanted_row++;
    if (row == SWP_COUNT_OF(rows) || row == wanted_row)
        return false;
    *out = (swp_json_mismatch){rows[row].name, rows[wanted_row].name, rows[row].taker};
    return true;
}

bool swp_json_is_other_file(swp_json_reader *reader, const json_t *root, swp_json_file wanted)
{
    swp_json_mismatch mismatch;
    if (!swp_json_mismatches(root, wanted, &mismatch))
        return false;
    swp_json_complain(reader, NULL, mismatch.taker, "this is %s, not %s", mismatch.is,
                      mismatch.wanted);
    return true;
}
