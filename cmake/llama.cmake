# llama.cpp, where scripts/fetch-llama.sh put it (SIGNALBOX_LLAMA_DIR names another folder of that shape: lib,
# include, include/common). With it src/model/llama_*.cpp serve gguf: models in process; without it
# src/model/llama_absent.cpp says in one line how to have it, and everything else is built the same.
set(SIGNALBOX_LLAMA_DIR "" CACHE PATH "A folder with llama.cpp's static libraries and headers; empty: the cache's")
option(SIGNALBOX_LLAMA "Link llama.cpp when it is there" ON)

set(LLAMA_FOLDER ${SIGNALBOX_LLAMA_DIR})
if(NOT LLAMA_FOLDER)
  file(STRINGS ${PROJECT_SOURCE_DIR}/scripts/fetch-llama.sh LLAMA_PINS REGEX "^(PACKAGE|RECIPE)=")
  string(REGEX REPLACE ".*@([0-9.]+).*RECIPE=([0-9]+).*" "\\1-\\2" LLAMA_VERSION "${LLAMA_PINS}")
  set(LLAMA_FOLDER ${SIGNALBOX_CACHE}/llama/${LLAMA_VERSION})
endif()

file(GLOB LLAMA_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/model/llama_*.cpp)
list(FILTER LLAMA_SOURCES EXCLUDE REGEX "_(test|bench|absent)\\.cpp$")
set(LLAMA_ABSENT ${PROJECT_SOURCE_DIR}/src/model/llama_absent.cpp)

if(SIGNALBOX_LLAMA AND EXISTS ${LLAMA_FOLDER}/lib/libllama.a)
  set(LLAMA_LIBRARIES)
  foreach(NAME llama-common llama-common-base cpp-httplib llama ggml ggml-cpu ggml-base)
    list(APPEND LLAMA_LIBRARIES ${LLAMA_FOLDER}/lib/lib${NAME}.a)
  endforeach()
  target_link_libraries(signalbox_lib PRIVATE ${LLAMA_LIBRARIES})
  # Headers of another project: their warnings are not ours to mend.
  set_property(SOURCE ${LLAMA_SOURCES} APPEND PROPERTY COMPILE_OPTIONS -isystem${LLAMA_FOLDER}/include
    -isystem${LLAMA_FOLDER}/include/common)
  set_property(SOURCE ${LLAMA_ABSENT} PROPERTY HEADER_FILE_ONLY ON)
  message(STATUS "gguf: models: llama.cpp in ${LLAMA_FOLDER}")
else()
  set_property(SOURCE ${LLAMA_SOURCES} PROPERTY HEADER_FILE_ONLY ON)
  message(STATUS "gguf: models: left out (scripts/fetch-llama.sh builds llama.cpp once)")
endif()
