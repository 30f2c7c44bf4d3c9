"""Clients of demo-server as they come: quick, slow, broken, over HTTP/1.1 and HTTP/2, in clear text and over TLS.

Each client is a coroutine that comes and goes until it is cancelled. Those that behave check what they get.
"""

import asyncio
import contextlib
import functools
import gzip
import json
import random
import re
import socket
import ssl
import struct
import time

import http2

LIMIT = 1 << 22


class Surprise(Exception):
    """Something that a client didn't expect."""


class Lateness:
    """How late the clients are themselves, because the machine is busy. The server cuts those that keep it waiting for too long."""

    #: What counts as late, in seconds, and for how long after it connections may be lost. A handshake of TLS and a request take some
    #: turns of the loop, for which the server waits 10 seconds.
    LIMIT, EFFECT = 1, 60

    def __init__(self):
        self.most = 0
        self.last = float("-inf")

    async def measure(self):
        while True:
            due = time.monotonic() + 0.5
            await asyncio.sleep(0.5)
            late = time.monotonic() - due
            self.most = max(self.most, late)
            if late > self.LIMIT:
                self.last = time.monotonic()

    @property
    def excuses(self):
        return time.monotonic() - self.last < self.EFFECT


@functools.cache
def tls(protocol):
    """Trusts any server. One for all connections: to make one takes longer than a handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols([protocol])
    return context


class Address:
    """Where a server listens, and by which scheme."""

    def __init__(self, port, secure=False, host="127.0.0.1"):
        self.host, self.port = host, port
        self.scheme = "https" if secure else "http"
        self.url = f"{self.scheme}://{host}:{port}"

    def tls(self, protocol="http/1.1"):
        return tls(protocol) if self.scheme == "https" else None


async def within(seconds, work):
    """Waits for something for at most some seconds. (In Python 3.11, asyncio.wait_for() may swallow a cancellation.)"""
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError as error:
        raise TimeoutError(f"waited in vain for {seconds:.1f} s") from error


class Connection:
    """A connection that speaks HTTP/1.1."""

    def __init__(self, address, protocol="http/1.1", receive_buffer=None, source=None, name="localhost"):
        """`source` is the client's own address, and `name` the server's, as requests and TLS have it."""
        self.address, self.protocol, self.receive_buffer = address, protocol, receive_buffer
        self.source, self.name = source, name
        #: What has happened, for people who ask why the connection was lost.
        self.steps = []

    def note(self, step):
        self.steps = [*self.steps[-5:], (time.monotonic(), step)]

    def history(self):
        """The last steps, how long ago each was, and the port by which the server's log knows the connection."""
        now = time.monotonic()
        return f"port {self.port}: " + ", ".join(f"{step} {now - moment:.2f} s ago" for moment, step in self.steps)

    async def __aenter__(self):
        self.note("connecting")
        raw = socket.socket()
        if self.receive_buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_buffer)
        if self.source:
            raw.bind((self.source, 0))
        raw.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(raw, (self.address.host, self.address.port))
        except BaseException:
            raw.close()
            raise
        tls = self.address.tls(self.protocol)
        options = {"ssl": tls, "server_hostname": self.name} if tls else {}
        self.port = raw.getsockname()[1]
        self.note("connected")
        self.reader, self.writer = await asyncio.open_connection(sock=raw, limit=LIMIT, **options)
        self.note("opened")
        return self

    async def __aexit__(self, _=None, error=None, __=None):
        if error is not None:
            error.add_note(self.history())
        self.writer.close()
        with contextlib.suppress(Exception):
            await within(5, self.writer.wait_closed())

    def reset(self):
        """Gives the connection up with a RST."""
        raw = self.writer.get_extra_info("socket")
        if raw is not None and raw.fileno() >= 0:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def send(self, data):
        self.note(f"sending {data[:40]}")
        self.writer.write(data)
        await self.writer.drain()

    async def request(self, method, path, headers=(), body=None, limit=60):
        """Sends a request and reads its answer: status, fields and body."""
        await self.send(head(method, path, headers, body, self.name) + (body or b""))
        return await within(limit, self.answer())

    async def answer(self):
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        status = int(lines[0].split(" ")[1])
        self.note(f"answered {status}")
        if status == 100:
            return await self.answer()
        fields = {}
        for line in lines[1:-2]:
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        if fields.get("transfer-encoding") == "chunked":
            parts = []
            while size := int((await self.reader.readline()).split(b";")[0], 16):
                parts.append(await self.reader.readexactly(size))
                await self.reader.readexactly(2)
            await self.reader.readline()
            return status, fields, b"".join(parts)
        length = int(fields.get("content-length", 0))
        return status, fields, await self.reader.readexactly(length)


def head(method, path, headers=(), body=None, host="localhost"):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *headers]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def expect(status, path, *allowed):
    if status not in (allowed or (200,)):
        raise Surprise(f"{path}: {status}")


PAGES = ["/", "/new_account", "/objects/", "/xpedite", "/floki/v1-app", "/floki/news/en", "/views/", "/mock/", "/healthz",
         "/terms", "/table", "/form"]


async def pause(least, most):
    await asyncio.sleep(random.uniform(least, most))


async def reader(address):
    """Reads pages over one connection, some of them compressed, some pipelined."""
    async with Connection(address) as connection:
        for _ in range(random.randrange(1, 80)):
            path = random.choice(PAGES)
            status, _, _ = await connection.request("GET", path, random.choice([(), ("Accept-Encoding: gzip",)]))
            expect(status, path, 200, 404, 405)
            await pause(0, 0.05)
        await connection.send(head("GET", "/new_account") * 10)
        for _ in range(10):
            expect((await connection.answer())[0], "pipelined")


async def passer_by(address):
    """Asks once, and closes."""
    async with Connection(address) as connection:
        path = f"/{random.randrange(10 ** 9)}" if random.random() < 0.3 else random.choice(PAGES)
        status, _, _ = await connection.request("GET", path, ("Connection: close",))
        expect(status, path, 200, 404, 405)
    await pause(0.02, 0.1)


def form(**variables):
    return json.dumps(variables).encode()


class Person:
    """Somebody with a session, and what it should hold."""

    def __init__(self, name):
        self.name = name

    async def visit(self, address):
        async with Connection(address) as connection:
            body = form(log_in_name=self.name, log_in_password="secret")
            _, fields, _ = await connection.request("POST", "/log_in/submit", (), body)
            cookie = (f"Cookie: {fields['set-cookie'].split(';')[0]}",)
            for count in range(1, random.randrange(2, 12)):
                status, _, _ = await connection.request("POST", "/counter/increment", cookie, b"{}")
                expect(status, "/counter/increment")
                _, _, page = await connection.request("GET", "/counter", cookie)
                if f"Counted to {count} by {self.name}".encode() not in page:
                    raise Surprise(f"{self.name} isn't at {count}")
            await connection.request("POST", "/log_out", cookie, b"{}")
            status, _, _ = await connection.request("GET", "/members", cookie)
            expect(status, "/members after the log-out", 403)
        await pause(0.05, 0.3)


async def slow_reader(address):
    """Takes a large answer in small pieces, and often goes before its end."""
    async with Connection(address, receive_buffer=4096) as connection:
        for _ in range(4):
            await connection.send(head("GET", random.choice(["/mock/news/river", "/floki/news/en", "/__preview/"])))
        for _ in range(random.randrange(5, 60)):
            if not await connection.reader.read(1500):
                return
            await pause(0.05, 0.3)
        if random.random() < 0.5:
            connection.reset()


async def slow_writer(address):
    """Sends a head or a body byte by byte, longer than the server waits for it, or not so long."""
    async with Connection(address) as connection:
        body = form(username="somebody", agree=True)
        request = head("POST", "/create_account", (), body) + body
        for index in range(len(request)):
            await connection.send(request[index:index + 1])
            await pause(0, 0.3)
        await within(60, connection.answer())


def broken_bytes():
    """A request that no server may take."""
    path = f"/{random.randrange(10 ** 9)}"
    return random.choice([
        random.randbytes(random.randrange(1, 3000)),
        b"\x16\x03\x01\x02\x00\x01\x00" + random.randbytes(200),
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET  / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST /create_account HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /create_account HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: " + b"y" * 50_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"".join(b"A%d: b\r\n" % n for n in range(200)) + b"\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        head("POST", "/create_account", ("Content-Encoding: gzip",), b"no gzip") + b"no gzip",
        head("POST", "/create_account", (), b"{" * 3000) + b"{" * 3000,
        head("DELETE", path) + head("BREW", path),
        head("POST", "/create_account", (), b"x" * 1000)[:-2],
        b"",
    ])


async def breaker(address):
    """Sends what isn't HTTP, or goes in the middle of it."""
    async with Connection(address) as connection:
        data = broken_bytes()
        await connection.send(data[: random.randrange(len(data) + 1)] if random.random() < 0.3 else data)
        if random.random() < 0.4:
            await pause(0, 0.1)
            connection.reset()
        else:
            with contextlib.suppress(asyncio.TimeoutError):
                await within(3, connection.reader.read())
    await pause(0.02, 0.2)


async def knocker(address):
    """Comes to a port and says what another protocol's client would say, or nothing."""
    clear = Address(address.port)
    async with Connection(clear) as connection:
        await connection.send(random.choice([b"", broken_bytes(), http2.broken("http")]))
        await pause(0, 2)
        if random.random() < 0.5:
            connection.reset()
    await pause(0.1, 0.5)


async def uploader(address):
    """Sends pictures of up to 5 MB, in one piece, in chunks, or with a question first; and breaks off now and then."""
    async with Connection(address) as connection:
        size = random.choice([100, 20_000, 400_000, 2_000_000, 5_000_000, 6_000_000])
        picture = b"\xff\xd8\xff" + bytes(size - 3)
        kind = random.randrange(6)
        path = "/photos/forbidden" if kind == 5 else "/photos/add"
        if kind == 0:
            await connection.send(head("PUT", path, (), picture) + picture[: size // 2])
            return connection.reset()
        if kind == 1:
            await connection.send(head("PUT", path, ("Transfer-Encoding: chunked",)))
            for start in range(0, size, 65536):
                part = picture[start:start + 65536]
                await connection.send(b"%x\r\n%s\r\n" % (len(part), part))
            await connection.send(b"0\r\n\r\n")
            status = (await within(60, connection.answer()))[0]
        elif kind == 2:
            packed = gzip.compress(picture, 1)
            status = (await connection.request("PUT", path, ("Content-Encoding: gzip",), packed))[0]
        else:
            status = (await connection.request("PUT", path, ("Expect: 100-continue",) if kind == 3 else (), picture))[0]
        expect(status, path, 200, 403, 413, 415, 422)
    await pause(0.5, 2)


async def listener(address):
    """Listens to preview's server-sent events for some seconds."""
    async with Connection(address) as connection:
        status, _, page = await connection.request("GET", "/new_account", ("Accept: text/html",))
        expect(status, "preview")
        token = re.search(rb"[0-9a-f]{48}", page)
        if not token:
            raise Surprise("preview's page has no token")
        await connection.send(head("GET", "/__preview/events", (f"Backlot-Preview: {token[0].decode()}",)))
        opening = await within(60, connection.reader.readuntil(b"event: broken"))
        if b"text/event-stream" not in opening:
            raise Surprise(f"no event stream: {opening[:100]}")
        with contextlib.suppress(asyncio.TimeoutError):
            async with asyncio.timeout(random.uniform(0.5, 12)):
                while await connection.reader.read(1 << 16):
                    pass
        if random.random() < 0.5:
            connection.reset()


class Newspaper:
    """Publishes stories, over and over the same few hundred, and reads windows of them."""

    def __init__(self, token):
        self.token = token

    NUMBERS = range(1000, 1300)
    LANGUAGES = ["en", "es"]

    async def publish(self, connection, *stories):
        stories = [{"feed": "news", "id": number, "language": language, "title": f"Story {number}",
                    "body": "word " * random.randrange(1, 200), "section_ids": [3], "tags": ["soak"]}
                   for number, language in stories]
        fields = (f"Authorization: Bearer {self.token}", "Content-Type: application/json")
        expect((await connection.request("POST", "/floki/desk/items", fields, json.dumps(stories).encode()))[0], "items")

    async def publish_all(self, address):
        """Each story in each language, so that only the texts change later."""
        async with Connection(address) as connection:
            for number in self.NUMBERS:
                await self.publish(connection, *((number, language) for language in self.LANGUAGES))

    async def read_and_write(self, address):
        async with Connection(address) as connection:
            number = random.choice(self.NUMBERS)
            await self.publish(connection, (number, random.choice(self.LANGUAGES)))
            path = "/floki/news/en"
            for _ in range(4):
                status, _, body = await connection.request("GET", path)
                expect(status, path)
                ids = [item["id"] for item in json.loads(body).get("items", [])]
                if not ids:
                    break
                path = f"/floki/news/en?o={ids[-1]}"
            await connection.request("GET", f"/floki/news/en/search?q=story+{number}")
        await pause(0.05, 0.3)


async def fill_journal(address):
    """Asks mocks as often as their journal has room for requests: from then on, the oldest make room."""
    async with Connection(address) as connection:
        for _ in range(100):
            await connection.send(head("GET", "/mock/") * 5 + head("GET", "/mock/news/river") * 5)
            for _ in range(10):
                expect((await connection.answer())[0], "/mock/")


async def editor(address, folder):
    """Saves a mock file anew, and sometimes a broken one, as people do who work on it."""
    file = folder / f"soak{random.randrange(5)}.get.json"
    file.write_text(random.choice(['{"n": %d}' % random.randrange(1000), "{broken", ""]))
    await pause(1, 3)
    async with Connection(address) as connection:
        status, _, _ = await connection.request("GET", f"/mock/{file.name.split('.')[0]}")
        expect(status, file.name, 200, 404, 500)
    if random.random() < 0.3:
        file.unlink()


async def http2_reader(address):
    """h2load's clients, with up to 32 streams each."""
    streams = random.choice([1, 4, 32])
    command = ["h2load", "-n", "300", "-c", "3", "-m", str(streams), "--header=Accept-Encoding: gzip"]
    urls = [address.url + random.choice(PAGES[:3]) for _ in range(2)]
    process = await asyncio.create_subprocess_exec(*command, *urls, stdout=asyncio.subprocess.PIPE)
    try:
        output, _ = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if b"300 succeeded, 0 failed, 0 errored" not in output:
        raise Surprise(f"h2load: {output.decode()}")
    await pause(1, 4)


async def http2_slow(address):
    """Opens streams with windows of 0 or few bytes, opens them little by little, and resets some."""
    async with Connection(address, "h2") as connection:
        await connection.send(http2.PREFACE + http2.settings(window=random.choice([0, 1, 100])))
        streams = range(1, random.randrange(3, 100), 2)
        for stream in streams:
            await connection.send(http2.get(stream, random.choice(PAGES), address.scheme))
        for _ in range(random.randrange(1, 30)):
            stream = random.choice(streams)
            update = http2.frame(http2.WINDOW_UPDATE, 0, stream, struct.pack(">I", random.randrange(1, 50)))
            await connection.send(update if random.random() < 0.8 else
                                  http2.frame(http2.RST_STREAM, 0, stream, struct.pack(">I", 8)))
            await pause(0.01, 0.3)
        if random.random() < 0.5:
            connection.reset()


async def http2_breaker(address):
    """Sends frames that HTTP/2 forbids."""
    async with Connection(address, "h2") as connection:
        await connection.send(http2.broken(address.scheme))
        with contextlib.suppress(asyncio.TimeoutError):
            await within(random.uniform(0.1, 3), connection.reader.read())
    await pause(0.05, 0.3)


# Whose connections may be cut at any time.
ROUGH = {slow_reader, slow_writer, breaker, knocker, uploader, http2_slow, http2_breaker}


async def go_on(client, *arguments, counts, lateness):
    """Lets a client come again and again."""
    name = getattr(client, "__name__", str(client))
    while True:
        try:
            await client(*arguments)
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.TimeoutError) as error:
            if client not in ROUGH and lateness.excuses:
                counts["clients that were late themselves"] = counts.get("clients that were late themselves", 0) + 1
            elif client not in ROUGH:
                notes = "; ".join(getattr(error, "__notes__", []))
                raise Surprise(f"{name} at {arguments[0].url}: {type(error).__name__}: {error} ({notes})") from error
        counts[name] = counts.get(name, 0) + 1
        await asyncio.sleep(0.01)
