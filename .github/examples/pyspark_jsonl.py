"""Translates a column of a data set with PySpark: `python pyspark_jsonl.py ROWS.jsonl OUT FIELD`.

`mapInPandas` hands each partition to one `cass-transpile jsonl` and reads its records back; nothing but the program has to be on the
workers.  CASS names it if it is not on the path.  With PIPE=1 `RDD.pipe` does the same on the lines themselves.
"""
import json, os, subprocess, sys, threading


def ported(frames, field):
    """Frames of records, one a row of the column `value`, translated."""
    import pandas
    command = [os.environ.get("CASS", "cass-transpile"), "jsonl", "--field", field]
    for frame in frames:
        lines = frame["value"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # Written beside reading: neither pipe fills up.
        threading.Thread(target=lambda: (process.stdin.writelines(line + "\n" for line in lines), process.stdin.close()), daemon=True).start()
        yield pandas.DataFrame({"value": [line.rstrip("\n") for line in process.stdout]})
        process.wait()


def main(rows, out, field):
    from pyspark.sql import SparkSession
    # The workers need pandas as well: the same interpreter has it.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.appName("cass-transpile").getOrCreate()
    if os.environ.get("PIPE"):
        quoted = f"{os.environ.get('CASS', 'cass-transpile')} jsonl --field {field}"
        spark.sparkContext.textFile(rows).pipe(quoted).saveAsTextFile(out)
    else:
        translated = spark.read.text(rows).mapInPandas(lambda frames: ported(frames, field), "value string")
        translated.write.mode("overwrite").text(out)
    verdicts = spark.read.text(out).rdd.map(lambda row: json.loads(row.value)["cass"]["verdict"]).countByValue()
    print(json.dumps(dict(sorted(verdicts.items()))))
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
