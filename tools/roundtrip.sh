#!/bin/sh
# Reads every .pto file below the folders given, prints it, reads that and prints it again, and compares the two texts.
# Ends with "N passed, N failed"; --verify also asks the verifier.
#
# With --forms every program goes through each text form, from there to each other one and back, and has to be the same up to the
# names of its values; what is refused is listed with its code.
#
# Usage: tools/roundtrip.sh [--verify | --forms] FOLDER...
set -eu
cd "$(dirname "$0")/.."
if [ "${1:-}" = --forms ]; then
  shift
  exec cargo run --quiet --release -p ptoc-driver --example forms -- "$@"
fi
exec cargo run --quiet --release -p ptoc-driver --example roundtrip -- "$@"
