#!/bin/sh
# Makes build/read_only.wasm. Needs `npm install @bytecodealliance/componentize-js` in this directory.
. "$(dirname "$0")/../prepare.sh"
node ../build.mjs
