#!/usr/bin/env bash
# Format and tidy of our own code, with the versions the project is written for.
set -euo pipefail
cd "$(dirname "$0")/.."
format=$(command -v clang-format-19 || command -v clang-format) || { echo "check: needs clang-format-19" >&2; exit 1; }
tidy=$(command -v clang-tidy-19 || command -v clang-tidy) || { echo "check: needs clang-tidy-19" >&2; exit 1; }
mapfile -t files < <(git ls-files '*.cpp' '*.h')
echo "check: format of ${#files[@]} files"
"$format" --dry-run --Werror "${files[@]}"
cmake --preset release >/dev/null
mapfile -t sources < <(git ls-files 'src/*.cpp' 'cli/*.cpp' | grep -v -e '_test.cpp' -e '_bench.cpp' -e '_neon.cpp')
echo "check: tidy of ${#sources[@]} files"
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 8 "$tidy" -p build/release --quiet
