import Backlot

/// A method's answer.
enum MethodResponse: Sendable {
    case page(Page)
    /// - components: what goes out beside the rows, which clients show alone.
    case rows([JSONObject], max: Int?, components: [JSONValue]? = nil)
}

/// A method that clients may call.
struct RegisteredMethod: Sendable {
    /// Whether it answers with the rows of a table, which don't depend on earlier answers.
    var isTable = false
    /// What calls must pass before anything else is done for them, outermost first.
    var guards: [any CallGuard] = []
    var response: @Sendable (Call) async throws -> MethodResponse
    /// The problems of a form's values that the app finds, by the names of their fields, besides values that are known to be wrong.
    var problems: (@Sendable (Call, _ wrong: Set<String>) async throws -> [String: String])?
}

extension Call {
    /// The values that have another type than the app asks for, and what `check` says about the others.
    func problems<Input: Decodable & Sendable>(
        in type: Input.Type,
        form: String?,
        selected field: String?,
        besides wrong: Set<String>,
        _ check: @Sendable (Input, Call) async throws -> FormErrors
    ) async throws -> [String: String] {
        var problems: [String: String] = [:]
        var leftOut = wrong
        while true {
            do {
                let values = try decode(type, form: form, selected: field, leavingOut: leftOut)
                return problems.merging(try await check(values, self).messages) { first, _ in first }
            } catch let error as InputError {
                // Without a value that is wrong there may be nothing to check.
                guard !leftOut.contains(error.name) else { return problems }
                problems[error.name] = error.problem
                guard formdata(form)[error.name] != nil else { return problems }
                leftOut.insert(error.name)
            }
        }
    }
}

/// The methods that clients may call.
struct MethodTable: Sendable {
    static let connect = "setConnection"

    var methods: [String: RegisteredMethod] = [:]
    var connect: (@Sendable (Device, Call) async throws -> Page)?

    /// The methods that pages may refer to.
    var names: Set<String> { Set(methods.keys) }
}
