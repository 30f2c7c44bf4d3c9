"""A program that runs while others use it, and what the system says about its process."""

import os
import pathlib
import re
import signal
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Server:
    """`demo-server serve`. Its log goes to a file, to which each further start adds."""

    def __init__(self, program, log, *arguments, environment=None, folder=ROOT):
        self.command = [str(program), "serve", *arguments]
        self.environment = {**os.environ, **(environment or {})}
        self.folder = folder
        self.log = pathlib.Path(log)
        self.port = 0
        self.process = None

    def start(self):
        """Starts it, each time at the same port, and waits until it listens."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.command, "--port", str(self.port)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self.folder,
                env=self.environment,
            )
        killer = threading.Timer(60, self.process.kill)
        killer.start()
        line = self.process.stdout.readline()
        killer.cancel()
        if not line.startswith("listening on "):
            self.process.wait(10)
            raise AssertionError(f"the server doesn't start: {line!r}; {self.last_lines(5)}")
        self.port = int(line.rsplit(":", 1)[1].rstrip("/\n"))
        return self

    @property
    def pid(self):
        return self.process.pid

    def send(self, sign):
        os.kill(self.pid, sign)

    def kill(self):
        """Ends it without a chance to tidy up."""
        self.send(signal.SIGKILL)
        self.process.wait(30)
        self.process.stdout.close()

    def stop(self, limit=45):
        """Asks it to end, and checks that it does so in order."""
        begun = time.monotonic()
        self.send(signal.SIGTERM)
        status = self.process.wait(limit)
        self.process.stdout.close()
        assert status == 0, f"the server ended with {status}; {self.last_lines(5)}"
        return time.monotonic() - begun

    def last_lines(self, count):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-count:])


def journals(folder):
    """The files that SQLite puts beside its own in a folder: an end in order leaves none."""
    return sorted(path.name for suffix in ("wal", "shm") for path in pathlib.Path(folder).glob(f"*-{suffix}"))


def sample(pid):
    """The resident memory in KB, in all and without mapped files, and the number of threads."""
    fields = {}
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        fields[name] = value.split()
    return int(fields["VmRSS"][0]), int(fields["RssAnon"][0]), int(fields["Threads"][0])


def descriptors(pid):
    """What the process has open: how many descriptors of each kind, where a file's kind is its path. Pictures have random names."""
    counts = {}
    folder = f"/proc/{pid}/fd"
    for name in os.listdir(folder):
        try:
            target = os.readlink(f"{folder}/{name}")
        except FileNotFoundError:
            continue
        kind = re.sub(r"[0-9a-f-]{36}\.jpg", "*.jpg", target) if target.startswith("/") else target.split(":[")[0]
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def slope(points):
    """The least squares line through (x, y): how much y rises per x."""
    count = len(points)
    x_mean = sum(x for x, _ in points) / count
    y_mean = sum(y for _, y in points) / count
    square = sum((x - x_mean) ** 2 for x, _ in points)
    return sum((x - x_mean) * (y - y_mean) for x, y in points) / square if square else 0.0
