# SPDX-License-Identifier: Apache-2.0
# swp_embed_lines(OUTPUT TEMPLATE NAME=FILE...) writes a C source from TEMPLATE, in whose place @LINES@ stand
# the lines of each file as `static const char *const lines_of_NAME[]`, and in whose place @ROWS@ a
# row {"NAME", lines_of_NAME, COUNT} each. C11 has no way to include a text. OUTPUT lies in the build as TEMPLATE
# in the tree: so the lint of layers finds the template of an object.
function(swp_embed_lines output template)
  set(LINES "")
  set(ROWS "")
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.+)$" matched "${pair}")
    set(name ${CMAKE_MATCH_1})
    set(path ${CMAKE_MATCH_2})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} text)
    string(REGEX REPLACE "\n$" "" text "${text}")
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\",\n    \"" text "${text}")
    string(APPEND LINES "static const char *const lines_of_${name}[] = {\n    \"${text}\",\n};\n\n")
    string(APPEND ROWS "    {\"${name}\", lines_of_${name}, COUNT_OF(lines_of_${name})},\n")
  endforeach()
  configure_file(${template} ${output} @ONLY)
endfunction()
