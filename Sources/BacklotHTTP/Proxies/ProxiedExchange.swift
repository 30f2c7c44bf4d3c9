package import HTTPTypes

/// A request that went through a reverse proxy, and what came of it.
///
/// Bodies are as they went over the wire, content codings included, free of the framing.
package struct ProxiedExchange: Sendable {
    /// The method.
    package var method: HTTPRequest.Method
    /// The path and the query below the backend's base path, percent-encoded as the client sent them.
    package var target: String
    private var sentHeaders: MessageFields
    /// About how many bytes the header fields of both have.
    package var headSize: Int { sentHeaders.size + answeredHeaders.size }
    /// The header fields that the client sent.
    package var requestHeaders: HTTPFields {
        get { sentHeaders.fields }
        set { sentHeaders = .made(newValue) }
    }
    /// The body that the client sent; nil where it, with the others that are kept at the time, is larger than is kept, or
    /// not all of it was read.
    package var requestBody: [UInt8]?
    /// The status that the client got: the backend's, or the proxy's where the backend gave none.
    package var status: HTTPResponse.Status
    /// The header fields that the client got, those left out that every sender writes itself (`Content-Length` and what is
    /// about one connection), and the proxy's `Via`.
    package var responseHeaders: HTTPFields {
        get { answeredHeaders.fields }
        set { answeredHeaders = .made(newValue) }
    }
    private var answeredHeaders: MessageFields
    /// The body that the client got; nil where it, with the others that are kept at the time, is larger than is kept, or
    /// not all of it came.
    package var responseBody: [UInt8]?
    /// When the proxy began with it.
    package var began: ContinuousClock.Instant
    /// From then to the end of the answer's body.
    package var duration: Duration
    /// Why the backend's answer isn't there, or not whole; nil where it is.
    package var failure: ClientFault?

    package init(
        method: HTTPRequest.Method,
        target: String,
        requestHeaders: HTTPFields,
        requestBody: [UInt8]?,
        status: HTTPResponse.Status,
        responseHeaders: HTTPFields,
        responseBody: [UInt8]?,
        began: ContinuousClock.Instant,
        duration: Duration,
        failure: ClientFault? = nil
    ) {
        self.init(
            method: method,
            target: target,
            sent: .made(requestHeaders),
            requestBody: requestBody,
            status: status,
            answered: .made(responseHeaders),
            responseBody: responseBody,
            began: began,
            duration: duration,
            failure: failure
        )
    }

    /// An exchange whose header fields are made when they are asked for.
    init(
        method: HTTPRequest.Method,
        target: String,
        sent: MessageFields,
        requestBody: [UInt8]?,
        status: HTTPResponse.Status,
        answered: MessageFields,
        responseBody: [UInt8]?,
        began: ContinuousClock.Instant,
        duration: Duration,
        failure: ClientFault?
    ) {
        self.method = method
        self.target = target
        sentHeaders = sent
        self.requestBody = requestBody
        self.status = status
        answeredHeaders = answered
        self.responseBody = responseBody
        self.began = began
        self.duration = duration
        self.failure = failure
    }
}

/// The header fields of a message, made of the bytes that were sent when they are asked for.
enum MessageFields {
    case made(HTTPFields)
    case sent(RequestHeaders)
    case passed(FieldList)

    /// About how many bytes they have.
    var size: Int {
        switch self {
        case .made(let fields): fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        case .sent(let headers): headers.size
        case .passed(let list): list.bytes.count
        }
    }

    var fields: HTTPFields {
        switch self {
        case .made(let fields): return fields
        case .sent(let headers): return HTTPFields(headers)
        case .passed(let list):
            var fields = HTTPFields(list)
            fields[.contentLength] = nil
            return fields
        }
    }
}

extension HTTPFields {
    /// The fields of a request.
    init(_ headers: RequestHeaders) {
        self.init()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}
