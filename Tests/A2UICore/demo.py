"""a2ui-core uses the demo's assistant over HTTP, with its strict checks of each message."""

import http.cookiejar
import json
import urllib.request

from a2ui.core.resolution.component_context import ComponentContext

from core import CATALOGS, Difference, new_processor
from server import Server


class Client:
    """A renderer made of a2ui-core, with cookies."""

    def __init__(self, url, version):
        self.url, self.version = url, version
        self.actions, self.count = [], 0
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.processor = new_processor(self.actions.append)
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


def use(url, surface, values, steps):
    """Opens a surface in both versions, writes values, and taps one button after the other. The counts of messages by version."""
    counts = {}
    for version in ("v0.9", "v1.0"):
        client = Client(url, version)
        client.receive(client.ask(f"/assistant/surfaces/{surface}"))
        for step in steps:
            for path, value in values.items():
                client.surface().data_model.set(path, value)
            name, component, is_row = next(button for button in client.buttons() if button[0] == step)
            client.tap(component, "/slots/0" if is_row else "/")
        counts[version] = client.count
    return counts


def use_demo():
    server = Server("serve")
    try:
        counts = use(server.url, "booking", {"/name": "Ada"}, ("filter", "take", "take", "book", "cancel", "take"))
        print(f"the demo's messages: {counts}")
        if min(counts.values()) < 15:
            raise Difference("too few messages")
    finally:
        server.stop()
