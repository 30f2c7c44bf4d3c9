import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Why a command is refused, in the form that WireMock gives its errors.
struct AdminProblem: Error, Equatable {
    let status: HTTPResponse.Status
    /// What is wrong, in a few words.
    let title: String
    /// What is wrong, where, and what to do.
    let detail: String
    /// The place in the body, as a JSON pointer (RFC 6901); nil where there is none.
    var pointer: String?

    init(_ status: HTTPResponse.Status, _ title: String, _ detail: String, pointer: String? = nil) {
        self.status = status
        self.title = title
        self.detail = detail
        self.pointer = pointer
    }

    /// What is wrong in a stub or a pattern: 422.
    init(_ problem: StubProblem) {
        let pointer = problem.path.reduce(into: "") { pointer, step in
            switch step {
            case .key(let key): pointer += "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
            case .index(let index): pointer += "/\(index)"
            }
        }
        self.init(.unprocessableContent, problem.text, problem.description, pointer: pointer.isEmpty ? nil : pointer)
    }

    /// A value of the body that can't be: 422.
    static func value(_ key: String, _ text: String) -> AdminProblem {
        AdminProblem(StubProblem(text, at: [.key(key)]))
    }

    /// There is nothing of that name: 404.
    static func notFound(_ what: String) -> AdminProblem {
        AdminProblem(.notFound, "Not found", "there is no \(what)")
    }

    var response: Response {
        var error: JSONObject = ["code": 10]
        if let pointer { error["source"] = ["pointer": .string(pointer)] }
        error["title"] = .string(title)
        error["detail"] = .string(detail)
        return .json(["errors": .array([.object(error)])], status: status)
    }
}

extension Response {
    /// An answer of JSON.
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: [.contentType: "application/json"], body: .bytes(value.bytes))
    }

    /// That all is done: an empty object, because some clients parse whatever comes.
    static var done: Response { .json([:]) }
}
