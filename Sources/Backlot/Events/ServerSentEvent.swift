#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An event of a stream that a server sends (WHATWG HTML, section 9.2, "Server-sent events").
///
/// ```swift
/// try await events.send(ServerSentEvent("10 seconds", type: "countdown", id: "7"))
/// ```
public struct ServerSentEvent: Sendable, Equatable {
    /// The data: any text. Each of its lines becomes a separate field.
    public let data: String
    /// The event's type, which clients listen for; nil for `message`.
    public let type: String?
    /// The event's id. A client that reconnects sends its last one back in `Last-Event-ID`. nil keeps the last id, and an empty one
    /// clears it.
    public let id: String?
    /// The time that clients wait before they reconnect; nil leaves it unchanged.
    public let retry: Duration?

    /// Creates an event with a text.
    public init(_ data: String, type: String? = nil, id: String? = nil, retry: Duration? = nil) {
        self.data = data
        self.type = type
        self.id = id
        self.retry = retry
    }

    /// Creates an event with a value as JSON, encoded like `Response.json`.
    ///
    /// - Throws: `EncodingError` for a value that can't be JSON.
    public init(json value: some Encodable, type: String? = nil, id: String? = nil, retry: Duration? = nil) throws {
        self.init(
            String(decoding: try JSONEncoder.ofResponses.encode(value), as: UTF8.self),
            type: type,
            id: id,
            retry: retry
        )
    }

    /// The event as text for the wire.
    ///
    /// - Throws: `EventError` for a value that a field can't hold.
    package func text() throws(EventError) -> String {
        var text = ""
        if let type {
            guard !type.unicodeScalars.contains(where: Self.endsLine) else { throw .type(type) }
            text += "event: \(type)\n"
        }
        if let id {
            guard !id.unicodeScalars.contains(where: { Self.endsLine($0) || $0 == "\0" }) else { throw .id(id) }
            text += "id: \(id)\n"
        }
        if let retry { text += "retry: \(max(0, Int(retry / .milliseconds(1))))\n" }
        return text + Self.field("data", data) + "\n"
    }

    /// A field for each line of a text. CR LF, CR and LF end a line.
    static func field(_ name: String, _ text: String) -> String {
        var lines = ""
        var line = ""
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            if scalar == "\n", isAfterReturn { continue }
            if endsLine(scalar) {
                lines += "\(name): \(line)\n"
                line = ""
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        return lines + "\(name): \(line)\n"
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }
}

/// The error for an event that can't be written.
public enum EventError: Error, Equatable, CustomStringConvertible {
    /// The type has a line break.
    case type(String)
    /// The id has a line break or a NUL, so that clients would ignore it.
    case id(String)

    /// The problem.
    public var description: String {
        switch self {
        case .type(let text): "\(text.quoted) can't be an event's type: it takes no line breaks"
        case .id(let text): "\(text.quoted) can't be an event's id: it takes no line breaks and no NUL"
        }
    }
}

extension Request {
    /// The id of the last event that a reconnecting client received (`Last-Event-ID`); nil for a new client.
    public var lastEventID: String? { HTTPField.Name("Last-Event-ID").flatMap { headers[$0] } }
}
