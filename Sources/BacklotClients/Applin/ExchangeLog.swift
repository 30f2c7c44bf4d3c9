public import BacklotJSON
public import HTTPTypes

/// A request that a client made, and what came of it.
public struct RequestRecord: Sendable, Equatable {
    /// The request as it was sent, cookies included.
    public let request: ClientRequest
    /// What it was for, below the app's base URL: `/new_account`.
    public let path: String
    /// Whether the client made it by itself, to refresh a page that polls.
    public let isBackground: Bool
    /// The redirects that were followed.
    public let redirects: [ClientExchange.Redirect]
    /// The answer, or the reason why it is missing.
    public let result: Result<ClientResponse, ClientError>

    /// The method.
    public var method: HTTPRequest.Method { request.method }
    /// The answer; nil when none came.
    public var response: ClientResponse? { try? result.get() }
    /// The status of the answer; nil when none came.
    public var status: Int? { response?.status.code }
    /// The variables in the request's body; nil where it has none.
    public var variables: JSONObject? { (try? JSONValue(parsing: request.body))?.object }
}

extension RequestRecord: CustomStringConvertible {
    /// The method, the path, and the status: `POST /create_account 200`.
    public var description: String {
        switch result {
        case .success(let response): "\(method.rawValue) \(path) \(response.status.code)"
        case .failure(let failure): "\(method.rawValue) \(path): \(failure)"
        }
    }
}

/// The requests that a client has made, as far as it remembers them. A value without I/O.
///
/// It is bounded in number and in bytes: the first ones are forgotten, but the last one never.
struct ExchangeLog: Sendable {
    private let maximumCount: Int
    private let maximumBytes: Int
    private var bytes = 0
    /// The requests, the last one at the end.
    private(set) var records: [RequestRecord] = []

    /// An empty log.
    ///
    /// - Parameters:
    ///   - maximumCount: how many requests are remembered, at least 1.
    ///   - maximumBytes: how many bytes the bodies of requests and answers may have together.
    init(maximumCount: Int = 1000, maximumBytes: Int = 64 * 1024 * 1024) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// Adds a request.
    mutating func append(_ record: RequestRecord) {
        records.append(record)
        bytes += record.bodyBytes
        var first = 0
        while first < records.count - 1, records.count - first > maximumCount || bytes > maximumBytes {
            bytes -= records[first].bodyBytes
            first += 1
        }
        records.removeFirst(first)
    }
}

extension RequestRecord {
    fileprivate var bodyBytes: Int { request.body.count + (response?.body.count ?? 0) }
}
