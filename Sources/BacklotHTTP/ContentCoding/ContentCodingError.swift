package import HTTPTypes

/// Why a request's body could not be decoded. The connection lives on: where the body ends is known all the same.
package enum ContentCodingError: HTTPError, Equatable {
    /// A coding that is not understood (RFC 9110, section 15.5.16).
    case unknown(String)
    /// More codings on top of each other than are taken.
    case tooMany(Int)
    /// The bytes are not what the coding says. The text says what is wrong.
    case malformed(ContentCoding, String)
    /// The body ends in the middle of its compressed data.
    case truncated(ContentCoding)
    /// The body becomes more than so many times as large: it is made to exhaust the server.
    case expandsTooMuch(ratio: Int)
    /// There is no memory for the decoder.
    case noMemory

    /// The status of the refusal.
    package var status: HTTPResponse.Status {
        switch self {
        case .unknown, .tooMany: .unsupportedMediaType
        case .malformed, .truncated: .badRequest
        case .expandsTooMuch: .contentTooLarge
        case .noMemory: .serviceUnavailable
        }
    }

    /// One line for the client.
    package var reason: String {
        switch self {
        case .unknown(let name):
            "the content coding '\(name.prefix(40))' is not understood here; understood: \(ContentCoding.list)"
        case .tooMany(let count):
            "\(count) content codings on top of each other; at most \(ContentEncoding.most) are taken"
        case .malformed(let coding, let what): "the body is not \(coding): \(what)"
        case .truncated(let coding): "the body ends before its \(coding) data does"
        case .expandsTooMuch(let ratio): "the body becomes more than \(ratio) times as large when it is decoded"
        case .noMemory: "there is no memory left to decode the body"
        }
    }

    /// What would be understood, where something wasn't (RFC 9110, section 12.5.3).
    package var headers: HTTPFields {
        switch self {
        case .unknown, .tooMany: [.acceptEncoding: ContentCoding.list]
        case .malformed, .truncated, .expandsTooMuch, .noMemory: [:]
        }
    }
}
