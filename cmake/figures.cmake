# SPDX-License-Identifier: Apache-2.0
# The figures of the manual: timelines of the built-in schedules and of its examples, written by the command that was just built.
set(figures "")

# NAME.svg, as `swp ARGUMENT... --format svg` writes it. A limit of work in place of the clock's: a busy machine draws the same.
function(add_figure name)
  set(figure ${PROJECT_BINARY_DIR}/figures/${name}.svg)
  add_custom_command(OUTPUT ${figure}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/figures
    COMMAND swp_cli ${ARGN} --work-limit 100000000 --format svg -o ${figure}
    DEPENDS swp_cli VERBATIM)
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
  add_figure(norm emit ${PROJECT_SOURCE_DIR}/examples/tutorial/norm.yaml)
  add_figure(norm_amd emit ${PROJECT_SOURCE_DIR}/examples/tutorial/norm_amd.yaml)
  # Sanitizers would show nothing more than tests do, and take their time.
  if(NOT SWP_SANITIZE AND NOT SWP_COVERAGE)
    set(with_all ALL)
  endif()
  add_custom_target(figures ${with_all} DEPENDS ${figures})
  install(FILES ${figures} DESTINATION ${CMAKE_INSTALL_DOCDIR}/figures OPTIONAL)
endif()
