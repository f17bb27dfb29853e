# Puts a text file into the program as a string_view of namespace signalbox.
function(signalbox_embed OUT NAME FILE)
  file(READ ${PROJECT_SOURCE_DIR}/${FILE} CONTENT)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${FILE})
  set(MADE ${CMAKE_BINARY_DIR}/embedded/${NAME}.cpp)
  # In pieces: a compiler need not take one literal of any length.
  string(LENGTH "${CONTENT}" LENGTH)
  set(PIECES "")
  set(AT 0)
  while(AT LESS LENGTH)
    string(SUBSTRING "${CONTENT}" ${AT} 8000 PIECE)
    string(APPEND PIECES "R\"SBX(${PIECE})SBX\"\n")
    math(EXPR AT "${AT} + 8000")
  endwhile()
  file(CONFIGURE OUTPUT ${MADE} CONTENT
    "#include \"server/embedded.h\"\nnamespace signalbox {\nconst std::string_view ${NAME} =\n@PIECES@;\n}\n" @ONLY)
  set(${OUT} ${${OUT}} ${MADE} PARENT_SCOPE)
endfunction()
