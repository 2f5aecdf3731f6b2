// SPDX-License-Identifier: Apache-2.0
// Named barriers and mbarriers.
#include "machine.h"

void complete(mbarrier &m)
{
    if (m.pending == 0 && m.bytes == 0) {
        m.pending = m.arrivals;
        m.phases++;
    }
}

// Its address is the same in all work groups: so is the variable.
mbarrier &mbarrier_at(work_group &group, uint32_t address)
{
    const auto m = group.mbarriers.find(address);
    if (m == group.mbarriers.end())
        emulator_fail("an mbarrier that is not initialised");
    return m->second;
}

void named_sync(int id, int count)
{
    barrier &b = own().barriers[id];
    const int meeting = b.meetings;
    if (++b.arrived == count) {
        b.arrived = 0;
        b.meetings++;
    }
    wait_until([&b, meeting] { return b.meetings != meeting; });
}

void mbarrier_init(unsigned long long *at, int arrivals)
{
    own().mbarriers[shared_address(at)] = {arrivals, arrivals, 0, 0};
}

void mbarrier_arrive(unsigned long long *at, int bytes)
{
    mbarrier &m = mbarrier_at(own(), shared_address(at));
    if (m.pending == 0)
        emulator_fail("an arrival more than the phase has");
    m.bytes += bytes;
    m.pending--;
    complete(m);
}

// PTX ISA, "mbarrier.test_wait": of the current phase, and of the one before, the parity says which.
void mbarrier_wait(unsigned long long *at, int parity)
{
    work_group &group = own();
    const uint32_t address = shared_address(at);
    const mbarrier &m = mbarrier_at(group, address);
    wait_until([&group, &m, address, parity] {
        while (m.phases % 2 == parity)
            if (!land_one(group, address))
                return false;
        return true;
    });
}
