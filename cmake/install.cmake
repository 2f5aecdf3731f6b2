# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/swp)

# Two export sets, so that a user of the shared library needs none of the static one's dependencies.
install(TARGETS swp swp_audit EXPORT swpTargets)
install(TARGETS swp_static EXPORT swpStaticTargets)
install(EXPORT swpTargets NAMESPACE swp:: DESTINATION ${config_dir})
install(EXPORT swpStaticTargets NAMESPACE swp:: DESTINATION ${config_dir})
install(DIRECTORY include/swp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

configure_package_config_file(cmake/swpConfig.cmake.in swpConfig.cmake
  INSTALL_DESTINATION ${config_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break the API.
write_basic_package_version_file(swpConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/swpConfig.cmake ${PROJECT_BINARY_DIR}/swpConfigVersion.cmake
  cmake/swpAddSchedule.cmake DESTINATION ${config_dir})

# Relative to the file itself, because `cmake --install --prefix` moves the tree after configuring.
file(RELATIVE_PATH pc_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
list(JOIN SWP_REQUIRES " " pc_requires_private)
configure_file(cmake/swp.pc.in swp.pc @ONLY)
configure_file(cmake/swp-audit.pc.in swp-audit.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/swp.pc ${PROJECT_BINARY_DIR}/swp-audit.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(NOT SWP_CORE_ONLY)
  file(GLOB manual_pages CONFIGURE_DEPENDS docs/man/*.1)
  file(GLOB descriptions CONFIGURE_DEPENDS kernels/*.yaml)
  file(GLOB manual CONFIGURE_DEPENDS docs/*.md)
  install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${descriptions} DESTINATION ${CMAKE_INSTALL_DATADIR}/swp/kernels)
  install(DIRECTORY targets DESTINATION ${CMAKE_INSTALL_DATADIR}/swp)
endif()
