public import BacklotHTTP
import BacklotJSON
public import HTTPTypes

/// How a stub answers.
public struct StubResponse: Sendable {
    /// A header field, whose value may have tags.
    struct Header: Sendable {
        let name: HTTPField.Name
        let value: Template
    }

    /// The status.
    public internal(set) var status: HTTPResponse.Status = .ok
    var headers: [Header] = []
    var body = StubBody.none
    /// How long it is kept back.
    var delay = ResponseDelay.none
    /// Whether its body comes in pieces; nil for all at once.
    var dribble: ResponseDribble?
    /// How the connection misbehaves instead; nil for well.
    public internal(set) var fault: ConnectionFault?
    /// Where the request is sent on to, and how; nil for nowhere.
    var forwarding: ResponseForwarding?
    /// Where the request is sent on to; nil for nowhere, and where the request decides.
    package var proxy: Origin? { forwarding?.proxy }
    /// Whether its body has tags.
    package var bodyHasTags: Bool { body.template != nil }
    /// Whether its body is in a file whose name has tags.
    package var fileNameHasTags: Bool { body.isFile }
    /// Whether another backend is asked.
    package var isForwarded: Bool { forwarding != nil }
    /// The values of the tags `parameters`.
    var parameters: JSONValue?
    /// The app that answers instead, for a route of files that make up an app.
    var app: (any Handler)?
    /// What it has to do with the client's session.
    public internal(set) var session = StubSession.untouched
    /// Whether a client that posts a body posts its variables: a JSON object.
    var takesVariables = false

    /// An answer: 200 without a body.
    init() {}

    /// Whether it takes the client's session to answer.
    var needsSession: Bool {
        session.isNeeded || body.usesSession || headers.contains { $0.value.usesSession }
    }

    /// Whether it can be made without waiting for anything.
    var isImmediate: Bool {
        delay == .none && dribble == nil && forwarding == nil && app == nil && !body.isFile && !needsSession
    }

    /// The header fields that don't depend on the request; nil where one does.
    var constantHeaders: HTTPFields? {
        var fields = HTTPFields()
        for header in headers {
            guard let text = header.value.constant else { return nil }
            fields.append(HTTPField(name: header.name, value: text))
        }
        return fields
    }

    /// The header fields of the answer to one request.
    func headers(_ context: TemplateContext, limit: Int) throws(TemplateTooLarge) -> HTTPFields {
        var filledIn = HTTPFields()
        var left = limit
        for header in headers {
            let filled = try header.value.text(context, limit: left)
            left -= filled.utf8.count
            // A value of a request may hold what no field can.
            let text = filled.filter { !$0.isNewline && $0 != "\0" }
            if HTTPField.isValidValue(text) { filledIn.append(HTTPField(name: header.name, value: text)) }
        }
        return filledIn
    }
}

extension [StubResponse.Header] {
    /// The fields for one request; those whose values can't be sent are left out.
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

/// A body in a file whose name depends on the request.
struct StubBodyFile: Sendable {
    let name: Template
    /// How the file's tags are read.
    let tags: TemplateDialect?

    /// The body for one request. It blocks.
    ///
    /// - Parameter isJSON: whether values are written so that the body stays JSON, whatever the file's name.
    /// - Throws: `StubError` where there is no such file, or its tags can't be read; `TemplateTooLarge`.
    func bytes(_ context: TemplateContext, isJSON: Bool, in folder: RoutesFolder?, limit: Int) throws -> [UInt8] {
        var reader = MockReader(isForeign: false)
        reader.folder = folder
        let file = LocatedValue(.string(try name.text(context, limit: limit)))
        let bytes = try reader.bodyFile(file)
        guard case .template(let template) = try file.fileBody(bytes, isJSON: isJSON, tags) else { return bytes }
        return try template.bytes(context, limit: limit)
    }
}

/// The body of an answer.
enum StubBody: Sendable {
    case none
    case bytes([UInt8])
    case template(Template)
    case file(StubBodyFile)

    var template: Template? { if case .template(let template) = self { template } else { nil } }

    /// Whether it takes a file to answer.
    var isFile: Bool { if case .file = self { true } else { false } }

    var usesSession: Bool {
        if case .file(let file) = self { file.name.usesSession } else { template?.usesSession == true }
    }
}

/// What an answer has to do with the client's session.
public struct StubSession: Sendable {
    /// Whether only logged-in users get the answer: others get 403.
    public var requiresLogin = false
    /// What others read; nil for the usual text.
    public var text: String?
    /// The name of the user whom the answer logs in; nil to log nobody in.
    var logIn: Template?
    /// Whether the session is ended by it.
    public var logOut = false

    /// Nothing.
    static let untouched = StubSession()

    var isNeeded: Bool { requiresLogin || logIn != nil || logOut }
}
