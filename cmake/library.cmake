# SPDX-License-Identifier: Apache-2.0
file(GLOB library_sources CONFIGURE_DEPENDS src/*/*.c src/*/*/*.c)

# The one list of pkg-config modules: CMake, swp.pc and swpConfig.cmake all take it from here.
if(SWP_CORE_ONLY)
  list(FILTER library_sources EXCLUDE REGEX
    "/src/(describe/|schema/|json/|emit/json/|proofs/|(certify|problem)/json_)")
  set(SWP_REQUIRES "")
else()
  set(SWP_REQUIRES yaml-0.1 jansson)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(SWP_DEPS REQUIRED IMPORTED_TARGET ${SWP_REQUIRES})
  set(library_dependencies PkgConfig::SWP_DEPS)
endif()

# The schemas are JSON to read and to edit.
if(NOT SWP_CORE_ONLY)
  include(cmake/embed.cmake)
  foreach(name description schedule problem target)
    list(APPEND schemas ${name}=${PROJECT_SOURCE_DIR}/src/schema/${name}.json)
  endforeach()
  swp_embed_lines(${PROJECT_BINARY_DIR}/src/schema/templates.c ${PROJECT_SOURCE_DIR}/src/schema/templates.c.in ${schemas})
  list(APPEND library_sources ${PROJECT_BINARY_DIR}/src/schema/templates.c)
endif()

# Without a SAT solver every search that would need one gives up.
if(SWP_SAT)
  find_library(CADICAL_LIBRARY cadical REQUIRED)
  find_path(CADICAL_INCLUDE_DIR cadical.hpp REQUIRED)
  list(FILTER library_sources EXCLUDE REGEX "/src/solve/sat_none")
  list(APPEND library_sources src/solve/sat_cadical.cpp)
  # What a wheel holds has to run where there is no C++ library.
  set(cxx_library stdc++)
  if(SKBUILD)
    set(cxx_library -l:libstdc++.a)
  endif()
  set(SWP_CXX_LIBRARY ${cxx_library} CACHE STRING "The C++ library that CaDiCaL takes")
  list(APPEND library_dependencies ${CADICAL_LIBRARY} ${SWP_CXX_LIBRARY} m)
  # CaDiCaL has no pkg-config module.
  set(pc_libs_private "-lcadical -lstdc++ -lm")
endif()

# The page of the format html is text that the library carries.
include(${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
set(viewer ${PROJECT_SOURCE_DIR}/src/emit/draw/viewer/viewer)
swp_embed_lines(${PROJECT_BINARY_DIR}/src/emit/draw/viewer.c ${PROJECT_SOURCE_DIR}/src/emit/draw/viewer.c.in
  css=${viewer}.css html=${viewer}.html js=${viewer}.js)
list(APPEND library_sources ${PROJECT_BINARY_DIR}/src/emit/draw/viewer.c)

# What an audit needs without a schedule: nothing of it searches, proves or writes code.
set(audit_sources ${library_sources})
list(FILTER audit_sources INCLUDE REGEX
  "/src/(base|json|problem|ir|config|target|simulate|audit|audit/(code|flow|amd|sass|ptx|advice))/[^/]*$|/src/emit/(text|json)/audit[a-z_]*\\.c$")
list(REMOVE_ITEM library_sources ${audit_sources})

# One compilation serves all libraries.
foreach(part audit rest)
  set(objects swp_${part}_objects)
  add_library(${objects} OBJECT)
  set_target_properties(${objects} PROPERTIES
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${objects} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${objects} PRIVATE $<$<BOOL:${SWP_CORE_ONLY}>:SWP_CORE_ONLY>)
  target_link_libraries(${objects} PRIVATE ${library_dependencies})
endforeach()
target_sources(swp_audit_objects PRIVATE ${audit_sources})
target_sources(swp_rest_objects PRIVATE ${library_sources})
# The C++ library that comes with the solver takes names of C++ apart, too.
if(SWP_SAT)
  set_source_files_properties(src/audit/ptx/kernel_name.c PROPERTIES COMPILE_DEFINITIONS SWP_HAS_CXX_ABI)
endif()
# The one place that asks the system for more than C11: a steady clock.
set_source_files_properties(src/base/clock.c PROPERTIES COMPILE_DEFINITIONS _POSIX_C_SOURCE=199309L)

add_library(swp SHARED $<TARGET_OBJECTS:swp_audit_objects> $<TARGET_OBJECTS:swp_rest_objects>)
add_library(swp_static STATIC $<TARGET_OBJECTS:swp_audit_objects> $<TARGET_OBJECTS:swp_rest_objects>)
add_library(swp_audit SHARED $<TARGET_OBJECTS:swp_audit_objects>)
add_library(swp::swp ALIAS swp)
add_library(swp::audit ALIAS swp_audit)
add_library(swp::static ALIAS swp_static)

foreach(library swp swp_static swp_audit)
  target_include_directories(${library} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PRIVATE ${library_dependencies})
  set_target_properties(${library} PROPERTIES OUTPUT_NAME swp LINKER_LANGUAGE C)
endforeach()
set_target_properties(swp swp_audit PROPERTIES
  VERSION ${PROJECT_VERSION}
  # Before 1.0 a minor version may break the ABI.
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(swp_static PROPERTIES EXPORT_NAME static)
# The rest of what is in it is for its own use.
set(audit_symbols ${CMAKE_CURRENT_LIST_DIR}/audit_symbols.map)
set_target_properties(swp_audit PROPERTIES
  OUTPUT_NAME swp-audit
  EXPORT_NAME audit
  LINK_DEPENDS ${audit_symbols})
target_link_options(swp_audit PRIVATE LINKER:--version-script=${audit_symbols})

# A static solver within a shared library is nobody else's.
if(SWP_SAT)
  target_link_options(swp PRIVATE LINKER:--exclude-libs,ALL)
endif()

# clang leaves the sanitizers' run time to the executable, so there a shared library has holes.
if(NOT SWP_SANITIZE)
  target_link_options(swp PRIVATE LINKER:--no-undefined)
  target_link_options(swp_audit PRIVATE LINKER:--no-undefined)
endif()
