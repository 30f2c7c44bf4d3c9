"""A renderer made of a2ui-core, without a transport."""

from a2ui.core.resolution.component_context import ComponentContext

from core import CATALOGS, new_processor


class Renderer:
    def __init__(self, version):
        self.version = version
        self.actions, self.count = [], 0
        self.processor = new_processor(self.actions.append)
        catalog = next(catalog for catalog in CATALOGS if catalog.protocol_version == version)
        self.side = "Client" if version == "v0.9" else "Renderer"
        self.capabilities = {f"a2ui{self.side}Capabilities": {version: {"supportedCatalogIds": [catalog.catalog_id]}}}

    def receive(self, messages):
        self.count += len(messages)
        if messages:
            self.processor.process_messages(messages)

    def surface(self):
        return next(iter(self.processor.model.surfaces_map.values()))

    def tap(self, component, scope):
        """The action of a button, and the metadata that go along."""
        surface = self.surface()
        context = ComponentContext.from_surface(surface, component, scope)
        self.actions.clear()
        context.dispatch_action(context.data_context.resolve_action(context.component_model.properties["action"]))
        models = {"version": self.version, "surfaces": {surface.id: surface.data_model.get("/")}}
        return self.actions[0], {**self.capabilities, f"a2ui{self.side}DataModel": models}

    def button(self, event):
        """The first button with an event: the id and the scope."""
        found = []
        for name, model in self.surface().components_model.entries:
            action = model.properties.get("action", {}).get("event") if model.type == "Button" else None
            if action and action["name"] == event:
                path_key = "path" if self.version == "v0.9" else "@path"
                paths = [value.get(path_key, "/") for value in action.get("context", {}).values() if isinstance(value, dict)]
                # In the rows of a list, bindings are relative.
                found.append((name, "/slots/0" if any(not path.startswith("/") for path in paths) else "/"))
        return min(found)
