# SPDX-License-Identifier: Apache-2.0
# The figures of the manual: timelines of the built-in schedules and of its examples, written by the command that was just built.
set(figures "")

# NAME.svg, as `swp ARGUMENT... --format svg` writes it. A limit of work in place of the clock's: a busy machine draws the same.
function(add_figure name)
  set(figure ${PROJECT_BINARY_DIR}/figures/${name}.svg)
  set(files ${ARGN})
  list(FILTER files INCLUDE REGEX "^/")
  add_custom_command(OUTPUT ${figure}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/figures
    COMMAND swp_cli ${ARGN} --work-limit 100000000 --format svg -o ${figure}
    DEPENDS swp_cli ${files} VERBATIM)
  set(figures ${figures} ${figure} PARENT_SCOPE)
endfunction()

if(NOT CMAKE_CROSSCOMPILING)
  add_figure(single_buffer emit single_buffer)
  add_figure(pingpong emit pingpong)
  add_figure(fourwave emit fourwave)
  add_figure(fourwave_derived diff fourwave fourwave --set-b schedule.sync=derived)
  add_figure(gemm_tile emit gemm_tile)
  add_figure(gemm_tile_two_slots diff gemm_tile gemm_tile --set-b loop.slots=2)
  add_figure(gemm_fragments emit gemm_fragments)
  add_figure(attention_fwd emit attention_fwd)
  add_figure(stencil emit stencil)
  add_figure(gemm_ws emit gemm_ws)
  add_figure(gemm_ws_persistent emit gemm_ws --set loop.persistent=true)
  add_figure(attention_ws emit attention_ws)
  add_figure(fourwave_sm_80 emit fourwave --target sm_80 --set schedule.sync=derived)
  add_figure(norm emit ${PROJECT_SOURCE_DIR}/examples/tutorial/norm.yaml)
  add_figure(norm_amd emit ${PROJECT_SOURCE_DIR}/examples/tutorial/norm_amd.yaml)
  set(ring ${PROJECT_SOURCE_DIR}/tests/roles/gemm_ring.json)
  add_figure(gemm_ring emit ${ring})
  # A fault of docs/roles-proof.md, `overwritten`: all threads arrive, and matrix_wait leaves 2 groups in place of 1.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ring})
  file(READ ${ring} fault)
  string(REPLACE "\"arrivals\": 2" "\"arrivals\": 256" fault "${fault}")
  string(REGEX REPLACE "(\"name\": \"arrive\",[^}]*\"by\": )\"one\"" "\\1\"all\"" fault "${fault}")
  string(REGEX REPLACE "(\"name\": \"matrix_wait\",[^}]*\"wait\": )1" "\\12" fault "${fault}")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/gemm_ring_overwritten.json CONTENT "${fault}" @ONLY)
  add_figure(gemm_ring_overwritten emit ${PROJECT_BINARY_DIR}/gemm_ring_overwritten.json)
  # Sanitizers would show nothing more than tests do, and take their time.
  if(NOT SWP_SANITIZE AND NOT SWP_COVERAGE)
    set(with_all ALL)
  endif()
  add_custom_target(figures ${with_all} DEPENDS ${figures})
  install(FILES ${figures} DESTINATION ${CMAKE_INSTALL_DOCDIR}/figures OPTIONAL)
endif()
