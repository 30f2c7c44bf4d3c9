"""Repeats the flows of a file with a2ui-core, and compares its state and its actions with those that the file has. Then a2ui-core uses the
demo's assistant over HTTP, with its strict checks of each message."""

import http.cookiejar
import json
import sys
import urllib.error
import urllib.request
import warnings

from a2ui.core import MessageProcessor, MessageProcessorOptions, STRICT_VALIDATION, A2uiError
from a2ui.core.basic_catalog import BasicCatalog
from a2ui.core.resolution.component_context import ComponentContext

from server import Server

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


class DemoClient:
    """A renderer made of a2ui-core, with cookies."""

    def __init__(self, url, version):
        self.url, self.version = url, version
        self.actions, self.count = [], 0
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        options = MessageProcessorOptions(validation_config=STRICT_VALIDATION)
        self.processor = MessageProcessor(CATALOGS, self.actions.append, options)
        catalog = next(catalog for catalog in CATALOGS if catalog.protocol_version == version)
        side = "Client" if version == "v0.9" else "Renderer"
        self.metadata = {f"a2ui{side}Capabilities": {version: {"supportedCatalogIds": [catalog.catalog_id]}}}
        self.model_key = f"a2ui{side}DataModel"

    def ask(self, path, body=None):
        headers = {"Accept": "application/a2ui+json", "A2UI-Metadata": json.dumps(self.metadata)}
        if body is not None:
            headers["Content-Type"] = "application/a2ui+json"
        data = None if body is None else json.dumps(body).encode()
        with self.opener.open(urllib.request.Request(self.url + path, data, headers)) as response:
            return json.load(response)

    def receive(self, messages):
        self.count += len(messages)
        if messages:
            self.processor.process_messages(messages)

    def surface(self):
        return next(iter(self.processor.model.surfaces_map.values()))

    def tap(self, component, scope):
        surface = self.surface()
        context = ComponentContext.from_surface(surface, component, scope)
        self.actions.clear()
        context.dispatch_action(context.data_context.resolve_action(context.component_model.properties["action"]))
        models = {"version": self.version, "surfaces": {surface.id: surface.data_model.get("/")}}
        body = {
            "messages": [{"version": self.version, "action": self.actions[0]}],
            "metadata": {**self.metadata, self.model_key: models},
        }
        self.receive(self.ask("/assistant/actions", body))

    def buttons(self):
        """The buttons with an event: the name, the id, and whether it stands in the rows of a list."""
        found = []
        for name, model in self.surface().components_model.entries:
            event = model.properties.get("action", {}).get("event") if model.type == "Button" else None
            if event:
                path_key = "path" if self.version == "v0.9" else "@path"
                paths = [value.get(path_key, "/") for value in event.get("context", {}).values() if isinstance(value, dict)]
                found.append((event["name"], name, any(not path.startswith("/") for path in paths)))
        return sorted(found)


def use_demo():
    server = Server("serve")
    try:
        for version in ("v0.9", "v1.0"):
            client = DemoClient(server.url, version)
            client.receive(client.ask("/assistant/surfaces/booking"))
            client.surface().data_model.set("/name", "Ada")
            for step in ("filter", "take", "take", "book", "cancel", "take"):
                name, component, is_row = next(button for button in client.buttons() if button[0] == step)
                client.tap(component, "/slots/0" if is_row else "/")
            print(f"the demo in {version}: {client.count} messages")
            if client.count < 15:
                raise Difference(f"only {client.count} messages")
    finally:
        server.stop()


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
    use_demo()
    return 1 if failed or len(flows) < 1000 or counts.get("tap", 0) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
