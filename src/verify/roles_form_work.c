/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what a proof of all forms follows, where what it follows of each form is known. */
#include "verify/roles_prove.h"

/* Adds the runs of so many passes, of the forms from the first on to the last. */
static uint64_t add_runs(const swp_role_form_work *works, int first, int last, int passes)
{
    uint64_t steps = 0;
    for (int f = first; f <= last; f++)
        if (passes <= works[f].passes)
            steps += works[f].ends + (uint64_t)passes * works[f].pass;
    return steps;
}

static int most_passes(const swp_role_form_work *works, int count)
{
    int most = 0;
    for (int f = 0; f < count; f++)
        if (works[f].passes > most)
            most = works[f].passes;
    return most;
}

/* Straight lists come first, then the shortest runs of the others. */
uint64_t swp_verify_role_work_of_all(const swp_schedule *schedule, const swp_role_form_work *works,
                                     int form)
{
    const int forms = swp_schedule_forms(schedule);
    const int others = forms - (int)schedule->streams[0].tails.straight_count;
    const int most = form < 0 ? most_passes(works, others) : works[form].passes;
    if (form >= others)
        return add_runs(works, others, form, 0);
    uint64_t steps = add_runs(works, others, forms - 1, 0);
    for (int passes = 0; passes <= most; passes++)
        steps += add_runs(works, 0, form >= 0 && passes == most ? form : others - 1, passes);
    return steps;
}
