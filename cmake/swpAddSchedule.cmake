# SPDX-License-Identifier: Apache-2.0
# swp_add_schedule(TARGET SCHEDULE [HEADER NAME.h] [OPTIONS OPTION...])
#
# Writes the C header of a schedule when TARGET is built, and again when SCHEDULE or swp changes; the
# sources of TARGET include it by its name.
#
#   SCHEDULE  a description or a schedule in JSON, relative to the current source directory; a name
#             without dot and slash is a built-in's
#   HEADER    the name to include it by; by default that of SCHEDULE, with .h
#   OPTIONS   what `swp emit` takes: --set schedule.sync=derived --prefix GEMM
function(swp_add_schedule target schedule)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "HEADER" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "swp_add_schedule: what is `${arg_UNPARSED_ARGUMENTS}"
      "${arg_KEYWORDS_MISSING_VALUES}`? Options of `swp emit` stand after OPTIONS, a name after HEADER.")
  endif()
  if(NOT TARGET swp::command)
    message(FATAL_ERROR "swp_add_schedule: this swp was built without its command (SWP_CORE_ONLY)")
  endif()
  set(input ${schedule})
  set(file "")
  if(schedule MATCHES "[./]")
    cmake_path(ABSOLUTE_PATH input BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    set(file ${input})
  endif()
  if(NOT arg_HEADER)
    cmake_path(GET input STEM LAST_ONLY name)
    set(arg_HEADER ${name}.h)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.swp)
  cmake_path(GET arg_HEADER PARENT_PATH subfolder)
  file(MAKE_DIRECTORY ${folder}/${subfolder})
  add_custom_command(OUTPUT ${folder}/${arg_HEADER}
    COMMAND swp::command emit ${input} --format c ${arg_OPTIONS} -o ${folder}/${arg_HEADER}
    DEPENDS swp::command ${file}
    COMMENT "Scheduling ${arg_HEADER}"
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/${arg_HEADER})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
