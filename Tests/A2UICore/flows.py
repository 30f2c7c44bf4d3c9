"""Repeats flows with a2ui-core, and compares its state and its actions with those that the flows have."""

import json

from a2ui.core import A2uiError
from a2ui.core.resolution.component_context import ComponentContext

from core import Difference, equal, new_processor


class Flow:
    def __init__(self):
        self.actions = []
        self.processor = new_processor(self.actions.append)

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
            # It leaves an empty one out.
            if ours.get("userMessage") == "":
                del ours["userMessage"]
        for message in filter(None, (ours, theirs)):
            message["context"] = {key: without_text(value) for key, value in message["context"].items()}
        equal(f"the action of {tap['component']} in {tap['scope']}", ours, theirs)

    def expect(self, expected):
        equal("the model", expected["model"], self.surface.data_model.get("/"))
        components = dict(self.surface.components_model.entries)
        equal("the ids", sorted(expected["components"]), sorted(components))
        for name, ours in expected["components"].items():
            model = components[name]
            theirs = {"id": name, "component": model.type, **model.properties}
            # It keeps the catalog beside the properties.
            if "catalogId" in ours:
                theirs["catalogId"] = model.catalog.catalog_id
            equal("a component", ours, theirs)


def without_text(value):
    """A value without the text of a failed check, which each implementation words in its way."""
    if isinstance(value, dict) and value.get("valid") is False:
        return {key: part for key, part in value.items() if key != "message"}
    return value


def compare_flows(path):
    """Whether all flows of a file are the same."""
    counts = {}
    failed = 0
    flows = [json.loads(line) for line in open(path, encoding="utf-8")]
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
    return not failed and len(flows) >= 1000 and counts.get("tap", 0) >= 300
