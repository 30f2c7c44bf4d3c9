import Backlot
public import BacklotHTTP
import BacklotJSON
public import HTTPTypes

/// The response of a stub.
public struct StubResponse: Sendable {
    /// A header field with a value that may have tags.
    struct Header: Sendable {
        let name: HTTPField.Name
        let value: Template
    }

    /// The status.
    public internal(set) var status: HTTPResponse.Status = .ok
    var headers: [Header] = []
    var body = StubBody.none
    /// Its delay.
    var delay = ResponseDelay.none
    /// Whether its body comes in pieces; nil for all at once.
    var dribble: ResponseDribble?
    /// The steps of a stream; nil for an ordinary response.
    var stream: StreamScript?
    /// The fault of the connection instead of a response; nil for none.
    public internal(set) var fault: ConnectionFault?
    /// The forwarding of the request; nil for none.
    var forwarding: ResponseForwarding?
    /// The target of forwarding; nil without forwarding, and if it depends on the request.
    package var proxy: Origin? { forwarding?.proxy }
    /// Whether its body has tags.
    package var bodyHasTags: Bool { body.template != nil }
    /// Whether its body is in a file with tags in its name.
    package var fileNameHasTags: Bool { body.isFile }
    /// Whether the request is forwarded to another backend.
    package var isForwarded: Bool { forwarding != nil }
    /// The values of the tags `parameters`.
    var parameters: JSONValue?
    /// The app that responds instead, for a route of an app's files.
    var app: (any Handler)?
    /// The effect of the response on the client's session.
    public internal(set) var session = StubSession.untouched
    /// Whether a client that posts a body posts its variables: a JSON object.
    var takesVariables = false

    /// A response: 200 without a body.
    init() {}

    /// Whether it needs the client's session.
    var needsSession: Bool {
        session.isNeeded || body.usesSession || headers.contains { $0.value.usesSession }
    }

    /// Whether it can be made without waiting.
    var isImmediate: Bool {
        delay == .none && dribble == nil && forwarding == nil && app == nil && !body.isFile && !needsSession
    }

    /// The header fields that don't depend on the request; nil if one does.
    var constantHeaders: HTTPFields? {
        var fields = HTTPFields()
        for header in headers {
            guard let text = header.value.constant else { return nil }
            fields.append(HTTPField(name: header.name, value: text))
        }
        return fields
    }

    /// The header fields of the response to one request.
    func headers(_ context: TemplateContext, limit: Int) throws(TemplateTooLarge) -> HTTPFields {
        var filledIn = HTTPFields()
        var left = limit
        for header in headers {
            let filled = try header.value.text(context, limit: left)
            left -= filled.utf8.count
            // A value from the request may have characters that fields can't have.
            let text = filled.filter { !$0.isNewline && $0 != "\0" }
            if HTTPField.isValidValue(text) { filledIn.append(HTTPField(name: header.name, value: text)) }
        }
        return filledIn
    }
}

extension [StubResponse.Header] {
    /// The fields for one request, without those with values that can't be sent.
    func filled(_ context: TemplateContext, limit: Int) -> HTTPFields {
        reduce(into: HTTPFields()) { fields, header in
            guard let text = try? header.value.text(context, limit: limit), HTTPField.isValidValue(text) else { return }
            fields.append(HTTPField(name: header.name, value: text))
        }
    }

    /// Whether they say that the body is JSON.
    var holdJSON: Bool {
        contains { $0.name == .contentType && $0.value.constant?.contains("json") == true }
    }
}

extension HTTPFields {
    /// The value of the session cookie that they set, the first of several; nil without such a cookie.
    var newSession: String? {
        for value in self[values: .setCookie] where value.hasPrefix("session=") {
            let id = value.dropFirst("session=".count).prefix { $0 != ";" }
            if !id.isEmpty { return String(id) }
        }
        return nil
    }
}

/// A body in a file with a name that depends on the request.
struct StubBodyFile: Sendable {
    let name: Template
    /// The dialect of the file's tags.
    let tags: TemplateDialect?

    /// The body for one request. It blocks.
    ///
    /// - Parameter isJSON: whether to write values so that the body stays JSON, regardless of the file's name.
    /// - Throws: `StubError` if the file doesn't exist, or its tags can't be read; `TemplateTooLarge`.
    func bytes(_ context: TemplateContext, isJSON: Bool, in folder: RoutesFolder?, limit: Int) throws -> [UInt8] {
        var reader = MockReader(isForeign: false)
        reader.folder = folder
        let file = LocatedValue(.string(try name.text(context, limit: limit)))
        let bytes = try reader.bodyFile(file)
        guard case .template(let template) = try file.fileBody(bytes, isJSON: isJSON, tags) else { return bytes }
        return try template.bytes(context, limit: limit)
    }
}

/// The body of a response.
enum StubBody: Sendable {
    case none
    case bytes([UInt8])
    case template(Template)
    case file(StubBodyFile)

    var template: Template? { if case .template(let template) = self { template } else { nil } }

    var isNone: Bool { if case .none = self { true } else { false } }
    /// Whether it needs a file.
    var isFile: Bool { if case .file = self { true } else { false } }

    var usesSession: Bool {
        if case .file(let file) = self { file.name.usesSession } else { template?.usesSession == true }
    }
}

/// The effect of a response on the client's session.
public struct StubSession: Sendable {
    /// Whether only logged-in users get the response.
    public var requiresLogin = false
    /// The text for other users; nil for the usual text.
    public var text: String?
    /// The status of the problem document for other users; nil for 403 with a plain text.
    public var refusalStatus: Int?
    /// The name of the user to log in; nil to log nobody in.
    var logIn: Template?
    /// Whether it ends the session.
    public var logsOut = false

    /// No effect.
    static let untouched = StubSession()

    var isNeeded: Bool { requiresLogin || logIn != nil || logsOut }

    static let loginKey = Key.optional(
        "requiresLogin",
        .either([.bool, .string, .integer(400...499)]),
        "Whether a user must be logged in. For others, a text is that of the 403 response, and a number such as 401 the status of a problem "
            + "document.",
        default: false
    )

    /// The response to a user who isn't logged in; nil for one who may go on.
    func refusal(of user: String?, _ usualText: String) -> Response? {
        guard requiresLogin, user == nil else { return nil }
        guard let refusalStatus else { return Response(StatusError(.forbidden, text ?? usualText)) }
        var response = ProblemDetails(HTTPResponse.Status(code: refusalStatus), usualText).response
        // RFC 9110, section 15.5.2: it says how to do better.
        if refusalStatus == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }
}
