#!/usr/bin/env bash
# Builds the pipeline and runs it on a cluster.
#
#   submit.sh prism|flink|spark|dataflow [--print] -- FLAGS OF THE PIPELINE
#
# FLAGS are --list, --baseline, --parts or --compact and the others that "provenance-beam --help" lists.
# --print says what would be run. Where the cluster is comes from the environment:
#
#   flink      FLINK_MASTER=HOST:8081, of a Flink 1.19 cluster
#   spark      SPARK_MASTER=spark://HOST:7077, of a Spark 3 cluster
#   dataflow   GCP_PROJECT, GCP_REGION, GCP_STAGING=gs://BUCKET/PATH
#   WORKERS    at most so many, 16
#
# Flink and Spark take a job by a job server of Beam, which runs here in a container as long
# as the job does; their workers start containers of Beam's Go SDK. So both need docker.
set -euo pipefail
beam=2.77.0 # that of go.mod
[ $# -ge 2 ] || { sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
runner=$1 print=
shift
if [ "$1" = --print ]; then print=1; shift; fi
[ "${1:-}" = -- ] || { echo "submit.sh: flags of the pipeline stand behind --" >&2; exit 2; }
shift
here=$(cd "$(dirname "$0")" && pwd) program=${TMPDIR:-/tmp}/provenance-beam
run() { if [ -n "$print" ]; then printf '%s\n' "$*"; else "$@"; fi; }
need() { [ -n "${!1:-}" ] || { echo "submit.sh: set $1" >&2; exit 2; }; }
workers=${WORKERS:-16}
server() { # a job server at port 8099, until this script ends
  run docker run --rm --detach --net=host --name provenance-job-server "$@"
  [ -n "$print" ] || trap 'docker stop provenance-job-server >/dev/null' EXIT
  universal=(--runner universal --endpoint localhost:8099 --environment_type DOCKER --environment_config "apache/beam_go_sdk:$beam" --parallelism "$workers")
}
case $runner in
prism) universal=(--runner prism) ;;
flink) need FLINK_MASTER; server "apache/beam_flink1.19_job_server:$beam" "--flink-master=$FLINK_MASTER" ;;
spark) need SPARK_MASTER; server "apache/beam_spark3_job_server:$beam" "--spark-master-url=$SPARK_MASTER" ;;
dataflow)
  need GCP_PROJECT; need GCP_REGION; need GCP_STAGING
  universal=(--runner dataflow --project "$GCP_PROJECT" --region "$GCP_REGION" --staging_location "$GCP_STAGING" --max_num_workers "$workers")
  ;;
*) echo "submit.sh: \"$runner\" is none of prism, flink, spark, dataflow" >&2; exit 2 ;;
esac
# the program is its own worker, whatever C library the image of the workers has
run go build -C "$here" -ldflags '-extldflags -static' -o "$program" .
run "$program" "${universal[@]}" "$@"
