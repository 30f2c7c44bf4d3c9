#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An event of a stream that a server sends (WHATWG HTML, section 9.2, "Server-sent events").
public struct ServerSentEvent: Sendable, Equatable {
    /// The data: any text; each of its lines goes into a field of its own.
    public let data: String
    /// The event's type, for which clients listen; nil for `message`.
    public let type: String?
    /// The event's id, which a client that lost the connection sends back in `Last-Event-ID`; nil leaves the last one
    /// in place, and an empty one takes it back.
    public let id: String?
    /// How long clients wait before they connect again; nil leaves that as it is.
    public let retry: Duration?

    /// An event with a text.
    public init(_ data: String, type: String? = nil, id: String? = nil, retry: Duration? = nil) {
        self.data = data
        self.type = type
        self.id = id
        self.retry = retry
    }

    /// An event with a value in JSON, written as by `Response.json`.
    ///
    /// - Throws: `EncodingError` for a value that JSON can't hold.
    public init(json value: some Encodable, type: String? = nil, id: String? = nil, retry: Duration? = nil) throws {
        self.init(
            String(decoding: try JSONEncoder.ofResponses.encode(value), as: UTF8.self),
            type: type,
            id: id,
            retry: retry
        )
    }

    /// The event as it goes over the wire.
    ///
    /// - Throws: `EventError` for what no field can hold.
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

    /// A field for each line of a text: CR LF, CR and LF end one.
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

/// An event that can't be written.
public enum EventError: Error, Equatable, CustomStringConvertible {
    /// The type has a line break.
    case type(String)
    /// The id has a line break or a NUL, with which clients ignore it.
    case id(String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .type(let text): "\(text.quoted) can't be an event's type: it takes no line breaks"
        case .id(let text): "\(text.quoted) can't be an event's id: it takes no line breaks and no NUL"
        }
    }
}

extension Request {
    /// The id of the last event that the client has got, where it connects again (`Last-Event-ID`); nil where it
    /// begins.
    public var lastEventID: String? { HTTPField.Name("Last-Event-ID").flatMap { headers[$0] } }
}
