# A text file as C++ string literals, in pieces: a compiler need not take one literal of any length.
function(signalbox_literals OUT FILE)
  file(READ ${FILE} CONTENT)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${FILE})
  string(LENGTH "${CONTENT}" LENGTH)
  set(PIECES "")
  set(AT 0)
  while(AT LESS LENGTH)
    string(SUBSTRING "${CONTENT}" ${AT} 8000 PIECE)
    string(APPEND PIECES "R\"SBX(${PIECE})SBX\"\n")
    math(EXPR AT "${AT} + 8000")
  endwhile()
  set(${OUT} "${PIECES}" PARENT_SCOPE)
endfunction()

# Puts a text file into the program as a string_view of namespace signalbox.
function(signalbox_embed OUT NAME FILE)
  signalbox_literals(PIECES ${PROJECT_SOURCE_DIR}/${FILE})
  set(MADE ${CMAKE_BINARY_DIR}/embedded/${NAME}.cpp)
  file(CONFIGURE OUTPUT ${MADE} CONTENT
    "#include \"server/embedded.h\"\nnamespace signalbox {\nconst std::string_view ${NAME} =\n@PIECES@;\n}\n" @ONLY)
  set(${OUT} ${${OUT}} ${MADE} PARENT_SCOPE)
endfunction()

# Puts the text files below a folder into the program as one table of names, without folders, and texts.
function(signalbox_embed_folder OUT NAME FOLDER)
  file(GLOB_RECURSE FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${FOLDER}/*)
  set(ROWS "")
  foreach(FILE ${FILES})
    signalbox_literals(PIECES ${FILE})
    cmake_path(GET FILE FILENAME FILE_NAME)
    string(APPEND ROWS "{\"${FILE_NAME}\",\n${PIECES}},\n")
  endforeach()
  set(MADE ${CMAKE_BINARY_DIR}/embedded/${NAME}.cpp)
  file(CONFIGURE OUTPUT ${MADE} CONTENT
    "#include \"server/embedded.h\"\nnamespace signalbox {\nstatic constexpr PageFile kFiles[] = {\n@ROWS@};\nconst std::span<const PageFile> ${NAME} = kFiles;\n}\n" @ONLY)
  set(${OUT} ${${OUT}} ${MADE} PARENT_SCOPE)
endfunction()
