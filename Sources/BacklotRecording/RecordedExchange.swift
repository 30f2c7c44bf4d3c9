import BacklotHTTP
import BacklotMocks
package import HTTPTypes

/// A request to a real backend, and its answer.
package struct RecordedExchange: Sendable {
    /// The method.
    package var method: HTTPRequest.Method
    /// The path and the query as they were sent, below the backend's base URL; it begins with a slash.
    package var url: String
    /// The request's header fields.
    package var requestHeaders: HTTPFields
    /// The request's body, without a content coding.
    package var requestBody: [UInt8]
    /// The status of the answer.
    package var status: Int
    /// The answer's header fields.
    package var responseHeaders: HTTPFields
    /// The answer's body, without a content coding.
    package var responseBody: [UInt8]
    /// When the request was sent, since the recording's start.
    package var began: Duration
    /// How long the answer took.
    package var duration: Duration
    /// What tells one client from the others; nil where only cookies and credentials do.
    package var client: String?

    /// An exchange.
    package init(
        _ method: HTTPRequest.Method,
        _ url: String,
        requestHeaders: HTTPFields = [:],
        requestBody: [UInt8] = [],
        status: Int = 200,
        responseHeaders: HTTPFields = [:],
        responseBody: [UInt8] = [],
        began: Duration = .zero,
        duration: Duration = .zero,
        client: String? = nil
    ) {
        self.method = method
        self.url = url
        self.requestHeaders = requestHeaders
        self.requestBody = requestBody
        self.status = status
        self.responseHeaders = responseHeaders
        self.responseBody = responseBody
        self.began = began
        self.duration = duration
        self.client = client
    }

    /// The path, percent-encoded.
    package var path: Substring { url.prefix { $0 != "?" } }

    /// What follows the question mark; nil without one.
    var query: Substring? {
        url.firstIndex(of: "?").map { url[url.index(after: $0)...] }
    }

    /// The media type of the request's body, in lower case and without parameters; empty without one.
    package var requestType: String { Self.mediaType(requestHeaders[.contentType]) }

    /// The media type of the answer's body, in lower case and without parameters; empty without one.
    package var responseType: String { Self.mediaType(responseHeaders[.contentType]) }

    private static func mediaType(_ value: String?) -> String {
        (value ?? "").prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }

    /// Method and path, for reports.
    package var title: String { "\(method.rawValue) \(path)" }
}

/// Why an exchange isn't used.
struct SkippedExchange: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension RecordedExchange {
    /// Lets a redirect within the backend lead to the mocks.
    mutating func makeLocationRelative(to host: String, below basePath: String) {
        guard let location = responseHeaders[.location], let url = HARURL(location), url.host == host.lowercased(),
            let target = url.target(below: basePath)
        else { return }
        responseHeaders[.location] = target
    }
}

extension RecordedExchange {
    /// What a journal has of a request and its answer, without credentials; nil where the answer was a fault.
    ///
    /// - Parameter start: when the first of the journal was answered, in milliseconds since 1970.
    init?(_ entry: JournalEntry, since start: Int64) {
        if case .fault = entry.response.body { return nil }
        self.init(whole: entry, since: start)
        client = requestHeaders[.authorization]
        requestHeaders[.authorization] = nil
    }

    /// The same with credentials, and of faults, too.
    init(whole entry: JournalEntry, since start: Int64 = 0) {
        var headers = HTTPFields()
        for field in entry.request.headers {
            guard let name = HTTPField.Name(field.name) else { continue }
            headers.append(HTTPField(name: name, value: field.value))
        }
        self.init(
            entry.request.method,
            entry.request.url,
            requestHeaders: headers,
            requestBody: entry.request.body,
            status: entry.response.status.code,
            responseHeaders: entry.response.headers,
            responseBody: entry.responseBody,
            began: .milliseconds(entry.time - start) - entry.duration,
            duration: entry.duration
        )
    }
}
