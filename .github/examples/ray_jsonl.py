"""Translates a column of a data set with Ray Data: `python ray_jsonl.py ROWS.jsonl OUT FIELD`.

Each batch of records goes through one `cass-transpile jsonl`.  CASS names the program if it is not on the path of the workers.
"""
import collections, json, os, subprocess, sys


def ported(batch, field):
    """A batch of records, the column `text`, translated."""
    command = [os.environ.get("CASS", "cass-transpile"), "jsonl", "--field", field]
    text = "".join(line + "\n" for line in batch["text"])
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True)
    return {"text": done.stdout.splitlines()}


def main(rows, out, field):
    import ray
    ray.init(ignore_reinit_error=True, include_dashboard=False)
    data = ray.data.read_text(os.path.abspath(rows))
    data = data.map_batches(ported, fn_kwargs={"field": field}, batch_size=256, batch_format="numpy").materialize()
    os.makedirs(out, exist_ok=True)
    verdicts = collections.Counter()
    with open(os.path.join(out, "part-0.jsonl"), "w") as file:
        for row in data.iter_rows():
            file.write(row["text"] + "\n")
            verdicts[json.loads(row["text"])["cass"]["verdict"]] += 1
    print(json.dumps(dict(sorted(verdicts.items()))))


if __name__ == "__main__":
    main(*sys.argv[1:])
