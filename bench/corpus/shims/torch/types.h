/* SPDX-License-Identifier: Apache-2.0 */
#include <torch/extension.h>
