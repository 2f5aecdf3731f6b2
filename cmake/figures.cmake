# SPDX-License-Identifier: Apache-2.0
# The figures of the manual: timelines of the built-in schedules and the tutorial's, written by the command that was just built.
set(figures "")
if(NOT CMAKE_CROSSCOMPILING)
  foreach(name single_buffer pingpong fourwave gemm_tile gemm_fragments attention_fwd stencil gemm_ws attention_ws norm)
    set(figure ${PROJECT_BINARY_DIR}/figures/${name}.svg)
    set(source ${name})
    if(EXISTS ${PROJECT_SOURCE_DIR}/examples/tutorial/${name}.yaml)
      set(source ${PROJECT_SOURCE_DIR}/examples/tutorial/${name}.yaml)
    endif()
    add_custom_command(OUTPUT ${figure}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/figures
      COMMAND swp_cli emit ${source} --format svg -o ${figure}
      DEPENDS swp_cli VERBATIM)
    list(APPEND figures ${figure})
  endforeach()
  # Sanitizers would show nothing more than tests do, and take their time.
  if(NOT SWP_SANITIZE AND NOT SWP_COVERAGE)
    set(with_all ALL)
  endif()
  add_custom_target(figures ${with_all} DEPENDS ${figures})
  install(FILES ${figures} DESTINATION ${CMAKE_INSTALL_DOCDIR}/figures OPTIONAL)
endif()
