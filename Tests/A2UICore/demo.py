"""a2ui-core uses the demo's assistant, or a new package's, over HTTP, with its strict checks of each message."""

import http.cookiejar
import json
import urllib.request

from core import Difference, equal
from renderer import Renderer
from server import Server


class Client(Renderer):
    """A renderer with HTTP and cookies."""

    def __init__(self, url, version):
        super().__init__(version)
        self.url = url
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def ask(self, path, body=None):
        headers = {"Accept": "application/a2ui+json", "A2UI-Metadata": json.dumps(self.capabilities)}
        if body is not None:
            headers["Content-Type"] = "application/a2ui+json"
        data = None if body is None else json.dumps(body).encode()
        with self.opener.open(urllib.request.Request(self.url + path, data, headers)) as response:
            return json.load(response)

    def send_tap(self, component, scope):
        action, metadata = self.tap(component, scope)
        body = {"messages": [{"version": self.version, "action": action}], "metadata": metadata}
        self.receive(self.ask("/assistant/actions", body))


def use(url, surface, values, steps):
    """Opens a surface in each version, writes values and taps one button after the other. Returns the clients by version."""
    clients = {}
    for version in ("v0.9", "v1.0"):
        client = clients[version] = Client(url, version)
        client.receive(client.ask(f"/assistant/surfaces/{surface}"))
        for step in steps:
            for path, value in values.items():
                client.surface().data_model.set(path, value)
            client.send_tap(*client.button(step))
    return clients


def use_demo():
    server = Server("serve")
    try:
        clients = use(server.url, "booking", {"/name": "Ada"}, ("filter", "take", "take", "book", "cancel", "take"))
    finally:
        server.stop()
    counts = {version: client.count for version, client in clients.items()}
    print(f"the demo's messages: {counts}")
    if min(counts.values()) < 15:
        raise Difference("too few messages")


def use_new_package():
    """Uses the program of a package that `demo-server new --protocol a2ui` wrote."""
    server = Server("serve")
    try:
        clients = use(server.url, "tasks", {"/title": "Call Ada"}, ("add",))
    finally:
        server.stop()
    for version, client in clients.items():
        equal(f"the tasks in {version}", ["Buy milk", "Call Ada"], client.surface().data_model.get("/tasks"))
    print("the new package's surface is as a2ui-core wants it")
