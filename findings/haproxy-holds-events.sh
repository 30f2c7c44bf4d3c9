#!/usr/bin/env bash
# HAProxy waits for about 0.2 seconds before it sends a small chunk, such as one server-sent event, to a client that speaks HTTP/1.1 without TLS.
# Its manual describes the wait at "option http-no-delay", which ends it. Clients of TLS or HTTP/2 don't wait.
set -euo pipefail
command -v haproxy >/dev/null || { echo "install Debian's package haproxy"; exit 2; }
haproxy -v | sed -n 1p
exec python3 - <<'PYTHON'
import socket
import subprocess
import sys
import tempfile
import threading
import time

PAUSE, COUNT = 0.5, 3


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def serve(listener, sent):
    """A stream of events, each in a chunk, with the time at which it was sent."""
    while True:
        client, _ = listener.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.recv(4096)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for number in range(COUNT):
            time.sleep(PAUSE)
            event = f"data: {number}\n\n".encode()
            sent.append(time.monotonic())
            client.sendall(b"%x\r\n%s\r\n" % (len(event), event))
        time.sleep(PAUSE)
        client.sendall(b"0\r\n\r\n")
        client.close()


def delays(option):
    listener, sent, front = socket.create_server(("127.0.0.1", 0)), [], free_port()
    threading.Thread(target=serve, args=(listener, sent), daemon=True).start()
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
        file.write(f"""
defaults
    mode http
    {option}
    timeout connect 5s
    timeout client 30s
    timeout server 30s
listen all
    bind 127.0.0.1:{front}
    server one 127.0.0.1:{listener.getsockname()[1]}
""")
        file.flush()
        proxy = subprocess.Popen(["haproxy", "-db", "-q", "-f", file.name])
        try:
            for _ in range(100):
                try:
                    client = socket.create_connection(("127.0.0.1", front), timeout=10)
                    break
                except OSError:
                    time.sleep(0.05)
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            text, arrived = b"", []
            while data := client.recv(4096):
                text += data
                arrived += [time.monotonic()] * (text.count(b"data: ") - len(arrived))
            return [round(got - left, 2) for left, got in zip(sent, arrived)]
        finally:
            proxy.terminate()
            proxy.wait()


default, quick = delays(""), delays("option http-no-delay")
print("expected: an event reaches the client at once, within some milliseconds")
print(f"seen: by default after {default} s; with option http-no-delay after {quick} s")
sys.exit(0 if len(default) == len(quick) == COUNT and min(default) > 0.1 and max(quick) < 0.1 else 1)
PYTHON
