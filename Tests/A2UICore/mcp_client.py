"""The official client of MCP opens the demo's booking and taps its buttons; a2ui-core takes the messages, with its strict checks."""

import asyncio
import json
import urllib.request

from mcp import Client

from core import Difference
from renderer import Renderer
from server import Server


def a2ui(metadata):
    """Metadata in the names of MCP's `_meta`: `a2uiClientCapabilities` is `a2ui.clientCapabilities`."""
    return {"a2ui": {key[4].lower() + key[5:]: value for key, value in metadata.items()}}


def messages(resource):
    if (str(resource.uri), resource.mime_type) != ("a2ui://booking", "application/a2ui+json"):
        raise Difference(f"another resource: {resource}")
    return json.loads(resource.text)


async def call(client, renderer, tool, arguments, meta):
    result = await client.call_tool(tool, arguments, meta=meta)
    if result.is_error:
        raise Difference(f"{tool}: {result.content}")
    renderer.receive([message for part in result.content if part.type == "resource" for message in messages(part.resource)])


async def use(url, version, mode, has_meta):
    """Opens the surface as a resource and as a tool, and takes two slots. The number of messages."""
    renderer = Renderer(version)
    meta = a2ui(renderer.capabilities) if has_meta else None
    async with Client(url, mode=mode) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        resources = {str(resource.uri) for resource in (await client.list_resources()).resources}
        if not {"booking", "a2ui_action", "a2ui_error"} <= tools or "a2ui://booking" not in resources:
            raise Difference(f"the tools are {tools}, the resources {resources}")
        for content in (await client.read_resource("a2ui://booking", meta=meta)).contents:
            renderer.receive(messages(content))
        await call(client, renderer, "booking", {}, meta)
        for _ in range(2):
            slots = json.dumps(renderer.surface().data_model.get("/slots"))
            action, metadata = renderer.tap(*renderer.button("take"))
            await call(client, renderer, "a2ui_action", action, a2ui(metadata) if has_meta else None)
            if json.dumps(renderer.surface().data_model.get("/slots")) == slots:
                raise Difference("an action changes nothing")
        result = await client.call_tool("a2ui_action", {**action, "name": "tak"}, meta=meta)
        if not result.is_error or "tak" not in result.content[0].text:
            raise Difference(f"an unknown action: {result}")
    return renderer.count


def initialize(url, capabilities):
    """The response to initialize, with capabilities that the official client has no room for."""
    parameters = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "test", "version": "1"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters}
    fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), fields)) as response:
        return response.headers["Mcp-Session-Id"], json.load(response)


def main():
    server = Server("serve")
    try:
        url = f"{server.url}/assistant/mcp"
        # Each run keeps one of the demo's six slots. "auto" tries MCP's newest revision, and then initialize.
        for mode, version, has_meta in (
            ("legacy", "v0.9", False),
            ("legacy", "v0.9", True),
            ("legacy", "v1.0", True),
            ("auto", "v1.0", True),
        ):
            count = asyncio.run(use(url, version, mode, has_meta))
            print(f"MCP ({mode}) in {version} {'with' if has_meta else 'without'} _meta: {count} messages")
        session, response = initialize(url, a2ui(Renderer("v1.0").capabilities))
        if not session or response["result"]["protocolVersion"] != "2025-06-18":
            raise Difference(f"initialize: {response}")
        _, response = initialize(url, {"a2ui": {"clientCapabilities": {"v0.9": {"supportedCatalogIds": ["none"]}}}})
        if "error" not in response:
            raise Difference(f"initialize with an unknown catalog: {response}")
    finally:
        server.stop()


if __name__ == "__main__":
    main()
