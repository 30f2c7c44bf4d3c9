#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where answers are kept for retries.
public protocol IdempotencyStore: Sendable {
    /// Begins a request under an id, unless there is one; of two that begin at once, one gets `begun`.
    ///
    /// - Parameters:
    ///   - id: the client and its key, as hexadecimal digits.
    ///   - fingerprint: tells the request from others, as hexadecimal digits.
    ///   - lifetime: how long the request is remembered.
    /// - Throws: where the store can't be reached, or is full.
    func begin(_ id: String, fingerprint: String, lifetime: Duration) async throws -> IdempotencyState

    /// Keeps the answer to a request that was begun.
    ///
    /// - Parameter answer: the answer; nil for one that can't be kept.
    func finish(_ id: String, with answer: KeptAnswer?, lifetime: Duration) async throws

    /// Forgets a request that was begun: it may begin again.
    func abandon(_ id: String) async throws
}

/// What a store knows of a request.
public enum IdempotencyState: Sendable, Equatable {
    /// Nothing: it begins now.
    case begun
    /// It is being carried out.
    case underWay(fingerprint: String)
    /// It was carried out; the answer is nil where it couldn't be kept.
    case done(fingerprint: String, KeptAnswer?)

    var fingerprint: String? {
        switch self {
        case .begun: nil
        case .underWay(let fingerprint), .done(let fingerprint, _): fingerprint
        }
    }
}

/// An answer that is given again.
public struct KeptAnswer: Sendable, Equatable {
    /// The status.
    public let status: Int
    /// The names and values of the header fields, in turn.
    public let fields: [String]
    /// The body.
    public let body: [UInt8]

    /// Keeps an answer; nil for one whose body isn't there in bytes, or is too large.
    init?(_ response: Response, upTo limit: Int) {
        switch response.body {
        case .empty: body = []
        case .bytes(let bytes): body = bytes
        case .file, .stream, .fault: return nil
        }
        guard body.count <= limit else { return nil }
        status = response.status.code
        fields = response.headers.flatMap { [$0.name.rawName, $0.value] }
    }

    /// The answer.
    var response: Response {
        var headers = HTTPFields()
        for index in stride(from: 0, to: fields.count - 1, by: 2) {
            guard let name = HTTPField.Name(fields[index]) else { continue }
            headers.append(HTTPField(name: name, value: fields[index + 1]))
        }
        return Response(status: .standard(status), headers: headers, body: body.isEmpty ? .empty : .bytes(body))
    }

    /// About how many bytes it takes in memory.
    package var size: Int { fields.reduce(body.count + 200) { $0 + $1.utf8.count + 32 } }
}

extension KeptAnswer: Codable {
    private enum CodingKeys: CodingKey { case status, fields, body }

    /// Reads an answer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(Int.self, forKey: .status)
        fields = try container.decode([String].self, forKey: .fields)
        body = Array(try container.decode(Data.self, forKey: .body))
    }

    /// Writes the answer, its body as `Data`: in JSON that is base64.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(status, forKey: .status)
        try container.encode(fields, forKey: .fields)
        try container.encode(Data(body), forKey: .body)
    }
}
