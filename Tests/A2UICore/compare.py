"""Repeats the flows of a file with a2ui-core, and compares its state and its actions with those that the file has."""

import json
import sys
import warnings

from a2ui.core import MessageProcessor, MessageProcessorOptions, STRICT_VALIDATION, A2uiError
from a2ui.core.basic_catalog import BasicCatalog
from a2ui.core.resolution.component_context import ComponentContext

warnings.simplefilter("ignore")
CATALOGS = [BasicCatalog("v0.9"), BasicCatalog("v1.0")]


class Difference(Exception):
    pass


def is_same(ours, theirs):
    """Whether two JSON values are equal, with 1 and 1.0 alike and booleans apart from numbers."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(is_same(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(is_same, ours, theirs))
    return isinstance(ours, bool) == isinstance(theirs, bool) and ours == theirs


def equal(what, ours, theirs):
    if not is_same(ours, theirs):
        raise Difference(f"{what}\n    ours:   {json.dumps(ours)}\n    theirs: {json.dumps(theirs)}")


class Flow:
    def __init__(self):
        self.actions = []
        options = MessageProcessorOptions(validation_config=STRICT_VALIDATION)
        self.processor = MessageProcessor(CATALOGS, self.actions.append, options)

    @property
    def surface(self):
        return self.processor.model.get_surface("s")

    def messages(self, messages):
        self.processor.process_messages(messages)

    def write(self, write):
        self.surface.data_model.set(write["path"], write["value"])

    def tap(self, tap):
        context = ComponentContext.from_surface(self.surface, tap["component"], tap["scope"])
        action = context.component_model.properties[tap["property"]]
        self.actions.clear()
        context.dispatch_action(context.data_context.resolve_action(action))
        theirs = self.actions[0] if self.actions else None
        if theirs:
            del theirs["timestamp"]
        ours = tap.get("message")
        if ours:
            del ours["timestamp"]
        equal(f"the action of {tap['component']} in {tap['scope']}", ours, theirs)

    def expect(self, expected):
        equal("the model", expected["model"], self.surface.data_model.get("/"))
        components = {}
        for name, model in self.surface.components_model.entries:
            components[name] = {"id": name, "component": model.type, **model.properties}
        equal("the components", expected["components"], components)


def main():
    counts = {}
    failed = 0
    flows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    for number, flow in enumerate(flows):
        run = Flow()
        try:
            for operation in flow["operations"]:
                (kind, value), = operation.items()
                counts[kind] = counts.get(kind, 0) + 1
                getattr(run, kind)(value)
        except (Difference, A2uiError) as error:
            failed += 1
            if failed <= 10:
                print(f"flow {number} ({flow['version']}): {str(error)[:2000]}")
    print(f"{len(flows)} flows with {counts}: {failed} differ")
    return 1 if failed or len(flows) < 1000 or counts.get("tap", 0) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
