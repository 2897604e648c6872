#!/bin/sh
# Builds the guest in the directory given and checks its verdicts with the `execgate` of $EXECGATE, or of the path.
set -eu
examples=$(cd "$(dirname "$0")" && pwd)
guest=$1
execgate=${EXECGATE:-execgate}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

sh "$examples/$guest/build.sh"
component="$examples/$guest/build/read_only.wasm"
"$execgate" policy inspect "$component"
cat > "$scratch/rows" <<'ROWS'
{"id": "allow", "command": "ls"}
{"id": "allow", "command": "cat a | grep -c b && pwd"}
{"id": "allow", "command": "head -3 < a"}
{"id": "allow", "command": "echo \"$(wc -l a)\""}
{"id": "deny", "command": "rm x"}
{"id": "deny", "command": "cat a > b"}
{"id": "deny", "command": "ls; rm x"}
{"id": "deny", "command": "cat \"$(rm x)\""}
{"id": "deny", "command": "LD_PRELOAD=x ls"}
{"id": "deny", "command": "$x"}
{"id": "deny", "command": "echo 'a"}
{"id": "deny", "command": "echo 2>&1"}
ROWS
"$execgate" policy check --state-dir "$scratch" --policy "$component" < "$scratch/rows" > "$scratch/reports"
python3 - "$scratch/rows" "$scratch/reports" <<'CHECK'
import json
import sys

rows, reports = ([json.loads(line) for line in open(path)] for path in sys.argv[1:])
assert len(rows) == len(reports), reports
wrong = [report for report in reports if report["verdict"] != report["id"] or not report["rule"].startswith("read-only/")]
for report in reports:
    print(report["verdict"], report["micros"], "us", report["rule"])
sys.exit(f"wrong: {wrong}" if wrong else 0)
CHECK
