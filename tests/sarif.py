#!/usr/bin/env python3
"""Holds a SARIF log against what the standard demands of the objects that warpsan writes.

usage: sarif.py LOG

The table says for each kind of object of SARIF 2.1.0 (OASIS, section 3) which properties it has, of what
type, and which it must have; others are errors. With $WARPSAN_SARIF_SCHEMA, the schema that OASIS
publishes, and the Python module jsonschema, the log is validated by that, too.
"""
import json
import os
import sys

LEVELS = {"none", "note", "warning", "error"}


def number_from(least):
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def one_of(values):
    return lambda value: value in values


def is_text(value):
    return isinstance(value, str)


def is_message(value):
    """Single braces would be a placeholder ("Messages with placeholders")."""
    rest = value.replace("{{", "").replace("}}", "")
    return is_text(value) and "{" not in rest and "}" not in rest


def is_flag(value):
    return isinstance(value, bool)


def is_uri(value):
    return isinstance(value, str) and value and not any(c in value for c in ' <>"{}|\\^`\n')


# Kind: (properties that must be there, {property: a check, the name of a kind, or [kind, least count]}).
KINDS = {
    "log": ({"version", "runs"},
            {"$schema": is_uri, "version": one_of({"2.1.0"}), "runs": ["run", 0]}),
    "run": ({"tool"},
            {"tool": "tool", "invocations": ["invocation", 0], "results": ["result", 0],
             "columnKind": one_of({"utf16CodeUnits", "unicodeCodePoints"})}),
    "tool": ({"driver"}, {"driver": "toolComponent"}),
    "toolComponent": ({"name"},
                      {"name": is_text, "version": is_text, "rules": ["reportingDescriptor", 0]}),
    # Descriptions and help are what pages that show findings demand.
    "reportingDescriptor": ({"id", "shortDescription", "fullDescription", "help"},
                            {"id": is_text, "shortDescription": "message",
                             "fullDescription": "message", "help": "message",
                                     "defaultConfiguration": "reportingConfiguration"}),
    "reportingConfiguration": (set(), {"level": one_of(LEVELS)}),
    "invocation": ({"executionSuccessful"},
                   {"executionSuccessful": is_flag,
                    "toolExecutionNotifications": ["notification", 0]}),
    "notification": ({"message"}, {"message": "message", "level": one_of(LEVELS),
                                   "locations": ["location", 0]}),
    "result": ({"message"},
               {"message": "message", "ruleId": is_text, "ruleIndex": number_from(-1),
                "level": one_of(LEVELS), "locations": ["location", 0],
                "relatedLocations": ["location", 0], "codeFlows": ["codeFlow", 0],
                "fixes": ["fix", 0], "properties": lambda value: isinstance(value, dict)}),
    "location": (set(), {"id": number_from(-1), "physicalLocation": "physicalLocation",
                         "message": "message"}),
    "physicalLocation": ({"artifactLocation"},
                         {"artifactLocation": "artifactLocation", "region": "region"}),
    "artifactLocation": ({"uri"}, {"uri": is_uri}),
    "region": ({"startLine"}, {key: number_from(1) for key in
                               ("startLine", "startColumn", "endLine", "endColumn")}),
    "message": ({"text"}, {"text": is_message}),
    "artifactContent": ({"text"}, {"text": is_text}),
    "codeFlow": ({"threadFlows"}, {"threadFlows": ["threadFlow", 1], "message": "message"}),
    "threadFlow": ({"locations"}, {"id": is_text, "locations": ["threadFlowLocation", 1]}),
    "threadFlowLocation": (set(), {
        "location": "location", "executionOrder": number_from(-1),
        "importance": one_of({"important", "essential", "unimportant"})}),
    "fix": ({"artifactChanges"}, {"description": "message",
                                  "artifactChanges": ["artifactChange", 1]}),
    "artifactChange": ({"artifactLocation", "replacements"},
                       {"artifactLocation": "artifactLocation", "replacements": ["replacement", 1]}),
    "replacement": ({"deletedRegion"}, {"deletedRegion": "region", "insertedContent": "artifactContent"}),
}
# Lists in which no two items may be equal.
UNIQUE = {"rules", "relatedLocations"}


def check(value, kind, path):
    """Yields what is wrong with an object of this kind."""
    required, properties = KINDS[kind]
    if not isinstance(value, dict):
        yield f"{path}: expected an object"
        return
    yield from (f"{path}: expected '{name}'" for name in sorted(required - set(value)))
    for name, item in value.items():
        if name not in properties:
            yield f"{path}: '{name}' is no property of a {kind}"
        else:
            yield from check_property(item, properties[name], f"{path}.{name}", name)


def check_property(value, expected, path, name):
    if isinstance(expected, str):
        yield from check(value, expected, path)
    elif not isinstance(expected, list):
        if not expected(value):
            yield f"{path}: not allowed: {value!r}"
    elif not isinstance(value, list) or len(value) < expected[1]:
        yield f"{path}: expected a list of at least {expected[1]}"
    else:
        texts = [json.dumps(item, sort_keys=True) for item in value]
        if name in UNIQUE and len(set(texts)) < len(texts):
            yield f"{path}: an item stands there twice"
        for i, item in enumerate(value):
            yield from check(item, expected[0], f"{path}[{i}]")


def check_regions(run):
    """What lies between objects: regions end behind their begin, rules are the ones of the index."""
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            yield f"{result['ruleId']} is not rule {result['ruleIndex']}"
        for location in result["locations"] + result.get("relatedLocations", []):
            region = location.get("physicalLocation", {}).get("region")
            if region and "endLine" in region and ((region["startLine"], region["startColumn"]) >
                                                   (region["endLine"], region["endColumn"])):
                yield f"{region} ends before it begins"


def validate(log):
    """By the published schema, if it is at hand."""
    path = os.environ.get("WARPSAN_SARIF_SCHEMA")
    if not path:
        return
    import jsonschema
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    for error in jsonschema.validators.validator_for(schema)(schema).iter_errors(log):
        yield f"{error.json_path}: {error.message}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        log = json.load(file)
    errors = list(check(log, "log", "log"))
    if not errors:
        errors = [error for run in log["runs"] for error in check_regions(run)]
    errors += validate(log)
    print("\n".join(errors[:20]))
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
