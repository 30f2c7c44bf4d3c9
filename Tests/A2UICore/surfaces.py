"""Holds our verdicts on random surfaces, without and with a mistake, against those of a2ui-core."""

import collections
import json

from a2ui.core import A2uiError

from core import new_processor

# The mistakes that only one of both refuses, and why.
ONLY_THEIRS = {
    "an update of another surface": "our inspector reads parts of a traffic, and takes such a surface as open",
    "a component without a parent": "we warn: no message removes components, so that each update may leave some behind",
    "components 60 deep": "its limit is 50 levels and ours 100; the specification has none",
}
ONLY_OURS = {
    "a number in quotes": "it converts what Python can convert; the catalog's schema wants a number",
    "a text as date": "it leaves the formats of the catalog's schema out",
    "a binding of 0.9 in 1.0": "it also takes its own names of keys, without the @",
    "another type of result in a context": "it compares the type with that of the property, and not with the function's",
    "an index outside of a template": "it reports this when the value is needed, and not before",
}


def as_october(value):
    """A message of 1.0 in October's form, which is the newest that a2ui-core 0.4.0 reads."""
    if value.get("version") != "1.0":
        return value
    content = {**value, "version": "v1.0"}
    for key, body in value.items():
        components = body.get("components") if isinstance(body, dict) else None
        if isinstance(components, list):
            content[key] = {**body, "components": list(map(component_as_october, components))}
    return content


def component_as_october(component):
    common = {f"@{key}": key for key in ("accessibility", "catalogId", "checks", "metadata")}
    return {common.get(key, key): value for key, value in component.items()}


class Judge:
    """a2ui-core, without surfaces before each verdict."""

    def __init__(self):
        self.processor = new_processor()

    def refusal(self, messages):
        """The error; None for messages that it accepts."""
        try:
            self.processor.process_messages(list(map(as_october, messages)))
        except A2uiError as error:
            return f"{type(error).__name__}: {error}"
        finally:
            for name in list(self.processor.model.surfaces_map):
                self.processor.model.delete_surface(name)
        return None


def compare_surfaces(path):
    """Whether both accept all correct surfaces of a file, and refuse all others, except for the differences that are listed."""
    judge = Judge()
    kinds = collections.Counter()
    met = set()
    failures = collections.defaultdict(list)
    for line in open(path, encoding="utf-8"):
        surface = json.loads(line)
        kind, ours = surface.get("mistake"), surface["errors"]
        theirs = judge.refusal(surface["messages"])
        kinds[kind] += 1
        if kind is None:
            is_expected = not ours and theirs is None
        elif kind in ONLY_THEIRS or kind in ONLY_OURS:
            is_expected = bool(ours) == (kind in ONLY_OURS) and bool(theirs) == (kind in ONLY_THEIRS)
            met.add(kind)
        else:
            is_expected = bool(ours and theirs)
        if not is_expected:
            failures[kind].append((surface, theirs))
    for kind, examples in failures.items():
        surface, theirs = examples[0]
        print(f"{len(examples)} surfaces with {kind or 'no mistake'}, such as the one of seed {surface['seed']} in {surface['version']}:")
        print(f"    ours:   {surface['errors']}\n    theirs: {theirs}\n    {json.dumps(surface['messages'])[:3000]}")
    unmet = (ONLY_THEIRS.keys() | ONLY_OURS.keys()) - met
    if unmet:
        print(f"listed as differences, but not among the mistakes: {', '.join(sorted(unmet))}")
    mistakes = sum(kinds.values()) - kinds[None]
    print(f"{kinds[None]} surfaces, and {mistakes} with one of {len(kinds) - 1} mistakes: {sum(map(len, failures.values()))} verdicts differ")
    return not failures and not unmet and kinds[None] >= 1000 and mistakes >= 1000
