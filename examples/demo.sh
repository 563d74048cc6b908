#!/bin/sh
# Compiles the k-mer demo and runs it on the reads of phage lambda: those of Debian's package
# bowtie2-examples, or, without it, the small subset in examples/data. Used by `make demo`.
#
#     examples/demo.sh [threads]        MERIDIAN: the command, else build/bin/meridian
set -eu
here=$(cd "$(dirname "$0")" && pwd)
meridian=${MERIDIAN:-$here/../build/bin/meridian}
threads=${1:-4}
installed=/usr/share/doc/bowtie2/examples
if [ -r "$installed/reads/reads_1.fq.gz" ] && [ -r "$installed/reference/lambda_virus.fa.gz" ]; then
    set -- "$installed/reads/reads_1.fq.gz" "$installed/reads/reads_2.fq.gz" "$installed/reference/lambda_virus.fa.gz"
else
    echo "The package bowtie2-examples is not installed: using the subset in examples/data."
    set -- "$here/data/reads_1.fq.gz" "$here/data/reads_2.fq.gz" "$here/data/lambda_10k.fa"
fi
program=$(mktemp -d)/kmer
trap 'rm -r "$(dirname "$program")"' EXIT
echo "\$ meridian cc -O3 -o kmer examples/kmer.upc"
"$meridian" cc -O3 -o "$program" "$here/kmer.upc"
echo "\$ meridian run -n $threads kmer $*"
"$meridian" run -n "$threads" "$program" "$@"
