# SPDX-License-Identifier: Apache-2.0
# Only flags that both gcc and clang know: clang-tidy reads gcc's compile commands.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>)
