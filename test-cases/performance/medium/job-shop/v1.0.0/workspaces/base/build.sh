#!/bin/sh
# Builds a core module, then makes it a component: one that exports what wit/solution.wit says, with no imports.
set -eu

cargo build --release --locked --offline --target wasm32-unknown-unknown
cd target
wasm-tools component embed ../wit wasm32-unknown-unknown/release/solution.wasm -o embedded.wasm
wasm-tools component new embedded.wasm -o solution.wasm
