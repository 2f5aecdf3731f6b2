# SPDX-License-Identifier: Apache-2.0
# The tests that look at the project from outside: other builds of it, its release binaries, its text.

function(swp_add_check name label)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${label}" SKIP_RETURN_CODE 77)
endfunction()

set(scripts ${PROJECT_SOURCE_DIR}/scripts)
set(tests ${PROJECT_SOURCE_DIR}/tests)

# Building again costs nothing when it is done, and lets ctest be run by itself.
swp_add_check(build.release build ${scripts}/build release)
swp_add_check(build.core build ${tests}/build/core_only.py ${SWP_RELEASE_DIR})
swp_add_check(build.symbols build ${tests}/build/symbols.sh ${SWP_RELEASE_DIR})
swp_add_check(figures docs ${scripts}/figures ${SWP_RELEASE_DIR}/swp --check)
swp_add_check(demo docs ${scripts}/demo ${SWP_RELEASE_DIR}/swp)
swp_add_check(install install ${tests}/install/run.sh ${SWP_RELEASE_DIR})
swp_add_check(valgrind valgrind ${tests}/valgrind/run.sh ${SWP_RELEASE_DIR}/swp)
set_tests_properties(build.release PROPERTIES FIXTURES_SETUP release)
set_tests_properties(build.core build.symbols figures demo install valgrind PROPERTIES FIXTURES_REQUIRED release)

swp_add_check(lint.clang lint ${scripts}/lint/clang.py ${PROJECT_BINARY_DIR})
swp_add_check(lint.format lint ${scripts}/lint/format.sh)
swp_add_check(lint.tidy lint ${scripts}/lint/tidy.sh ${PROJECT_BINARY_DIR})
swp_add_check(lint.cppcheck lint ${scripts}/lint/cppcheck.sh ${PROJECT_BINARY_DIR}/cppcheck)
swp_add_check(lint.spdx lint ${scripts}/lint/spdx.sh)
swp_add_check(lint.layers lint ${scripts}/lint/layers.py ${PROJECT_BINARY_DIR})
swp_add_check(lint.planted lint ${tests}/lint/planted.py)
swp_add_check(lint.citations lint ${scripts}/lint/citations.py)
swp_add_check(lint.purpose lint ${scripts}/lint/purpose.py)
swp_add_check(lint.man lint ${scripts}/lint/man.sh)
swp_add_check(lint.packages lint ${tests}/lint/packages.py)

# A bare machine, on which the project is built and shown; a high cost lets it download while others compute.
swp_add_check(fresh install ${tests}/fresh/run.sh)
set_tests_properties(fresh PROPERTIES COST 2000)

file(GLOB fuzz_sources CONFIGURE_DEPENDS ${tests}/fuzz/fuzz_*.c)
if(fuzz_sources)
  swp_add_check(build.fuzz "fuzz;campaign" ${scripts}/build fuzz)
  set_tests_properties(build.fuzz PROPERTIES FIXTURES_SETUP fuzz)
endif()
foreach(source ${fuzz_sources})
  cmake_path(GET source STEM target)
  string(REPLACE "fuzz_" "fuzz." name ${target})
  swp_add_check(${name} "fuzz;campaign" ${tests}/fuzz/run.sh ${target})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED fuzz)
endforeach()

# These fill the machine by themselves; a high cost lets the longest start first.
set_tests_properties(build.release lint.clang lint.tidy PROPERTIES
  PROCESSORS 2 COST 1000)
if(fuzz_sources)
  set_tests_properties(build.fuzz PROPERTIES PROCESSORS 2 COST 1000)
endif()
set_tests_properties(lint.cppcheck PROPERTIES PROCESSORS 2 COST 900)
set_tests_properties(install lint.planted valgrind PROPERTIES COST 40)
