# Warnings as errors for our own code only; other people's headers are system headers.
add_library(signalbox_warnings INTERFACE)
target_compile_options(signalbox_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Werror)
