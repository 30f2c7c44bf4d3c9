"""A demo-server that runs while tests use it."""

import contextlib
import json
import os
import pathlib
import random
import socket
import subprocess
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("BACKLOT_PROGRAM", str(ROOT / ".build/debug/demo-server"))
#: For how long tests wait for a program that has nothing long to do, in seconds; longer under a sanitizer.
LIMIT = 45 + float(os.environ.get("BACKLOT_PATIENCE", "15"))
# Requests of urllib have the same limit.
socket.setdefaulttimeout(LIMIT)


@contextlib.contextmanager
def limited(process):
    """Kills a process if the body, which reads what it writes, takes too long: reading ends then."""
    timer = threading.Timer(LIMIT, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def free_port():
    """A port for a server that stops and comes back. The system doesn't give it to other programs, because its own range begins at 32768."""
    while True:
        port = random.randrange(20000, 32000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class Server:
    """`demo-server serve`, or `demo-server mock` with files of its own."""

    def __init__(self, *arguments, port=0, environment=None):
        self.process = subprocess.Popen(
            [PROGRAM, *arguments, "--port", str(port), "--log-level", "critical"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            # The newspaper begins with the same stories each time, and gets no others.
            env={**os.environ, "FEEDS": "memory", "WIRE": "off", **(environment or {})},
        )
        with limited(self.process):
            line = self.process.stdout.readline()
        assert line.startswith("listening on "), f"the server didn't start within {LIMIT:.0f} s: {line!r}"
        self.url = line.split()[-1].rstrip("/")
        self.port = int(self.url.rsplit(":", 1)[1])

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.stdout.close()
        try:
            assert self.process.wait(LIMIT) == 0, "the server did not end in order"
        finally:
            self.process.kill()

    @staticmethod
    def pages():
        """The paths of the demo's pages that have no parameters: they answer both GET and POST."""
        listing = subprocess.run([PROGRAM, "routes"], capture_output=True, text=True, cwd=ROOT, check=True, timeout=LIMIT).stdout
        found = {"GET": set(), "POST": set()}
        for line in listing.splitlines():
            words = line.split()
            is_page = len(words) == 3 and (".page." in words[2] or not words[2].startswith("Routes/"))
            if is_page and "{" not in words[1]:
                for method in found.keys() & words[0].split(","):
                    found[method].add(words[1])
        return sorted(found["GET"] & found["POST"])


class MockFolder:
    """A folder of mock routes."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        (self.path / "mappings").mkdir()

    def page(self, name, text):
        (self.path / f"{name}.page.json").write_text(text)

    def form(self, name, *fields):
        """An Xpedite app, whose first page is a form."""
        (self.path / name).mkdir()
        page = {"title": "Form", "components": [{"type": "form", "id": "form", "components": fields}]}
        (self.path / name / "setConnection.method.json").write_text(json.dumps(page))

    def raw(self, path, body, status=200, content_type="application/vnd.applin_response", method="ANY"):
        """An answer that nobody looks at before it goes out."""
        mapping = {
            "request": {"method": method, "urlPath": path},
            "response": {"status": status, "headers": {"Content-Type": content_type}, "body": body},
        }
        name = path.strip("/").replace("/", "_") or "index"
        (self.path / "mappings" / f"{name}-{method}.json").write_text(json.dumps(mapping))

    def close(self):
        self.folder.cleanup()
