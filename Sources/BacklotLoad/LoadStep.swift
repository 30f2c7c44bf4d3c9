package import BacklotClients
public import HTTPTypes

/// A step of a flow: something a person does with a phone, or a plain request.
public struct LoadStep: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case step(ClientStep)
        case wander
        case request(LoadRequest)
    }

    package let kind: Kind

    package init(_ kind: Kind) { self.kind = kind }

    /// Converts a step of a headless client. Fields are named by their variables, since labels may repeat.
    package init(_ step: ClientStep) {
        switch step {
        case .enter(let text, let field, let variable):
            self = .enter(text, into: variable.isEmpty ? field : variable)
        case .wait(let duration): self = .wait(duration)
        default: kind = .step(step)
        }
    }

    /// Starts the app with its first page, or with another page.
    public static func launch(at path: String? = nil) -> LoadStep { LoadStep(.step(.launch(path))) }
    /// Replaces the stack with another page, as a link into the running app does.
    public static func open(at path: String) -> LoadStep { LoadStep(.step(.open(path))) }
    /// Ends the app and starts it again.
    public static func relaunch(keepsStack: Bool = true) -> LoadStep {
        LoadStep(.step(.relaunch(keepsStack: keepsStack)))
    }
    /// Taps a button by its text; if several have that text, the one with this number, from 1.
    public static func tap(_ label: String, number: Int? = nil) -> LoadStep {
        LoadStep(.step(.tap(label, number: number)))
    }
    /// Taps the button at the start of the title bar.
    public static var back: LoadStep { LoadStep(.step(.back)) }
    /// Pulls the page down to refresh it.
    public static var pullToRefresh: LoadStep { LoadStep(.step(.pullToRefresh)) }
    /// Checks a checkbox, chosen by its label or variable.
    public static func check(_ name: String) -> LoadStep { LoadStep(.step(.check(name))) }
    /// Unchecks a checkbox, chosen by its label or variable.
    public static func uncheck(_ name: String) -> LoadStep { LoadStep(.step(.uncheck(name))) }
    /// Types a text into a field, chosen by its label or variable.
    public static func enter(_ text: String, into field: String) -> LoadStep {
        LoadStep(.step(.enter(text, into: field, variable: field)))
    }
    /// Chooses an option of a selector, which is named by its label or variable.
    public static func choose(_ option: String, from selector: String) -> LoadStep {
        LoadStep(.step(.choose(option, from: selector)))
    }
    /// Sends a photo of one pixel when the app asks for a photo.
    public static var uploadPhoto: LoadStep { LoadStep(.step(.uploadPhoto)) }
    /// Declines to take a photo when the app asks for one.
    public static var cancelPhoto: LoadStep { LoadStep(.step(.cancelPhoto)) }
    /// Goes to a random page that the visible page links to, or to one below it on the stack. Calls no rpcs.
    public static var wander: LoadStep { LoadStep(.wander) }
    /// Sends a request, as a client of any protocol.
    public static func request(_ request: LoadRequest) -> LoadStep { LoadStep(.request(request)) }
    /// Sets the time from the beginning of the step before it to the beginning of the next, instead of the think time: from a
    /// millisecond to a day.
    public static func wait(_ duration: Duration) -> LoadStep {
        LoadStep(.step(.wait(max(.milliseconds(1), min(duration, .seconds(86_400))))))
    }

    /// Whether the step only fills in a form, so that the next step follows without think time.
    var isEntry: Bool {
        if case .step(let step) = kind { step.isEntry } else { false }
    }

    var isWait: Bool { if case .step(.wait) = kind { true } else { false } }

    /// Whether the step launches an app, which the steps after it need.
    var isLaunch: Bool { if case .step(.launch) = kind { true } else { false } }
    var needsApp: Bool {
        switch kind {
        case .step, .wander: !isWait
        case .request: false
        }
    }

    /// Returns the step with its texts replaced.
    func mapTexts(_ map: (String) -> String) -> LoadStep {
        switch kind {
        case .step(.launch(let path)): .launch(at: path.map(map))
        case .step(.open(let path)): .open(at: map(path))
        case .step(.tap(let label, let number)): .tap(map(label), number: number)
        case .step(.check(let name)): .check(map(name))
        case .step(.uncheck(let name)): .uncheck(map(name))
        case .step(.enter(let text, let field, _)): .enter(map(text), into: map(field))
        case .step(.choose(let option, let selector)): .choose(map(option), from: map(selector))
        case .request(var request): .request(request.mapTexts(map))
        default: self
        }
    }
}

extension LoadStep: CustomStringConvertible {
    /// The step's name in the report: `tap "New Account"`.
    public var description: String {
        switch kind {
        case .wander: "wander"
        case .request(let request): "\(request.method) \(request.path.cut(to: 100))"
        case .step(let step): step.name
        }
    }
}

extension ClientStep {
    fileprivate var name: String {
        switch self {
        case .launch(let path): "launch\(path.map { " \($0.cut(to: 100))" } ?? "")"
        case .open(let path): "open \(path.cut(to: 100))"
        case .relaunch: "relaunch"
        case .tap(let label, let number): "tap \"\(label.cut(to: 100))\"\(number.map { " #\($0)" } ?? "")"
        case .back: "back"
        case .pullToRefresh: "pull to refresh"
        case .check(let name): "check \"\(name.cut(to: 100))\""
        case .uncheck(let name): "uncheck \"\(name.cut(to: 100))\""
        case .enter(_, let field, _): "enter into \"\(field.cut(to: 100))\""
        case .choose(_, let selector): "choose from \"\(selector.cut(to: 100))\""
        case .uploadPhoto: "upload photo"
        case .cancelPhoto: "cancel photo"
        case .forgetCookies: "forget cookies"
        case .wait(let duration): "wait \(duration)"
        }
    }
}

/// A plain request of a flow, sent without an app.
public struct LoadRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The path and the query, from the server's root.
    public var path: String
    /// The header fields. Cookies of earlier responses are added when the request is sent.
    public var headers: HTTPFields
    /// The body.
    public var body: [UInt8]

    /// Creates a request.
    public init(
        _ method: HTTPRequest.Method = .get,
        _ path: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) {
        (self.method, self.path, self.headers, self.body) = (method, path, headers, body)
    }

    /// The request that follows a redirect, for another path.
    ///
    /// - Parameter code: the status of the redirect.
    func redirected(by code: Int) -> LoadRequest {
        guard method.becomesGet(after: code) else { return self }
        var next = LoadRequest(.get, path, headers: headers)
        next.headers[.contentType] = nil
        return next
    }

    fileprivate mutating func mapTexts(_ map: (String) -> String) -> LoadRequest {
        var copy = self
        copy.path = map(path)
        if body.contains(UInt8(ascii: "{")) { copy.body = Array(map(String(decoding: body, as: UTF8.self)).utf8) }
        return copy
    }
}
