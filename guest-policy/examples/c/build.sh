#!/bin/sh
# Makes build/read_only.wasm. Needs `wit-bindgen`, `jco`, and a python3 with the package `ziglang`.
. "$(dirname "$0")/../prepare.sh"
wit-bindgen c --world read-only wit
${PYTHON:-python3} -m ziglang cc -target wasm32-wasi -mexec-model=reactor -Os -s -Wall -Wextra -I. -o core.wasm \
    ../read_only.c read_only.c read_only_component_type.o
jco new core.wasm --wasi-reactor -o read_only.wasm
