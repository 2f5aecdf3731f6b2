// SPDX-License-Identifier: Apache-2.0
// CaDiCaL 1.5 (Biere et al. 2020). Only its C++ class traces proofs, hence this file.
#include "solve/sat.h"

#include <cadical.hpp>

#include <sys/resource.h>

#include <exception>
#include <new>

struct swp_sat final : CaDiCaL::Terminator, CaDiCaL::Learner {
    swp_sat(const swp_sat_watch *watcher, swp_sat_hope hope, FILE *proof)
        : watch(*watcher), most_kilobytes(peak_kilobytes() + watch.most_kilobytes), traced(proof)
    {
        solver.set("quiet", 1);
        // Few restarts and target phases: on time-indexed formulas also refutations come sooner.
        solver.configure("sat");
        // A time variable that is false means an earlier time, as in a list schedule.
        solver.set("phase", hope == SWP_SAT_HOPES_FOR_REFUTATION);
        if (proof) {
            solver.set("binary", 0);
            if (!solver.trace_proof(proof, "proof"))
                throw std::bad_alloc();
        }
        solver.connect_terminator(this);
        solver.connect_learner(this);
    }

    // The solver goes first, so nothing needs to be disconnected.
    ~swp_sat() override = default;

    swp_sat(const swp_sat &) = delete;
    swp_sat &operator=(const swp_sat &) = delete;

    bool terminate() override
    {
        return stopped || too_large() || !watch.poll(watch.user);
    }

    // The clauses themselves are not wanted, only that there is one more.
    bool learning(int) override
    {
        conflicts++;
        stopped = stopped || limited() || !watch.conflict(watch.user);
        return false;
    }

    bool limited() const
    {
        return most_conflicts > 0 && conflicts >= most_conflicts;
    }

    void learn(int) override
    {
    }

    // CaDiCaL does not say what it holds while it searches; the process' peak is what it adds to. Asking
    // takes longer than a decision.
    bool too_large()
    {
        if (++polls % polls_per_look == 0 && peak_kilobytes() > most_kilobytes)
            stopped = true;
        return stopped;
    }

    static long peak_kilobytes()
    {
        rusage usage{};
        return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
    }

    static constexpr uint64_t polls_per_look = 256;
    swp_sat_watch watch;
    long most_kilobytes;
    int64_t literals = 0;
    uint64_t polls = 0;
    uint64_t conflicts = 0; // of this call
    uint64_t most_conflicts = 0;
    bool stopped = false;
    bool broken = false;
    FILE *traced; // NULL: no proof
    CaDiCaL::Solver solver;
};

swp_sat *swp_solve_sat_new(const swp_sat_watch *watch, swp_sat_hope hope, FILE *proof)
{
    try {
        return new swp_sat(watch, hope, proof);
    } catch (const std::exception &) {
        return nullptr;
    }
}

bool swp_solve_sat_add(swp_sat *sat, const int *literals, int count)
{
    try {
        for (int i = 0; i < count; i++)
            sat->solver.add(literals[i]);
        sat->solver.add(0);
        sat->literals += count;
        return sat->literals <= sat->watch.most_literals;
    } catch (const std::exception &) {
        sat->broken = true;
        return false;
    }
}

swp_sat_result swp_solve_sat_solve(swp_sat *sat, uint64_t most_conflicts)
{
    try {
        sat->most_conflicts = most_conflicts;
        sat->conflicts = 0;
        sat->stopped = false;
        const int result = sat->solver.solve();
        if (sat->traced)
            sat->solver.flush_proof_trace();
        if (sat->traced && (fflush(sat->traced) != 0 || ferror(sat->traced) != 0))
            return SWP_SAT_GAVE_UP;
        if (result == 10)
            return SWP_SAT_SATISFIED;
        if (result == 20)
            return SWP_SAT_REFUTED;
        return sat->limited() ? SWP_SAT_LIMITED : SWP_SAT_GAVE_UP;
    } catch (const std::exception &) {
        sat->broken = true;
        return SWP_SAT_GAVE_UP;
    }
}

bool swp_solve_sat_value(swp_sat *sat, int variable)
{
    return sat->solver.val(variable) > 0;
}

// Where memory ends CaDiCaL half-way, its destructor frees what it has not got. What it holds is lost then.
void swp_solve_sat_free(swp_sat *sat)
{
    if (!sat->broken)
        delete sat;
}
