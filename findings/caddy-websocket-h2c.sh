#!/usr/bin/env bash
# A client opens a WebSocket with HTTP/1.1 through Caddy, whose server speaks HTTP/2 in clear text (h2c). Caddy passes the field Upgrade on to its
# HTTP/2 transport, which refuses it: 502, although other requests work and the server announces WebSockets (RFC 8441).
set -euo pipefail
command -v caddy >/dev/null || { echo "install Debian's package caddy"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! { python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet --disable-pip-version-check h2==4.3.0; }; then
	echo "can't install h2 from PyPI (python3-venv is Debian's package)"
	exit 2
fi
echo "Caddy $(caddy version)"
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import os
import pathlib
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


def status(port, *fields):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        client.sendall("\r\n".join(["GET /chat HTTP/1.1", "Host: localhost", *fields, "", ""]).encode())
        return client.recv(4096).split(b"\r\n")[0].decode()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener,), daemon=True).start()
with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    front = one.getsockname()[1]
(folder / "Caddyfile").write_text(f"""{{
    admin off
}}
http://localhost:{front} {{
    bind 127.0.0.1
    reverse_proxy h2c://127.0.0.1:{listener.getsockname()[1]}
}}
""")
environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
proxy = subprocess.Popen(
    ["caddy", "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"], stderr=subprocess.DEVNULL, env=environment
)
try:
    for _ in range(200):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", front)) == 0:
                break
        time.sleep(0.05)
    page = status(front)
    websocket = status(front, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
finally:
    proxy.terminate()
    proxy.wait()
print("expected: 200 for a page and 101 for a WebSocket")
print(f"seen:     {page} for a page and {websocket} for a WebSocket")
sys.exit(0 if page.startswith("HTTP/1.1 200") and websocket.startswith("HTTP/1.1 502") else 1)
PYTHON
