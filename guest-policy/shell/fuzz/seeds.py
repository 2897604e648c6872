"""Writes the texts of the case tables as a corpus into the directory given."""

import hashlib
import json
import pathlib
import sys

corpus = pathlib.Path(sys.argv[1])
corpus.mkdir(parents=True, exist_ok=True)
cases = pathlib.Path(__file__).resolve().parents[3] / "tests" / "cases"
for table in ("syntax", "commands"):
    for line in (cases / f"{table}.jsonl").read_text().strip().split("\n"):
        row = json.loads(line)
        text = (row.get("text") or row.get("command", "")).encode()
        (corpus / hashlib.sha256(text).hexdigest()[:16]).write_bytes(text)
