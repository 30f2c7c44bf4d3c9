/// The program that sends the records, described by attributes: `service.name` and others.
struct OTLPResource: Sendable, Equatable {
    var attributes: [String: String]

    /// A request: the resource, and the records of one signal by scope.
    ///
    /// - Parameter scopes: the name of each scope with its records.
    func request(_ signal: OTLPSignal, _ scopes: [String: [OTLPMessage]]) -> OTLPRequest {
        let names = signal.fieldNames
        let known = attributes.sorted { $0.key < $1.key }.map { OTLPMessage.attribute($0.key, $0.value) }
        let groups = scopes.sorted { $0.key < $1.key }.map { name, records -> OTLPMessage in
            [
                OTLPField(1, "scope", .message([OTLPField(1, "name", .string(name))])),
                OTLPField(2, names.records, .messages(records)),
            ]
        }
        let resource: OTLPMessage = [
            OTLPField(1, "resource", .message([OTLPField(1, "attributes", .messages(known))])),
            OTLPField(2, names.scopes, .messages(groups)),
        ]
        return OTLPRequest(
            message: [OTLPField(1, names.resources, .messages([resource]))],
            count: scopes.values.reduce(0) { $0 + $1.count }
        )
    }
}

/// A request of one signal.
struct OTLPRequest {
    let message: OTLPMessage
    /// The number of records in the message.
    let count: Int
}

extension OTLPSignal {
    /// The names that the signals give to the same fields.
    fileprivate var fieldNames: (resources: StaticString, scopes: StaticString, records: StaticString) {
        switch self {
        case .traces: ("resourceSpans", "scopeSpans", "spans")
        case .metrics: ("resourceMetrics", "scopeMetrics", "metrics")
        case .logs: ("resourceLogs", "scopeLogs", "logRecords")
        }
    }
}
