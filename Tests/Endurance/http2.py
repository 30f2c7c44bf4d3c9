"""Frames of HTTP/2 (RFC 9113), as slow and as broken clients send them. Nothing here reads more than it must."""

import random
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS = 1, 4


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def settings(**values):
    """`window` is SETTINGS_INITIAL_WINDOW_SIZE."""
    payload = b"".join(struct.pack(">HI", {"window": 4}[name], value) for name, value in values.items())
    return frame(SETTINGS, 0, 0, payload)


def head(path, scheme="http", method="GET"):
    """A header block that uses the static table alone (RFC 7541, appendix A), without Huffman codes."""

    def literal(index, text):
        return bytes([index, len(text)]) + text.encode()

    method_field = b"\x82" if method == "GET" else b"\x83"
    scheme_field = b"\x86" if scheme == "http" else b"\x87"
    return method_field + scheme_field + literal(0x04, path) + literal(0x01, "localhost")


def get(stream, path, scheme="http"):
    return frame(HEADERS, END_STREAM | END_HEADERS, stream, head(path, scheme))


def broken(scheme, choose=random):
    """The bytes of a connection that goes wrong somewhere."""
    begin = PREFACE + settings()
    return choose.choice([
        PREFACE[: choose.randrange(1, len(PREFACE))],
        PREFACE + frame(DATA, 0, 1, b"data of no stream"),
        begin + frame(HEADERS, END_HEADERS, 2, head("/", scheme)),
        begin + frame(HEADERS, END_HEADERS, 1, b"\xff\xff\xff\xff\xff\xff"),
        begin + frame(HEADERS, 0, 1, head("/", scheme)) + frame(DATA, 0, 1, b"in a header block"),
        begin + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 0)),
        begin + b"".join(get(2 * n + 1, "/new_account", scheme) + frame(RST_STREAM, 0, 2 * n + 1, struct.pack(">I", 8))
                         for n in range(40)),
        begin + frame(choose.randrange(10, 256), choose.randrange(256), 0, choose.randbytes(30)),
        begin + choose.randbytes(200),
        begin + b"\xff\xff\xff" + bytes([DATA, 0]) + struct.pack(">I", 1),
        begin + b"".join(frame(SETTINGS, 0, 0) for _ in range(2000)),
        begin + b"".join(frame(PING, 0, 0, b"12345678") for _ in range(2000)),
        begin + frame(HEADERS, END_HEADERS, 1, head("/create_account", scheme, "POST")) + b"".join(
            frame(DATA, 0, 1) for _ in range(500)),
    ])
