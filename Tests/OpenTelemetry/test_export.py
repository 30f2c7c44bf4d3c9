"""Makes requests of otlp-clinic, and looks at the spans, metrics and logs that it sends.

    python test_export.py OTLP_CLINIC DEMO_SERVER
"""

import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.error
import urllib.request

from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
from opentelemetry.proto.metrics.v1 import metrics_pb2
from opentelemetry.proto.trace.v1 import trace_pb2
from receiver import Receiver

PROGRAM = sys.argv.pop(1)
DEMO_SERVER = sys.argv.pop(1)
TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"


class Clinic:
    """The program, while it runs."""

    def __init__(self, *command, **variables):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("OTEL_")}
        self.process = subprocess.Popen(
            command or [PROGRAM],
            env=environment | {f"OTEL_{key}": value for key, value in variables.items()},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines = queue.Queue()
        self.log = []
        self.reader = threading.Thread(target=self.read_log, daemon=True)
        self.reader.start()
        self.url = re.search("http://127.0.0.1:[0-9]+", self.wait_for("listening on")).group()

    def read_log(self):
        for line in self.process.stderr:
            self.log.append(line)
            self.lines.put(line)

    def wait_for(self, text):
        """The first line of the log with a text."""
        while True:
            try:
                line = self.lines.get(timeout=60)
            except queue.Empty:
                raise AssertionError(f"waited in vain for {text!r} in the log: {''.join(self.log)}") from None
            if text in line:
                return line

    def get(self, path, **fields):
        request = urllib.request.Request(
            self.url + path, headers={key.replace("_", "-"): value for key, value in fields.items()}
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=60)
        self.reader.join(timeout=20)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


def attributes(of):
    return {item.key: getattr(item.value, item.value.WhichOneof("value")) for item in of.attributes}


def spans(messages):
    return [span for m in messages for r in m.resource_spans for s in r.scope_spans for span in s.spans]


def records(messages):
    return [(s.scope.name, log) for m in messages for r in m.resource_logs for s in r.scope_logs for log in s.log_records]


def metrics(message):
    return {metric.name: metric for r in message.resource_metrics for s in r.scope_metrics for metric in s.metrics}


class ExportTest(unittest.TestCase):
    """Tests with a receiver of their own. The queues are emptied as the program ends."""

    def setUp(self):
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)

    def run_clinic(self, requests, **variables):
        # A program has 1 s by default to send its last records at the stop. That is too short for a receiver on a busy machine.
        clinic = Clinic(PROGRAM, "60", EXPORTER_OTLP_ENDPOINT=self.receiver.url, EXPORTER_OTLP_TIMEOUT="60000", **variables)
        try:
            requests(clinic)
        finally:
            self.assertEqual(clinic.stop(), 0, "".join(clinic.log))
        self.assertEqual(self.receiver.mistakes, [])
        return clinic

    def check_all_signals(self, **variables):
        def requests(clinic):
            status, _ = clinic.get("/patients/7?name=secret", traceparent=f"00-{TRACE}-{PARENT}-01", tracestate="a=1,b=2")
            self.assertEqual(status, 200)
            self.assertEqual(clinic.get("/broken")[0], 500)
            self.assertEqual(clinic.get("/nowhere")[0], 404)

        started = time.time_ns()
        self.run_clinic(requests, RESOURCE_ATTRIBUTES="team=web,region=north%20west", **variables)
        ended = time.time_ns()

        # Spans.
        messages = self.receiver.all("/v1/traces")
        resource = attributes(messages[0].resource_spans[0].resource)
        self.assertEqual(resource["service.name"], "clinic")
        self.assertEqual(resource["region"], "north west")
        self.assertEqual(resource["telemetry.sdk.language"], "swift")
        by_name = {span.name: span for span in spans(messages)}
        self.assertEqual(set(by_name), {"GET /patients/{id}", "look up", "GET /broken", "GET"})
        server = by_name["GET /patients/{id}"]
        self.assertEqual(server.trace_id.hex(), TRACE)
        self.assertEqual(server.parent_span_id.hex(), PARENT)
        self.assertEqual(server.trace_state, "a=1,b=2")
        self.assertEqual(server.kind, trace_pb2.Span.SPAN_KIND_SERVER)
        self.assertEqual(server.flags, 0x301)
        self.assertTrue(started <= server.start_time_unix_nano < server.end_time_unix_nano <= ended)
        said = attributes(server)
        for name, value in {
            "http.request.method": "GET",
            "http.route": "/patients/{id}",
            "http.response.status_code": 200,
            "url.path": "/patients/7",
            "url.scheme": "http",
            "client.address": "127.0.0.1",
            "network.protocol.version": "1.1",
        }.items():
            self.assertEqual(said[name], value, name)
        self.assertIn("Python-urllib", said["user_agent.original"])
        self.assertNotIn("secret", str(server))
        inner = by_name["look up"]
        self.assertEqual(inner.parent_span_id, server.span_id)
        self.assertEqual(inner.trace_id, server.trace_id)
        self.assertEqual(inner.kind, trace_pb2.Span.SPAN_KIND_CLIENT)
        self.assertEqual(attributes(inner), {"db.system.name": "sqlite"})
        self.assertEqual([event.name for event in inner.events], ["found"])
        broken = by_name["GET /broken"]
        self.assertEqual(broken.parent_span_id, b"")
        self.assertEqual(broken.status.code, trace_pb2.Status.STATUS_CODE_ERROR)
        self.assertTrue(attributes(broken)["error.type"].endswith("Broken"))
        self.assertTrue(attributes(broken.events[0])["exception.type"].endswith("Broken"))
        self.assertNotIn("http.route", attributes(by_name["GET"]))
        self.assertEqual(by_name["GET"].status.code, trace_pb2.Status.STATUS_CODE_UNSET)

        # Logs.
        logged = records(self.receiver.all("/v1/logs"))
        scope, record = next(item for item in logged if item[1].body.string_value == "a patient is looked up")
        self.assertEqual(scope, "records")
        self.assertEqual((record.severity_number, record.severity_text), (10, "notice"))
        self.assertEqual(record.trace_id, server.trace_id)
        self.assertEqual(record.span_id, inner.span_id)
        self.assertEqual(attributes(record), {"password": "[redacted]"})
        request = next(log for _, log in logged if log.body.string_value == "GET /patients/7 200")
        self.assertEqual((request.trace_id, request.span_id), (server.trace_id, server.span_id))
        self.assertEqual(attributes(request)["status"], 200)
        failure = next(log for _, log in logged if log.body.string_value == "GET /broken 500")
        self.assertEqual(failure.severity_text, "error")
        self.assertEqual(failure.span_id, broken.span_id)
        self.assertTrue(attributes(failure)["exception.type"].endswith("Broken"))

        # Metrics.
        said = metrics(self.receiver.all("/v1/metrics")[-1])
        duration = said["http.server.request.duration"]
        self.assertEqual(duration.unit, "s")
        self.assertEqual(duration.histogram.aggregation_temporality, metrics_pb2.AGGREGATION_TEMPORALITY_CUMULATIVE)
        expected = {"http.request.method": "GET", "http.response.status_code": "200", "http.route": "/patients/{id}", "url.scheme": "http"}
        point = next(point for point in duration.histogram.data_points if attributes(point) == expected)
        self.assertEqual(point.count, 1)
        self.assertEqual(sum(point.bucket_counts), 1)
        self.assertEqual(len(point.bucket_counts), len(point.explicit_bounds) + 1)
        self.assertTrue(0 < point.sum < 10)
        self.assertTrue(started <= point.start_time_unix_nano < point.time_unix_nano <= ended)
        self.assertEqual(
            {attributes(point)["http.response.status_code"]: point.count for point in duration.histogram.data_points},
            {"200": 1, "500": 1, "404": 1},
        )

    def test_protobuf(self):
        self.check_all_signals()

    def test_protobuf_in_gzip(self):
        self.check_all_signals(EXPORTER_OTLP_COMPRESSION="gzip", EXPORTER_OTLP_PROTOCOL="http/protobuf")

    def test_json(self):
        self.check_all_signals(EXPORTER_OTLP_PROTOCOL="http/json")

    def test_trace_goes_on(self):
        def requests(clinic):
            _, fields = clinic.get("/outgoing", traceparent=f"00-{TRACE}-{PARENT}-01", tracestate="a=1")
            self.outgoing = dict(line.split(": ") for line in fields.splitlines())
            # Not sampled: the trace goes on, and no span is sent.
            _, fields = clinic.get("/outgoing", traceparent=f"00-{TRACE}-{PARENT}-00")
            self.assertRegex(fields, f"^traceparent: 00-{TRACE}-[0-9a-f]{{16}}-00\n$")
            # Malformed: a new trace begins.
            for parent in ["00-0-0-01", f"ff-{TRACE}-{PARENT}-01", f"00-{TRACE.upper()}-{PARENT}-01", "x" * 5000]:
                _, fields = clinic.get("/outgoing", traceparent=parent, tracestate="a=1")
                self.assertRegex(fields, "^traceparent: 00-[0-9a-f]{32}-[0-9a-f]{16}-01\n$")
                self.assertNotIn(TRACE, fields)

        self.run_clinic(requests)
        sent = spans(self.receiver.all("/v1/traces"))
        self.assertEqual(len(sent), 5)
        self.assertEqual(self.outgoing["tracestate"], "a=1")
        self.assertEqual(self.outgoing["traceparent"], f"00-{TRACE}-{sent[0].span_id.hex()}-01")

    def test_sampler(self):
        def requests(clinic):
            for _ in range(3):
                clinic.get("/patients/7")
            clinic.get("/patients/7", traceparent=f"00-{TRACE}-{PARENT}-01")

        self.run_clinic(requests, TRACES_SAMPLER="parentbased_traceidratio", TRACES_SAMPLER_ARG="0")
        self.assertEqual({span.trace_id.hex() for span in spans(self.receiver.all("/v1/traces"))}, {TRACE})

    def test_headers_and_signals(self):
        self.run_clinic(
            lambda clinic: clinic.get("/patients/7"),
            EXPORTER_OTLP_HEADERS="authorization=Basic%20YTpi,x-tenant=clinic",
            EXPORTER_OTLP_LOGS_ENDPOINT=f"{self.receiver.url}/v1/logs",
            METRICS_EXPORTER="none",
        )
        fields = self.receiver.headers.get(timeout=5)
        self.assertEqual((fields["authorization"], fields["x-tenant"]), ("Basic YTpi", "clinic"))
        self.assertEqual(self.receiver.all("/v1/metrics"), [])
        self.assertNotEqual(self.receiver.all("/v1/logs"), [])

    def test_busy_collector_is_asked_later(self):
        for answer in [(503, {}), (429, {"retry-after": "1"})]:
            self.receiver.answers["/v1/traces"].put((*answer, trace_service_pb2.ExportTraceServiceResponse()))

        def requests(clinic):
            clinic.get("/patients/7")
            first, _ = self.receiver.next("/v1/traces")
            second, _ = self.receiver.next("/v1/traces")
            third, message = self.receiver.next("/v1/traces")
            self.assertEqual((first, second, third), (503, 429, 200))
            times = self.receiver.times["/v1/traces"]
            self.assertGreaterEqual(times[2] - times[1], 0.9)
            self.assertEqual(len(spans([message])), 2)

        # Both spans of a request make a batch, however long the second takes.
        clinic = self.run_clinic(requests, BSP_MAX_EXPORT_BATCH_SIZE="2", BSP_SCHEDULE_DELAY="60000")
        said = [line for line in clinic.log if "can't be sent" in line]
        self.assertEqual(len(said), 2, said)
        self.assertIn("the collector answers 503", said[0])
        self.assertTrue(any("are sent to" in line and "again" in line for line in clinic.log))

    def test_partial_success_and_refusal(self):
        partial = trace_service_pb2.ExportTraceServiceResponse()
        partial.partial_success.rejected_spans = 2
        partial.partial_success.error_message = "too old"
        nothing = trace_service_pb2.ExportTraceServiceResponse()
        for answer in [(200, {}, partial), (400, {}, nothing)]:
            self.receiver.answers["/v1/traces"].put(answer)

        def requests(clinic):
            clinic.get("/patients/7")
            clinic.wait_for("rejects 2 spans: too old")
            clinic.get("/patients/7")
            clinic.wait_for("the collector answers 400")
            self.assertIn('otlp_dropped_total{signal="traces"} 4', clinic.get("/metrics")[1])

        self.run_clinic(requests, BSP_MAX_EXPORT_BATCH_SIZE="2", BSP_SCHEDULE_DELAY="60000")
        # A refused batch isn't sent again, and a request for /metrics has no span.
        self.assertEqual(self.receiver.received["/v1/traces"].qsize(), 2)

    def test_absent_collector(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            clinic = Clinic(
                PROGRAM,
                "60",
                EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{taken.getsockname()[1]}",
                BSP_EXPORT_TIMEOUT="120000",
                BSP_SCHEDULE_DELAY="20",
                BSP_MAX_QUEUE_SIZE="10",
                BSP_MAX_EXPORT_BATCH_SIZE="5",
            )
            clinic.get("/broken")
            clinic.wait_for("spans can't be sent to")
            began = time.monotonic()
            for _ in range(100):
                clinic.get("/broken")
            self.assertLess(time.monotonic() - began, 30)
            self.assertRegex(clinic.get("/metrics")[1], r'otlp_dropped_total\{signal="traces"\} [1-9]')
            began = time.monotonic()
            self.assertEqual(clinic.stop(), 0)
            self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(len([line for line in clinic.log if "spans can't be sent" in line]), 1)

    def test_silent_collector(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            # A program that waits for the collector would wait for two minutes.
            waits = ["EXPORTER_OTLP_TIMEOUT", "BSP_EXPORT_TIMEOUT", "BLRP_EXPORT_TIMEOUT", "METRIC_EXPORT_TIMEOUT"]
            clinic = Clinic(
                EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{silent.getsockname()[1]}",
                BSP_SCHEDULE_DELAY="20",
                **{name: "120000" for name in waits},
            )
            began = time.monotonic()
            for _ in range(20):
                self.assertEqual(clinic.get("/patients/7")[0], 200)
            self.assertLess(time.monotonic() - began, 30)
            began = time.monotonic()
            self.assertEqual(clinic.stop(), 0)
            self.assertLess(time.monotonic() - began, 30)

    def test_servers_with_settings(self):
        # It has 1 s for the last records at its stop, so the records of this test are sent before.
        server = Clinic(
            DEMO_SERVER,
            "--port",
            "0",
            "--sessions",
            "memory",
            EXPORTER_OTLP_ENDPOINT=self.receiver.url,
            BSP_SCHEDULE_DELAY="100",
            METRIC_EXPORT_INTERVAL="100",
        )
        for path in ["/healthz", "/readyz", "/new_account"]:
            self.assertEqual(server.get(path, traceparent=f"00-{TRACE}-{PARENT}-01")[0], 200)
        _, message = self.receiver.next("/v1/traces")
        names, end = set(), time.monotonic() + 60
        while "http.server.open_connections" not in names and time.monotonic() < end:
            names = set(metrics(self.receiver.next("/v1/metrics")[1]))
        self.assertEqual(server.stop(), 0, "".join(server.log))
        self.assertEqual(self.receiver.mistakes, [])
        self.assertEqual(self.receiver.all("/v1/traces"), [])
        self.assertEqual(attributes(message.resource_spans[0].resource)["service.name"], "demo-server")
        self.assertEqual([(span.name, span.trace_id.hex()) for span in spans([message])], [("GET /new_account", TRACE)])
        self.assertIn("http.server.open_connections", names)

    def test_servers_with_settings_say_what_is_wrong(self):
        said = subprocess.run(
            [DEMO_SERVER, "--port", "0"],
            env=os.environ | {"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4318"},
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertNotEqual(said.returncode, 0)
        self.assertEqual(
            said.stderr,
            "Error: OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' isn't an http or https URL: write http://collector:4318\n",
        )

    def test_mistakes(self):
        def output(**variables):
            environment = {f"OTEL_{key}": value for key, value in variables.items()}
            return subprocess.run([PROGRAM], env=os.environ | environment, capture_output=True, text=True, timeout=60).stdout

        self.assertEqual(output(), "nothing is sent\n")
        self.assertEqual(output(EXPORTER_OTLP_ENDPOINT=self.receiver.url, SDK_DISABLED="true"), "nothing is sent\n")
        said = output(
            EXPORTER_OTLP_ENDPOINT=self.receiver.url,
            EXPORTER_OTLP_PROTOCOL="grpc",
            BSP_MAX_QUEUE_SIZE="many",
        )
        self.assertEqual(
            said,
            "OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' is not offered: write http/protobuf or http/json; use the collector's port "
            "for HTTP too, which is 4318 as a rule\n"
            "OTEL_BSP_MAX_QUEUE_SIZE: 'many' isn't a whole number from 1 to 1000000000: write one, such as 2048\n",
        )


if __name__ == "__main__":
    unittest.main()
