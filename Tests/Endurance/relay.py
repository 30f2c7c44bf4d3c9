"""A TCP relay in front of a server, which does to some of its connections what networks do."""

import asyncio
import contextlib
import random
import socket
import struct

#: What may happen to a connection. cut: it is closed after some bytes. reset: both sides get a RST. deaf: from some byte on, one
#: direction is lost. stall: it pauses. drip: it goes through in tiny pieces.
TROUBLES = ["cut", "reset", "deaf", "stall", "drip"]


class Relay:
    """Listens on a port and passes on to another of this machine."""

    def __init__(self, target, seed):
        self.target = target
        self.choose = random.Random(seed)
        #: The part of the new connections that get into trouble.
        self.roughness = 0.0
        #: Whether new connections are refused.
        self.refuses = False
        self.flows = asyncio.Event()
        self.flows.set()
        self.troubles = {}
        self.open = set()

    async def start(self, port=0):
        self.server = await asyncio.start_server(self.pass_on, "127.0.0.1", port, limit=1 << 16)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    def cut_all(self, reset=False):
        """Ends each connection that is open."""
        for writer in list(self.open):
            end(writer, reset)

    async def be_rough(self, choose):
        """Gets many connections into trouble, for some seconds."""
        self.roughness = choose.choice([0.5, 1])
        for _ in range(choose.randrange(3, 9)):
            self.cut_all(reset=choose.random() < 0.5)
            await asyncio.sleep(0.7)
        self.roughness = 0

    async def stop(self):
        self.server.close()
        self.flows.set()
        self.cut_all(reset=True)
        await self.server.wait_closed()

    async def pass_on(self, reader, writer):
        # At the end of the test, connections are given up.
        with contextlib.suppress(asyncio.CancelledError):
            await self.carry(reader, writer)

    async def carry(self, reader, writer):
        trouble = self.choose.choice(TROUBLES) if self.choose.random() < self.roughness else None
        after = self.choose.choice([0, 1, 10, 100, 1000, 10_000])
        pause = self.choose.uniform(0.5, 8)
        deaf = self.choose.randrange(2)
        if self.refuses:
            return end(writer, reset=True)
        try:
            further_reader, further_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            return end(writer, reset=True)
        if trouble:
            self.troubles[trouble] = self.troubles.get(trouble, 0) + 1
        self.open |= {writer, further_writer}

        async def direction(number, source, sink):
            passed = 0
            with contextlib.suppress(OSError):
                while data := await source.read(4 if trouble == "drip" else 1 << 16):
                    await self.flows.wait()
                    passed += len(data)
                    if trouble and passed > after:
                        if trouble in ("cut", "reset"):
                            # What is before this byte still goes through.
                            sink.write(data[: len(data) - (passed - after)])
                            with contextlib.suppress(OSError):
                                await sink.drain()
                            for each in (writer, further_writer):
                                end(each, trouble == "reset")
                            return
                        if trouble == "deaf" and number == deaf:
                            continue
                        if trouble == "stall":
                            await asyncio.sleep(pause)
                            passed = -1 << 40
                        if trouble == "drip":
                            await asyncio.sleep(0.002)
                    sink.write(data)
                    await sink.drain()
                if not (trouble == "deaf" and number == deaf) and sink.can_write_eof():
                    sink.write_eof()

        try:
            await asyncio.gather(direction(0, reader, further_writer), direction(1, further_reader, writer))
        finally:
            self.open -= {writer, further_writer}
            for each in (writer, further_writer):
                end(each, reset=False)


def end(writer, reset):
    raw = writer.get_extra_info("socket")
    if reset and raw is not None:
        with contextlib.suppress(OSError):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    else:
        writer.close()
