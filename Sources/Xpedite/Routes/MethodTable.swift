import Backlot

/// The response of a method.
enum MethodResponse: Sendable {
    case page(Page)
    /// - components: the components beside the rows; clients only show the rows.
    case rows([JSONObject], max: Int?, components: [JSONValue]? = nil)
}

/// A method that clients may call.
struct RegisteredMethod: Sendable {
    /// Whether the method returns the rows of a table, which don't depend on earlier responses.
    var isTable = false
    /// The guards that calls must pass first, outermost first.
    var guards: [any CallGuard] = []
    var response: @Sendable (Call) async throws -> MethodResponse
    /// The app's messages for the values of a form, by field name, besides those for values that are known to be wrong.
    var problems: (@Sendable (Call, _ wrong: Set<String>) async throws -> [String: String])?
}

extension Call {
    /// The values of the wrong type, and the messages of `check` for the others.
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
                // Without a wrong value, it may be impossible to check the others.
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

    /// The methods that pages may name.
    var names: Set<String> { Set(methods.keys) }
}
