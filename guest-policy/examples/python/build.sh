#!/bin/sh
# Makes build/read_only.wasm. Needs `componentize-py` on the path.
. "$(dirname "$0")/../prepare.sh"
componentize-py -q -d wit -w read-only componentize --stub-wasi -p .. read_only -o read_only.wasm
