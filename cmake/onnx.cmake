# ONNX Runtime's C header, where scripts/fetch-onnx.sh put it or where the system has it. The library itself
# is loaded at run time; without the header the ONNX encoder is built as one clear message.
if(DEFINED ENV{XDG_CACHE_HOME})
  set(SIGNALBOX_CACHE $ENV{XDG_CACHE_HOME}/signalbox)
else()
  set(SIGNALBOX_CACHE $ENV{HOME}/.cache/signalbox)
endif()
find_path(ONNXRUNTIME_INCLUDE onnxruntime_c_api.h
  HINTS ${SIGNALBOX_CACHE}/onnxruntime/include PATH_SUFFIXES onnxruntime)
if(ONNXRUNTIME_INCLUDE)
  target_include_directories(signalbox_lib SYSTEM PRIVATE ${ONNXRUNTIME_INCLUDE})
  message(STATUS "ONNX encoder: header in ${ONNXRUNTIME_INCLUDE}")
else()
  message(STATUS "ONNX encoder: left out (scripts/fetch-onnx.sh fetches its header)")
endif()
