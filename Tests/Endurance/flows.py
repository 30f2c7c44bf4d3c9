"""People who use demo-servers while these break, and who keep account of what was acknowledged to them."""

import asyncio
import contextlib
import json
import random
import re
import time

from clients import Connection, Surprise, form, head

#: For how long somebody repeats a request before it counts as lost.
PATIENCE = 90
#: The first number of the flows' stories; the demo's own stories have lower ones.
FIRST = 1_000_000


class Account:
    """What was acknowledged, and what was seen."""

    def __init__(self, token):
        self.token = token
        self.last = FIRST
        self.stories = {}
        self.windows = 0
        self.counted = 0
        self.answers = {}
        self.moments = {}

    def note(self, status):
        self.answers[status] = self.answers.get(status, 0) + 1

    def went_on(self, who):
        self.moments[who] = time.monotonic()


class Client:
    """A client that connects anew when its connection is lost, to any of the addresses."""

    def __init__(self, account, addresses):
        self.account, self.addresses = account, addresses
        self.connection = None

    async def close(self):
        if self.connection:
            with contextlib.suppress(Exception):
                await self.connection.__aexit__()
            self.connection = None

    async def attempt(self, method, path, headers=(), body=None):
        """The answer; None where there was none."""
        try:
            async with asyncio.timeout(12):
                if not self.connection:
                    self.connection = await Connection(random.choice(self.addresses)).__aenter__()
                connection = self.connection
                await connection.send(head(method, path, headers, body) + (body or b""))
                answer = await connection.answer()
                if answer[1].get("connection") == "close":
                    await self.close()
        except (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError, IndexError):
            await self.close()
            self.account.note("no answer")
            return None
        self.account.note(answer[0])
        if 400 <= answer[0] < 500 and answer[0] != 408:
            raise Surprise(f"{method} {path}: {answer[0]} {answer[2][:200].decode(errors='replace')}")
        if answer[0] >= 500 and answer[0] != 503:
            raise Surprise(f"{method} {path}: {answer[0]}, though it may work later: 503 says so")
        if answer[0] == 503 and "retry-after" not in answer[1]:
            raise Surprise(f"{method} {path}: 503 without Retry-After")
        return answer

    async def insist(self, method, path, headers=(), body=None):
        """Repeats a request until it is answered with 200; returns the answer, and whether it was repeated."""
        end = time.monotonic() + PATIENCE
        isRepeated = False
        while True:
            answer = await self.attempt(method, path, headers, body)
            if answer and answer[0] == 200:
                return answer, isRepeated
            if time.monotonic() > end:
                raise Surprise(f"{method} {path} is in vain for {PATIENCE} s: {answer}")
            isRepeated = True
            await asyncio.sleep(random.uniform(0.05, 0.3))


async def write(account, addresses, ending):
    """Publishes stories, each until it is acknowledged."""
    client = Client(account, addresses)
    while not ending.is_set():
        account.last += 1
        number = account.last
        title = f"Story {number}, as it was sent"
        story = {"feed": "news", "id": number, "language": "en", "title": title, "body": "x" * random.randrange(1, 3000),
                 "section_ids": [3]}
        fields = (f"Authorization: Bearer {account.token}", "Content-Type: application/json")
        await client.insist("POST", "/floki/desk/items", fields, json.dumps(story).encode())
        account.stories[number] = (title, time.monotonic())
        account.went_on("writers")
        await asyncio.sleep(0.03)
    await client.close()


async def read(account, addresses, ending):
    """Follows the newspaper: its version never goes back, and windows are in order."""
    client = Client(account, addresses)
    version = 0
    while not ending.is_set():
        answer, _ = await client.insist("GET", "/floki/v1-app")
        found = json.loads(answer[2])["v"]
        if found < max(version, 1):
            raise Surprise(f"the version went from {version} to {found}")
        version = found
        await window(client, "")
        account.windows += 1
        account.went_on("readers")
        await asyncio.sleep(0.03)
    await client.close()


async def window(client, query):
    """The items of a window."""
    answer, _ = await client.insist("GET", f"/floki/news/en{query}")
    items = json.loads(answer[2])["items"]
    ours = [item["id"] for item in items if item["id"] > FIRST]
    if any(after >= before for before, after in zip(ours, ours[1:])):
        raise Surprise(f"a window is out of order: {ours}")
    return items


async def count(account, addresses, ending, name):
    """Somebody with a session that counts, and who is never logged out. Steps that weren't answered may have been made."""
    client = Client(account, addresses)
    body = form(log_in_name=name, log_in_password="secret")
    answer, _ = await client.insist("POST", "/log_in/submit", (), body)
    cookie = (f"Cookie: {answer[1]['set-cookie'].split(';')[0]}",)
    least = most = 0
    while not ending.is_set():
        answer = await client.attempt("POST", "/counter/increment", cookie, b"{}")
        most += 1
        if answer and answer[0] == 200:
            least += 1
            account.counted += 1
            account.went_on("people")
        least, most = await look(client, cookie, name, least, most)
        await asyncio.sleep(0.05)
    await look(client, cookie, name, least, most)
    await client.close()


async def look(client, cookie, name, least, most):
    answer, _ = await client.insist("GET", "/counter", cookie)
    found = re.search(r"Counted to (\d+) by ([^.\"]*)\.", answer[2].decode())
    if not found or found[2] != name:
        raise Surprise(f"{name} is logged out, or somebody else: {answer[2].decode()[:500]}")
    number = int(found[1])
    if not least <= number <= most:
        raise Surprise(f"{name} was acknowledged {least} steps and tried {most}, but is at {number}")
    # A step that is under way behind a stalled connection may still be made.
    return number, most


async def look_for_all(account, address):
    """Walks through the whole feed: each story that was acknowledged is there once, as it was sent."""
    client = Client(account, [address])
    found = {}
    query = ""
    while True:
        items = await window(client, query)
        ours = [item for item in items if item["id"] > FIRST]
        for item in ours:
            if item["id"] in found:
                raise Surprise(f"story {item['id']} is there twice")
            found[item["id"]] = item
        if not ours:
            break
        query = f"?o={ours[-1]['id']}"
    await client.close()
    lost = sorted(account.stories.keys() - found.keys())
    if lost:
        raise Surprise(f"{len(lost)} acknowledged stories are lost: {lost[:10]}")
    for number, (title, _) in account.stories.items():
        if title not in json.dumps(found[number]):
            raise Surprise(f"story {number} isn't as it was sent: {found[number]}")
    return len(found)
