/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_CUDA_HOPPER_OMISSIONS_H
#define TEST_CUDA_HOPPER_OMISSIONS_H

/* How many omissions the emulation does not notice. */
int unnoticed_omissions(unsigned seed);

#endif
