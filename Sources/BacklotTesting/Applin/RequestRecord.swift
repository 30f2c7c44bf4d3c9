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
    /// The answer, or why there is none.
    public let result: Result<ClientResponse, ClientFailure>

    /// The method.
    public var method: HTTPRequest.Method { request.method }
    /// The answer; nil where there is none.
    public var response: ClientResponse? { try? result.get() }
    /// The status of the answer; nil where there is none.
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
