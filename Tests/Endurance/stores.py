"""Redis and PostgreSQL, as programs that are killed and started again."""

import glob
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time


def find(program):
    """Where a program is, among those that Debian keeps out of the way, too."""
    folders = [os.environ["PATH"], "/usr/sbin", *sorted(glob.glob("/usr/lib/postgresql/*/bin"))]
    return shutil.which(program, path=os.pathsep.join(folders))


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class Store:
    """A server of another project that keeps what was acknowledged, also when it is killed."""

    #: Who runs it: PostgreSQL refuses to run as root.
    user = None

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.port = free_port()
        self.prepare()

    def prepare(self):
        pass

    def start(self):
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, cwd=self.folder, user=self.user, group=self.user
            )
        end = time.monotonic() + 30
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"{self.command[0]} doesn't start: {(self.folder / 'log').read_text()[-500:]}")
            time.sleep(0.05)

    def is_ready(self):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def send(self, sign):
        os.kill(self.process.pid, sign)

    def kill(self):
        self.send(signal.SIGKILL)
        self.process.wait(30)


class Redis(Store):
    @property
    def command(self):
        return [find("redis-server"), "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes",
                "--appendfsync", "always"]


class PostgreSQL(Store):
    user = "postgres" if os.getuid() == 0 else None

    def prepare(self):
        if self.user:
            shutil.chown(self.folder, self.user, self.user)
        command = [find("initdb"), "-D", "data", "-U", "backlot", "--auth", "trust", "--no-sync"]
        subprocess.run(command, cwd=self.folder, user=self.user, group=self.user, check=True, stdout=subprocess.DEVNULL, timeout=120)

    @property
    def command(self):
        return [find("postgres"), "-D", "data", "-c", "listen_addresses=127.0.0.1", "-c", f"port={self.port}", "-c",
                f"unix_socket_directories={self.folder}", "-c", "fsync=off"]

    def is_ready(self):
        command = [find("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port), "-d", "postgres", "-U", "backlot"]
        return subprocess.run(command, check=False, timeout=30).returncode == 0
