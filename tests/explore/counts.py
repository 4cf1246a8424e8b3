"""What the tests of numbers of executions share: running the command on many texts at once."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

MODELS = ("ptx60", "ptx", "cuda", "rc11", "c11", "tso", "sc")


def litmus_tests():
    """name -> text of each test of tests/litmus."""
    return {path.stem: path.read_text() for path in sorted((ROOT / "tests" / "litmus").glob("*.litmus"))}


def check(warpsan, texts, model, options=()):
    """name -> what the command prints about each text under a model."""
    if not texts:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            pathlib.Path(folder, f"{name}.litmus").write_text(text)
        command = [warpsan, "check", "--format", "json", "--model", model, *options]
        files = [f"{name}.litmus" for name in texts]
        done = subprocess.run(command + files, cwd=folder, text=True, stdout=subprocess.PIPE)
    results = (json.loads(line) for line in done.stdout.splitlines())
    return {pathlib.Path(result["input"]).stem: result for result in results}


def executions(result):
    """The number of executions, or why there is none."""
    if result is None or "executions" not in result:
        return "no result"
    if not result["complete"] or result["duplicates"]:
        return f"incomplete: {result['incomplete']}, {result['duplicates']} duplicates"
    return result["executions"]
