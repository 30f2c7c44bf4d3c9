public import BacklotJSON
public import HTTPTypes

/// A client's request and its result.
public struct RequestRecord: Sendable, Equatable {
    /// The request as sent, including cookies.
    public let request: ClientRequest
    /// The requested path, below the app's base URL: `/new_account`.
    public let path: String
    /// Whether the client sent it in the background, to refresh a page that polls.
    public let isBackground: Bool
    /// The redirects that the client followed.
    public let redirects: [ClientExchange.Redirect]
    /// The response, or the reason why it is missing.
    public let result: Result<ClientResponse, ClientError>

    /// The method.
    public var method: HTTPRequest.Method { request.method }
    /// The response; nil if it didn't arrive.
    public var response: ClientResponse? { try? result.get() }
    /// The status of the response; nil if it didn't arrive.
    public var status: Int? { response?.status.code }
    /// The variables in the request's body; nil without any.
    public var variables: JSONObject? { (try? JSONValue(parsing: request.body))?.object }
}

extension RequestRecord: CustomStringConvertible {
    /// The method, the path and the status: `POST /create_account 200`.
    public var description: String {
        switch result {
        case .success(let response): "\(method.rawValue) \(path) \(response.status.code)"
        case .failure(let failure): "\(method.rawValue) \(path): \(failure)"
        }
    }
}

/// The log of a client's latest requests. A value without I/O.
///
/// It is bounded in number and in bytes: it drops the oldest requests, but always keeps the latest.
struct ExchangeLog: Sendable {
    private let maximumCount: Int
    private let maximumBytes: Int
    private var bytes = 0
    /// The requests, the latest last.
    private(set) var records: [RequestRecord] = []

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - maximumCount: the maximum number of requests, at least 1.
    ///   - maximumBytes: the maximum size of all bodies of requests and responses together, in bytes.
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
