import HTTPTypes
import Testing

@testable import BacklotOTLP

/// OpenTelemetry's environment variables.
@Suite(.timeLimit(.minutes(5))) struct SettingTests {
    private static let endpoint = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"]

    private func settings(_ variables: [String: String]) throws(OTLPSettingsError) -> OTLPSettings? {
        try OTLPSettings(environment: variables, serviceName: "clinic")
    }

    @Test(arguments: [
        [:], ["OTEL_EXPORTER_OTLP_ENDPOINT": ""], ["OTEL_SERVICE_NAME": "clinic", "OTEL_BSP_MAX_QUEUE_SIZE": "many"],
        ["OTEL_METRICS_EXPORTER": "prometheus"],
        ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "OTEL_SDK_DISABLED": "TRUE"],
        [
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "OTEL_TRACES_EXPORTER": "none",
            "OTEL_METRICS_EXPORTER": "none", "OTEL_LOGS_EXPORTER": "none",
        ],
    ]) func `Nothing is sent without a place to send it to`(variables: [String: String]) throws {
        #expect(try settings(variables) == nil)
    }

    @Test func `The endpoint is the base of all signals`() throws {
        let settings = try #require(try settings(Self.endpoint))
        #expect(settings.traces?.url == "http://127.0.0.1:4318/v1/traces")
        #expect(settings.metrics?.url == "http://127.0.0.1:4318/v1/metrics")
        #expect(settings.logs?.url == "http://127.0.0.1:4318/v1/logs")
        #expect(settings.traces?.format == .protobuf)
        #expect(settings.traces?.timeout == .seconds(10))
        #expect(settings.sampler == .usual)
        #expect(settings.spanBatches == BatchBounds(delay: .seconds(5)))
        #expect(settings.logBatches == BatchBounds(delay: .seconds(1)))
        #expect(settings.resource.attributes["service.name"] == "clinic")
        #expect(
            settings.summary
                == "spans to http://127.0.0.1:4318/v1/traces, metrics to http://127.0.0.1:4318/v1/metrics, "
                + "logs to http://127.0.0.1:4318/v1/logs"
        )
    }

    @Test func `A signal's own variables go before the common ones`() throws {
        let variables = [
            "OTEL_EXPORTER_OTLP_ENDPOINT": "https://example.com/otel/",
            "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://[::1]:4319",
            "OTEL_EXPORTER_OTLP_HEADERS": "a=1",
            "OTEL_EXPORTER_OTLP_LOGS_HEADERS": "b=%202%20",
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
            "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL": "http/protobuf",
            "OTEL_EXPORTER_OTLP_TIMEOUT": "250",
            "OTEL_EXPORTER_OTLP_LOGS_TIMEOUT": "500",
            "OTEL_EXPORTER_OTLP_LOGS_COMPRESSION": "gzip",
        ]
        let settings = try #require(
            try settings(variables.merging(["OTEL_EXPORTER_OTLP_LOGS_HEADERS": "b=2"]) { $1 })
        )
        let traces = try #require(settings.traces)
        let logs = try #require(settings.logs)
        #expect(traces.url == "https://example.com/otel/v1/traces" && logs.url == "http://[::1]:4319/")
        #expect(traces.headers.map(\.description) == ["a: 1"] && logs.headers.map(\.description) == ["b: 2"])
        #expect(traces.format == .json && logs.format == .protobuf)
        #expect(traces.timeout == .milliseconds(250) && logs.timeout == .milliseconds(500))
        #expect(!traces.compresses && logs.compresses)
        // Blanks around a value are none that a field can have.
        #expect(throws: OTLPSettingsError.self) { try self.settings(variables) }
    }

    @Test func `The program's name and attributes`() throws {
        let settings = try #require(
            try settings(
                Self.endpoint.merging(
                    ["OTEL_RESOURCE_ATTRIBUTES": "service.name=a, team=w%2Cb ,", "OTEL_SERVICE_NAME": "b"]
                ) { $1 }
            )
        )
        #expect(settings.resource.attributes["service.name"] == "b")
        #expect(settings.resource.attributes["team"] == "w,b")
    }

    @Test(arguments: [
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318",
            "'127.0.0.1:4318' isn't an http or https URL: write http://127.0.0.1:4318"
        ),
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://a",
            "'ftp://a' isn't an http or https URL: write one such as http://127.0.0.1:4318"
        ),
        ("OTEL_SDK_DISABLED", "yes", "'yes' is neither true nor false: write one of them"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "json", "'json' is not offered: write http/protobuf or http/json"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd", "'zstd' is not offered: write gzip or none"),
        ("OTEL_TRACES_EXPORTER", "zipkin", "'zipkin' is not offered: write otlp or none"),
        (
            "OTEL_EXPORTER_OTLP_TIMEOUT", "10s",
            "'10s' isn't a time in milliseconds: write a number up to 86400000, such as 10000"
        ),
        (
            "OTEL_METRIC_EXPORT_INTERVAL", "-1",
            "'-1' isn't a time in milliseconds: write a number up to 86400000, such as 60000"
        ),
        (
            "OTEL_BSP_MAX_QUEUE_SIZE", "0",
            "'0' isn't a whole number from 1 to 1000000000: write one, such as 2048"
        ),
        (
            "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "4096",
            "'4096' is more than the queue takes: write at most 2048, or set OTEL_BLRP_MAX_QUEUE_SIZE"
        ),
        (
            "OTEL_RESOURCE_ATTRIBUTES", "a=1,team",
            "'team' isn't a pair: write key=value, with commas between pairs, and %2C for a comma"
        ),
        (
            "OTEL_EXPORTER_OTLP_HEADERS", "Bearer secret",
            "'Bearer…' isn't a pair: write key=value, with commas between pairs, and %2C for a comma"
        ),
        (
            "OTEL_EXPORTER_OTLP_HEADERS", "opaque-7h3k9x2m",
            "'…' isn't a pair: write key=value, with commas between pairs, and %2C for a comma"
        ),
        (
            "OTEL_EXPORTER_OTLP_HEADERS", "api-key=secret%zz",
            "'api-key…' isn't a pair: write key=value, with commas between pairs, and %2C for a comma"
        ),
        (
            "OTEL_EXPORTER_OTLP_HEADERS", "authorization: Basic YW5uOnNlY3JldDE",
            "'authorization…' isn't a pair: write key=value, with commas between pairs, and %2C for a comma"
        ),
        (
            "OTEL_EXPORTER_OTLP_HEADERS", "authorization: Basic YW5uOnNlY3JldDE=",
            "'authorization…' can't be the name of a header field: write one such as authorization"
        ),
        (
            "OTEL_EXPORTER_OTLP_HEADERS", "a=1%0D%0AX-Admin:%20true",
            "'a' has a value with a control character, which no header field may have"
        ),
        (
            "OTEL_EXPORTER_OTLP_HEADERS", "a b=1",
            "'a…' can't be the name of a header field: write one such as authorization"
        ),
        (
            "OTEL_EXPORTER_OTLP_HEADERS", "Content-Length=5",
            "'Content-Length' is a field that the exporter sends itself: leave it out"
        ),
    ]) func `A mistake says what to write`(name: String, text: String, reason: String) {
        let error = #expect(throws: OTLPSettingsError.self) {
            try settings(Self.endpoint.merging([name: text]) { $1 })
        }
        #expect(error?.lines == ["\(name): \(reason)"])
    }

    @Test func `A control character of a variable never reaches the terminal`() {
        let error = #expect(throws: OTLPSettingsError.self) {
            try settings(Self.endpoint.merging(["OTEL_TRACES_SAMPLER": "a\u{1B}[2J\nb"]) { $1 })
        }
        #expect(error?.lines.first?.hasPrefix("OTEL_TRACES_SAMPLER: 'a\\u{1b}[2J\\nb' is not offered: ") == true)
    }

    @Test func `A missing file of authorities is a mistake`() {
        let error = #expect(throws: OTLPSettingsError.self) {
            try settings(Self.endpoint.merging(["OTEL_EXPORTER_OTLP_CERTIFICATE": "/nowhere.pem"]) { $1 })
        }
        #expect(error?.lines.first?.hasPrefix("OTEL_EXPORTER_OTLP_CERTIFICATE: '/nowhere.pem' can't be used: ") == true)
    }

    @Test(arguments: [
        ("always_on", nil, Sampler(share: 1, followsParent: false)),
        ("always_off", nil, Sampler(share: 0, followsParent: false)),
        ("traceidratio", "0.25", Sampler(share: 0.25, followsParent: false)),
        ("parentbased_traceidratio", "1", Sampler(share: 1, followsParent: true)),
        ("parentbased_traceidratio", nil, Sampler(share: 1, followsParent: true)),
        ("parentbased_always_off", "0.5", Sampler(share: 0, followsParent: true)),
    ]) func `The sampler has OpenTelemetry's names`(name: String, argument: String?, sampler: Sampler) throws {
        var variables = Self.endpoint
        variables["OTEL_TRACES_SAMPLER"] = name
        variables["OTEL_TRACES_SAMPLER_ARG"] = argument
        #expect(try settings(variables)?.sampler == sampler)
    }

    @Test(arguments: ["1.5", "-0.1", "nan", "a half"]) func `A share is from 0 to 1`(argument: String) {
        #expect(throws: OTLPSettingsError.self) {
            try settings(
                Self.endpoint.merging(
                    ["OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": argument]
                ) { $1 }
            )
        }
    }
}
