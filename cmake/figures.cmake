# SPDX-License-Identifier: Apache-2.0
# The figures of the manual, docs/figures: drawn anew on demand, by the command that was just built.
install(DIRECTORY docs/figures DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.svg")
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CROSSCOMPILING)
  add_custom_target(figures COMMAND ${PROJECT_SOURCE_DIR}/scripts/figures $<TARGET_FILE:swp_cli> VERBATIM)
  add_dependencies(figures swp_cli)
endif()
