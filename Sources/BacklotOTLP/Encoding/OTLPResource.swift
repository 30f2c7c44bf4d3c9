internal import Backlot

/// Which program the records are of, as attributes: `service.name` and others.
struct OTLPResource: Sendable, Equatable {
    var attributes: [Attribute]

    /// Writes the parts that a request of every signal has: the resource, and the records by their scope.
    ///
    /// - Parameters:
    ///   - records: the field of a scope's records.
    ///   - scopes: the name of each scope, and its records.
    func write<Encoder: OTLPEncoder & ~Copyable, Record>(
        to encoder: inout Encoder,
        _ fields: OTLPRequestFields,
        _ scopes: [(name: String, records: [Record])],
        _ write: (inout Encoder, Record) -> Void
    ) {
        encoder.messages(fields.resources, [self]) { encoder, resource in
            encoder.message(OTLPField(1, "resource")) { $0.attributes(OTLPField(1, "attributes"), resource.attributes) }
            encoder.messages(fields.scopes, scopes) { encoder, scope in
                encoder.message(OTLPField(1, "scope")) { $0.string(OTLPField(1, "name"), scope.name) }
                encoder.messages(fields.records, scope.records, write)
            }
        }
    }
}

/// The names that the three signals give to the same fields.
struct OTLPRequestFields {
    let resources: OTLPField
    let scopes: OTLPField
    let records: OTLPField

    static let traces = OTLPRequestFields(
        resources: OTLPField(1, "resourceSpans"),
        scopes: OTLPField(2, "scopeSpans"),
        records: OTLPField(2, "spans")
    )
    static let metrics = OTLPRequestFields(
        resources: OTLPField(1, "resourceMetrics"),
        scopes: OTLPField(2, "scopeMetrics"),
        records: OTLPField(2, "metrics")
    )
    static let logs = OTLPRequestFields(
        resources: OTLPField(1, "resourceLogs"),
        scopes: OTLPField(2, "scopeLogs"),
        records: OTLPField(2, "logRecords")
    )
}
