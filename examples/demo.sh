#!/bin/sh
# Check the faulty trainers and deployment files, then the corrected ones, and estimate the memory of training these;
# compare the exit codes with what they mean: check gives 1 for findings and 0 for a clean run, estimate 0 for what fits.   Usage: demo.sh path/to/dnnlint
set -u
dnnlint=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")" || exit 2
failed=0

run() {
    expected=$1
    shift
    echo "\$ dnnlint $*"
    "$dnnlint" "$@"
    code=$?
    echo "exit code $code, expected $expected"
    echo
    [ "$code" -eq "$expected" ] || failed=1
}

run 1 check image_classification/train_faulty.py language_model/train_faulty.py
run 0 check image_classification/train.py language_model/train.py
run 1 check deploy/faulty
run 0 check deploy/corrected
run 0 estimate image_classification/train.py --batch 64 --gpu t4
run 0 estimate language_model/train.py --batch 64 --gpu t4
exit $failed
