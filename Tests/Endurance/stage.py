"""What stands while chaos reigns: servers under the layer of faults, relays in front of them, their stores; and what can befall
each of these."""

import asyncio
import email.utils
import errno
import random
import signal
import time

from clients import Address, Connection, Surprise
from faults import Faults
from relay import Relay
from server import Server
from stores import PostgreSQL, Redis

TOKEN = "a-token-for-the-chaos"
#: How far clocks jump, in seconds.
JUMPS = [3600, -3600, 864_000, -864_000]
#: How long the server waits for a head that has begun, and how late that may be noticed when the machine is busy.
HEAD_LIMIT, LATENESS = 10, 8


class Node:
    """A demo-server, its faults and the relay in front of it."""

    def __init__(self, name, program, layer, folder, seed, options):
        self.name = name
        home = folder / name
        (home / "tmp").mkdir(parents=True)
        self.home, self.disk_folder = home, home / "disk"
        self.disk_folder.mkdir()
        #: How often somebody has begun to end it, and to start it again.
        self.ends = self.starts = 0
        self.faults = Faults(layer, self.disk_folder, home / "control")
        environment = {**self.faults.environment, "DESK_TOKEN": TOKEN, "TMPDIR": str(home / "tmp"), "HOME": str(home)}
        options = [option.replace("DISK", str(self.disk_folder)) for option in options]
        self.server = Server(program, home / "log", "--wire", "off", *options, environment=environment)
        self.seed = seed

    async def start(self):
        await asyncio.to_thread(self.server.start)
        self.address = Address(self.server.port)
        self.relay = await Relay(self.server.port, self.seed).start()
        self.front = Address(self.relay.port)

    async def restart(self):
        """Starts the server again, as often as that takes: its disk or its database may be away."""
        end = time.monotonic() + 60
        while True:
            try:
                await asyncio.to_thread(self.server.start)
                self.starts += 1
                return
            except AssertionError:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(0.5)

    async def is_ready(self):
        try:
            async with asyncio.timeout(3), Connection(self.address) as connection:
                return (await connection.request("GET", "/readyz"))[0] == 200
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            return False

    # What can befall a server. Each returns what its log must say afterwards, or nothing.

    async def killed(self, choose):
        self.ends += 1
        self.server.kill()
        await asyncio.sleep(choose.uniform(0, 2))
        await self.restart()

    async def ended(self, choose):
        self.ends += 1
        await asyncio.to_thread(self.server.stop)
        await self.restart()

    async def frozen(self, choose):
        self.server.send(signal.SIGSTOP)
        await asyncio.sleep(choose.uniform(0.5, 8))
        self.server.send(signal.SIGCONT)

    async def disk(self, seconds, **how):
        self.faults.disk(**how)
        await asyncio.sleep(seconds)
        self.faults.disk()

    async def disk_full(self, choose):
        await self.disk(choose.uniform(2, 6), error=errno.ENOSPC)
        return "disk is full|No space left"

    async def disk_broken(self, choose):
        await self.disk(choose.uniform(2, 5), error=errno.EIO, percent=choose.choice([10, 50, 100]))

    async def disk_cuts_short(self, choose):
        await self.disk(choose.uniform(2, 5), short_writes=True)

    async def disk_slow(self, choose):
        await self.disk(choose.uniform(2, 6), delay_ms=choose.choice([20, 100, 400]))

    async def clock_jumps(self, choose):
        """The time of its answers follows the clock; what it waits for doesn't."""
        starts = self.starts
        try:
            await self.jump(choose.choice(JUMPS))
        except (OSError, asyncio.IncompleteReadError, Surprise):
            # One that is ended meanwhile closes its connections.
            if self.ends == self.starts == starts:
                raise
        finally:
            self.faults.clock(0)

    async def jump(self, seconds):
        async with Connection(self.address) as slow, Connection(self.address) as quick:
            begun = time.monotonic()
            await slow.send(b"GET /healthz HTTP/1.1\r\nHo")
            await asyncio.sleep(1)
            self.faults.clock(seconds)
            _, fields, _ = await quick.request("GET", "/healthz")
            ahead = email.utils.parsedate_to_datetime(fields["date"]).timestamp() - time.time()
            if abs(ahead - seconds) > 10:
                raise Surprise(f"{self.name}: the clock is {seconds} s ahead, and the field Date {ahead:.0f} s")
            await asyncio.wait_for(slow.reader.read(), HEAD_LIMIT + LATENESS)
            took = time.monotonic() - begun
            if took < HEAD_LIMIT - 1:
                raise Surprise(f"{self.name}: a slow head was cut after {took:.1f} s when the clock jumped by {seconds} s")

    async def network_rough(self, choose):
        await self.relay.be_rough(choose)

    async def network_cut(self, choose):
        self.relay.refuses = True
        self.relay.cut_all(reset=choose.random() < 0.5)
        await asyncio.sleep(choose.uniform(0.5, 4))
        self.relay.refuses = False

    PROCESS = [killed, ended, frozen]
    DISK = [disk_full, disk_broken, disk_cuts_short, disk_slow]
    CLOCK = [clock_jumps]
    NETWORK = [network_rough, network_cut]


class Back:
    """A store and the relay between it and the servers."""

    def __init__(self, name, store, seed):
        self.name, self.store = name, store
        self.relay = Relay(store.port, seed)

    async def start(self):
        await asyncio.to_thread(self.store.start)
        await self.relay.start()

    async def killed(self, choose):
        self.store.kill()
        await asyncio.sleep(choose.uniform(0, 4))
        await asyncio.to_thread(self.store.start)

    async def frozen(self, choose):
        self.store.send(signal.SIGSTOP)
        await asyncio.sleep(choose.uniform(0.5, 8))
        self.store.send(signal.SIGCONT)

    async def unreachable(self, choose):
        self.relay.refuses = True
        self.relay.cut_all(reset=choose.random() < 0.5)
        await asyncio.sleep(choose.uniform(1, 8))
        self.relay.refuses = False
        return "connecting again until it works"

    async def rough(self, choose):
        await self.relay.be_rough(choose)

    async def silent(self, choose):
        """Connections stay, and nothing comes through."""
        self.relay.flows.clear()
        await asyncio.sleep(choose.uniform(1, 10))
        self.relay.flows.set()

    ALL = [killed, frozen, unreachable, rough, silent]


class Stage:
    """Servers and stores. Of each group of faults, one at most happens at a time."""

    def __init__(self, kind, program, layer, folder, seed):
        self.backs = []
        if kind == "disk":
            options = ["--sessions", "sqlite:DISK/sessions.sqlite", "--feeds", "sqlite:DISK/feeds.sqlite"]
            self.nodes = [Node("server", program, layer, folder, seed, options)]
            node = self.nodes[0]
            self.groups = [(node, node.PROCESS), (node, node.DISK), (node, node.CLOCK), (node, node.NETWORK)]
        else:
            self.backs = [Back("redis", Redis(folder / "redis"), seed + 1),
                          Back("postgresql", PostgreSQL(folder / "postgresql"), seed + 2)]
            self.nodes = []
            self.make = lambda number, options: Node(f"replica{number}", program, layer, folder, seed + 2 + number, options)

    async def start(self):
        for back in self.backs:
            await back.start()
        if self.backs:
            redis, postgresql = (back.relay.port for back in self.backs)
            options = ["--sessions", f"redis://127.0.0.1:{redis}/0", "--feeds",
                       f"postgres://backlot@127.0.0.1:{postgresql}/postgres?sslmode=disable"]
            self.nodes = [self.make(number, options) for number in (1, 2)]
            self.groups = [(back, back.ALL) for back in self.backs]
            self.groups += [(node, group) for node in self.nodes for group in (node.PROCESS, node.CLOCK, node.NETWORK)]
        for node in self.nodes:
            await node.start()

    def next_faults(self, choose):
        """One to three faults that happen at once."""
        groups = choose.sample(self.groups, choose.choice([1, 1, 2, 3]))
        return [(subject, choose.choice(faults), random.Random(choose.random())) for subject, faults in groups]

    def end(self):
        for node in self.nodes:
            if node.server.process and node.server.process.poll() is None:
                node.server.kill()
        for back in self.backs:
            back.store.kill()
