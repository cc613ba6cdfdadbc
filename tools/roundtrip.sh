#!/bin/sh
# Reads every .pto file below the folders given, prints it, reads that and prints it again, and compares the two texts.
# Ends with "N passed, N failed"; --verify also asks the verifier.
#
# Usage: tools/roundtrip.sh [--verify] FOLDER...
set -eu
cd "$(dirname "$0")/.."
exec cargo run --quiet --release -p ptoc-driver --example roundtrip -- "$@"
