"""A collector of OTLP over HTTP that decodes what it gets with the specification's own descriptors."""

import base64
import gzip
import json
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.protobuf import json_format, unknown_fields
from opentelemetry.proto.collector.logs.v1 import logs_service_pb2
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

REQUESTS = {
    "/v1/traces": trace_service_pb2.ExportTraceServiceRequest,
    "/v1/metrics": metrics_service_pb2.ExportMetricsServiceRequest,
    "/v1/logs": logs_service_pb2.ExportLogsServiceRequest,
}
RESPONSES = {
    "/v1/traces": trace_service_pb2.ExportTraceServiceResponse,
    "/v1/metrics": metrics_service_pb2.ExportMetricsServiceResponse,
    "/v1/logs": logs_service_pb2.ExportLogsServiceResponse,
}
# In JSON, ids are hexadecimal, while protobuf's own mapping has base64 there.
IDS = {"traceId", "spanId", "parentSpanId"}


def with_base64(value):
    if isinstance(value, list):
        return [with_base64(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: base64.b64encode(bytes.fromhex(item)).decode() if key in IDS else with_base64(item)
        for key, item in value.items()
    }


def check_known(message):
    """Fails for fields that the specification doesn't have."""
    assert len(unknown_fields.UnknownFieldSet(message)) == 0, f"unknown fields in {message.DESCRIPTOR.name}"
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for item in value if field.is_repeated else [value]:
                check_known(item)


def decode(path, content_type, body):
    message = REQUESTS[path]()
    if content_type == "application/json":
        json_format.ParseDict(with_base64(json.loads(body)), message)
    else:
        assert content_type == "application/x-protobuf", content_type
        message.ParseFromString(body)
    check_known(message)
    return message


class Receiver:
    """Keeps what it gets by path, and answers what a test wants."""

    def __init__(self):
        receiver = self
        self.received = {path: queue.Queue() for path in REQUESTS}
        self.headers = queue.Queue()
        # When the requests of a path came, before they were answered, by the clock of `time.monotonic`.
        self.times = {path: [] for path in REQUESTS}
        self.mistakes = []
        # (status, headers, body) for the next requests of a path; 200 after them.
        self.answers = {path: queue.Queue() for path in REQUESTS}

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers["content-encoding"] == "gzip":
                    body = gzip.decompress(body)
                try:
                    message = decode(self.path, self.headers["content-type"], body)
                except Exception as error:
                    receiver.mistakes.append(repr(error))
                    message = None
                try:
                    status, fields, answer = receiver.answers[self.path].get_nowait()
                except queue.Empty:
                    status, fields, answer = 200, {}, RESPONSES[self.path]()
                receiver.times[self.path].append(time.monotonic())
                receiver.headers.put(dict(self.headers))
                receiver.received[self.path].put((status, message))
                if self.headers["content-type"] == "application/json":
                    text = json_format.MessageToJson(answer).encode()
                else:
                    text = answer.SerializeToString()
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.send_header("content-type", self.headers["content-type"])
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def next(self, path):
        """The next request at a path: its status, and the message."""
        try:
            return self.received[path].get(timeout=60)
        except queue.Empty:
            raise AssertionError(f"no request comes to {path}") from None

    def all(self, path):
        """All requests at a path that were taken, once nothing more comes."""
        messages = []
        while not self.received[path].empty():
            status, message = self.received[path].get()
            if status == 200:
                messages.append(message)
        return messages
