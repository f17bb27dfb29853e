# Fast kernels: files named *_avx2.cpp, *_avx512vnni.cpp and *_neon.cpp are compiled for their
# instruction set alone and chosen at run time. Everything in src/model computes floats without
# contraction, so that every kernel gives the same bits.
file(GLOB MODEL_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/model/*.cpp)
list(FILTER MODEL_FILES EXCLUDE REGEX "_(test|bench)\\.cpp$")
foreach(FILE ${MODEL_FILES})
  set(FLAGS -ffp-contract=off)
  if(FILE MATCHES "_avx2\\.cpp$" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND FLAGS -mavx2 -mf16c)
  elseif(FILE MATCHES "_avx512vnni\\.cpp$" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND FLAGS -mavx2 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni)
  elseif(FILE MATCHES "_neon\\.cpp$" AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    list(APPEND FLAGS -march=armv8.2-a+dotprod)
  endif()
  set_property(SOURCE ${FILE} APPEND PROPERTY COMPILE_OPTIONS ${FLAGS})
endforeach()
