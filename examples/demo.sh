#!/bin/sh
# Check the faulty trainers, then the corrected ones, and compare the exit codes with what they mean:
# 1 for findings, 0 for a clean run.   Usage: demo.sh path/to/dnnlint
set -u
dnnlint=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")" || exit 2
failed=0

check() {
    expected=$1
    shift
    echo "\$ dnnlint check $*"
    "$dnnlint" check "$@"
    code=$?
    echo "exit code $code, expected $expected"
    echo
    [ "$code" -eq "$expected" ] || failed=1
}

check 1 image_classification/train_faulty.py language_model/train_faulty.py
check 0 image_classification/train.py language_model/train.py
exit $failed
