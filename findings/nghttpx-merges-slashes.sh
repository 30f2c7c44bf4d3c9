#!/usr/bin/env bash
# nghttpx changes the path that it passes on: it merges slashes. The path "/a//b" isn't equal to "/a/b" (RFC 3986, section 6), and servers of
# files, objects or signed URLs treat them as two. nghttpx' manual describes a normalization of paths for matching backends; it doesn't name
# slashes.
set -euo pipefail
command -v nghttpx >/dev/null || { echo "install Debian's package nghttp2-proxy"; exit 2; }
nghttpx -v
exec python3 - <<'PYTHON'
import http.client
import http.server
import socket
import subprocess
import sys
import threading
import time


class Echo(http.server.BaseHTTPRequestHandler):
    """Responds with the target of the request, as it arrived."""

    def do_GET(self):
        body = self.requestline.split(" ")[1].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    return connection.getresponse().read().decode()


backend = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
threading.Thread(target=backend.serve_forever, daemon=True).start()
with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    front = one.getsockname()[1]
proxy = subprocess.Popen(
    ["nghttpx", "--conf=/dev/null", f"--frontend=127.0.0.1,{front};no-tls", f"--backend=127.0.0.1,{backend.server_port}"],
    stderr=subprocess.DEVNULL,
)
try:
    for _ in range(100):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", front)) == 0:
                break
        time.sleep(0.05)
    paths = ["/a//b", "/a/%2F/b", "/q?x=a//b"]
    direct, proxied = [get(backend.server_port, path) for path in paths], [get(front, path) for path in paths]
finally:
    proxy.terminate()
    proxy.wait()
print(f"expected: {direct}, as without the proxy")
print(f"seen:     {proxied}")
sys.exit(0 if direct == paths and proxied == ["/a/b", *paths[1:]] else 1)
PYTHON
