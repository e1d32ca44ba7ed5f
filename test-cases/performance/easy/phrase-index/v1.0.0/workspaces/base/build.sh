#!/bin/sh
# Compiles every C file in src/ to solution.wasm. There is no C library: what the code needs, it holds.
set -eu

clang --target=wasm32 -std=c11 -O2 -Wall -Wextra -Werror -ffreestanding -fno-builtin -nostdlib \
    -Wl,--no-entry -Wl,--export=alloc -Wl,--export=solve -Wl,--strip-all \
    src/*.c -o solution.wasm
