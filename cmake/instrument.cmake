# SPDX-License-Identifier: Apache-2.0
if(SWP_SANITIZE)
  add_compile_options(-fsanitize=${SWP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SWP_SANITIZE})
endif()

if(SWP_COVERAGE)
  add_compile_options(--coverage -fprofile-abs-path)
  add_link_options(--coverage)
endif()
