# X.cpp, X_test.cpp and X_bench.cpp stand side by side; these functions tell them apart.

# Every .cpp below FOLDER that is neither a test nor a benchmark.
function(signalbox_sources OUT FOLDER)
  file(GLOB_RECURSE FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${FOLDER}/*.cpp)
  list(FILTER FILES EXCLUDE REGEX "_(test|bench)\\.cpp$")
  set(${OUT} ${FILES} PARENT_SCOPE)
endfunction()

# One binary a folder: src/fastpath/*_test.cpp becomes fastpath_test, registered with CTest.
function(signalbox_binaries SUFFIX LIBRARIES OUT)
  file(GLOB_RECURSE FILES CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/src/*_${SUFFIX}.cpp ${PROJECT_SOURCE_DIR}/cli/*_${SUFFIX}.cpp
    ${PROJECT_SOURCE_DIR}/server/*_${SUFFIX}.cpp
    ${PROJECT_SOURCE_DIR}/test/*_${SUFFIX}.cpp ${PROJECT_SOURCE_DIR}/bench/*_${SUFFIX}.cpp)
  set(NAMES)
  foreach(FILE ${FILES})
    cmake_path(GET FILE PARENT_PATH FOLDER)
    cmake_path(GET FOLDER FILENAME NAME)
    set(TARGET ${NAME}_${SUFFIX})
    if(NOT TARGET ${TARGET})
      add_executable(${TARGET})
      target_include_directories(${TARGET} PRIVATE ${PROJECT_SOURCE_DIR})
      target_link_libraries(${TARGET} PRIVATE signalbox_lib signalbox_warnings ${LIBRARIES})
      target_compile_definitions(${TARGET} PRIVATE SIGNALBOX_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
        SIGNALBOX_BINARY_DIR="${CMAKE_BINARY_DIR}")
      list(APPEND NAMES ${TARGET})
    endif()
    target_sources(${TARGET} PRIVATE ${FILE})
  endforeach()
  # A test of its own folder below test/ may be made of several files.
  foreach(TARGET ${NAMES})
    string(REPLACE "_${SUFFIX}" "" NAME ${TARGET})
    file(GLOB PARTS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/${NAME}/*.cpp)
    list(FILTER PARTS EXCLUDE REGEX "_(test|bench|fuzz)\\.cpp$")
    target_sources(${TARGET} PRIVATE ${PARTS})
  endforeach()
  set(${OUT} ${NAMES} PARENT_SCOPE)
endfunction()

function(signalbox_tests)
  signalbox_binaries(test "GTest::gtest;GTest::gmock;GTest::gtest_main;yaml-cpp" NAMES)
  foreach(NAME ${NAMES})
    add_test(NAME ${NAME} COMMAND ${NAME} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${NAME} PROPERTIES TIMEOUT 600)
  endforeach()
endfunction()

function(signalbox_benches)
  signalbox_binaries(bench "benchmark::benchmark;benchmark::benchmark_main" NAMES)
  add_custom_target(benches DEPENDS ${NAMES})
endfunction()
