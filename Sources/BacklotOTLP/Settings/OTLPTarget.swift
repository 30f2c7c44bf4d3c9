internal import BacklotHTTP
internal import HTTPTypes

/// A kind of telemetry that is sent separately: spans, metrics or logs.
enum OTLPSignal: String, Sendable {
    case traces
    case metrics
    case logs

    /// Its records, for people.
    var records: String { self == .traces ? "spans" : rawValue }

    /// The name in variables: `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`.
    fileprivate var variable: String { rawValue.uppercased() }
}

/// The destination of one signal, with its options.
struct OTLPTarget: Sendable {
    let origin: Origin
    /// The path and the query.
    let path: String
    let headers: HTTPFields
    let format: OTLPFormat
    let timeout: Duration
    let compresses: Bool
    let connector: TLSConnector

    var url: String { "\(origin)\(path)" }

    /// The target from the variables; nil if the signal isn't sent.
    init?(_ signal: OTLPSignal, _ variables: inout OTLPVariables) {
        let common = "OTEL_EXPORTER_OTLP_"
        let own = "\(common)\(signal.variable)_"
        let ownEndpoint = variables.text("\(own)ENDPOINT")
        guard let (name, text) = ownEndpoint ?? variables.text("\(common)ENDPOINT"),
            variables.choice(["otlp", "none"], "OTEL_\(signal.variable)_EXPORTER") != "none",
            let origin = Self.origin(name, text, &variables)
        else { return nil }
        self.origin = origin
        let ownPath = origin.basePath.isEmpty ? "/" : origin.basePath
        path = ownEndpoint == nil ? "\(origin.basePath)/v1/\(signal.rawValue)" : ownPath
        let fields = variables.text("\(own)HEADERS") == nil ? "\(common)HEADERS" : "\(own)HEADERS"
        headers = variables.headers(fields)
        let formats = OTLPFormat.allCases.map(\.rawValue)
        format = variables.choice(formats, "\(own)PROTOCOL", "\(common)PROTOCOL").flatMap(OTLPFormat.init) ?? .protobuf
        timeout = variables.milliseconds("\(own)TIMEOUT", "\(common)TIMEOUT", else: .seconds(10))
        compresses = variables.choice(["gzip", "none"], "\(own)COMPRESSION", "\(common)COMPRESSION") == "gzip"
        guard let (name, file) = variables.text("\(own)CERTIFICATE", "\(common)CERTIFICATE") else {
            connector = .trusting(.system)
            return
        }
        do throws(TLSError) {
            connector = .trusting(.only(try TLSTrust(.file(file))))
        } catch {
            variables.refuse(name, file, "can't be used: \(error.reason)")
            return nil
        }
    }

    private static func origin(_ name: String, _ text: String, _ variables: inout OTLPVariables) -> Origin? {
        if let origin = Origin(text) { return origin }
        let hint =
            text.contains("://") || Origin("http://\(text)") == nil
            ? "write one such as http://127.0.0.1:4318" : "write http://\(text)"
        variables.refuse(name, text, "isn't an http or https URL: \(hint)")
        return nil
    }
}
