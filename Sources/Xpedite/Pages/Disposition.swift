import Backlot

/// The time that a client keeps a page. It shows the kept page when it can't reach the server.
///
/// Source: Xpedite API reference, disposition.
public enum Disposition: Sendable, Equatable {
    /// Until the app's version changes.
    case permanent
    /// For a time, in whole seconds, at least 1.
    case expiry(Duration)

    func encode(into writer: inout JSONWriter) {
        switch self {
        case .permanent: writer.value(literal: "permanent")
        case .expiry(let life):
            writer.object(startingWith: "type", "expiry") { $0.field("seconds", life.wholeSeconds) }
        }
    }
}

extension Disposition {
    static let vocabulary = Kind(
        "disposition",
        as: [.disposition],
        "The time that a client keeps a page.",
        keys: [
            .required(
                "type",
                .names(["expiry": "For a number of seconds."]),
                "How the time is given.",
                rule: "malformed-disposition"
            ),
            .required("seconds", .integer(1...Int64.max), "The seconds.", rule: "seconds-not-positive"),
        ]
    )
}

extension Role {
    static let disposition = Role("disposition", hasStep: false)
}

extension ValueType {
    static let disposition = either([
        .object(.disposition), .names(["permanent": "Until the app's version changes."]),
    ])
}
