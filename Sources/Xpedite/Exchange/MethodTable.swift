import BacklotJSON

/// What a method answers with.
enum MethodAnswer: Sendable {
    case page(Page)
    case rows([JSONObject], max: Int?)
}

/// A method that clients may call.
struct RegisteredMethod: Sendable {
    /// Whether it answers with the rows of a table, for which nothing of the page before is needed.
    var isTable = false
    let answer: @Sendable (Call) async throws -> MethodAnswer
}

/// The methods that clients may call. Nothing else is ever called.
struct MethodTable: Sendable {
    static let connect = "setConnection"

    var methods: [String: RegisteredMethod] = [:]
    var connect: (@Sendable (Device, Call) async throws -> Page)?

    /// Every name that a page may refer to.
    var names: Set<String> { Set(methods.keys) }
}
