"""What faults.c reads: how the disk and the wall clock of a server are."""

import errno
import mmap
import pathlib
import struct
import subprocess

LAYOUT = struct.Struct("<qiiiiqq")


def compile_layer(folder):
    """Compiles the layer, and returns its path."""
    source = pathlib.Path(__file__).with_name("faults.c")
    result = folder / "faults.so"
    command = ["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o", result, source]
    subprocess.run(command, check=True, timeout=120)
    return result


class Faults:
    """The faults of one server, whose disk is everything below a folder."""

    def __init__(self, layer, folder, control):
        control.write_bytes(bytes(LAYOUT.size))
        self.environment = {"LD_PRELOAD": str(layer), "FAULTS_FOLDER": str(folder), "FAULTS_CONTROL": str(control)}
        with control.open("r+b") as file:
            self.shared = mmap.mmap(file.fileno(), LAYOUT.size)
        self.offset = 0

    def disk(self, delay_ms=0, error=0, percent=100, short_writes=False):
        """How the disk is from here on; without arguments as it should be."""
        _, _, _, _, _, calls, hits = LAYOUT.unpack(self.shared[:])
        self.shared[:] = LAYOUT.pack(int(self.offset * 1000), delay_ms, error, percent, int(short_writes), calls, hits)

    def full(self):
        self.disk(error=errno.ENOSPC)

    def clock(self, offset):
        """Sets the wall clock ahead by so many seconds, or back."""
        self.offset = offset
        self.shared[:8] = struct.pack("<q", int(offset * 1000))

    @property
    def calls(self):
        """How many calls the layer has had while the disk was bad."""
        return LAYOUT.unpack(self.shared[:])[5]

    @property
    def hits(self):
        """How many calls have failed, or were cut short."""
        return LAYOUT.unpack(self.shared[:])[6]
