public import Backlot
public import BacklotJSON

/// An app that is being mounted: it gets its first page, its methods and its tables here.
///
/// Clients can call nothing else.
public final class XpediteApp {
    private(set) var table = MethodTable()
    private let report: (String, CodeLocation) -> Void

    init(report: @escaping (String, CodeLocation) -> Void) {
        self.report = report
    }

    /// Sets the first page of a session, which a device gets when it connects.
    public func connect(
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Device, Call) async throws -> Page
    ) {
        let source = CodeLocation(file: file, line: line)
        if table.connect != nil { report("app.connect is called twice: an app has one first page", source) }
        table.connect = handler
    }

    /// Sets the first page of a session.
    public func connect(
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Device) async throws -> Page
    ) {
        connect(file: file, line: line) { device, _ in try await handler(device) }
    }

    /// Adds a method: it answers with a page.
    ///
    /// An error of `handler` goes to the client as a return code that isn't 0: with the text of a `UserError` or `StatusError`,
    /// and with a general text for any other error, which is logged.
    public func method(
        _ name: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Call) async throws -> Page
    ) {
        add(name, RegisteredMethod(answer: { .page(try await handler($0)) }), CodeLocation(file: file, line: line))
    }

    /// Adds a method that takes the client's input as a value of `Input`: the values of the form, the value of the tapped row, and
    /// parameters.
    ///
    /// Dates, checkboxes and options are checked against the form that was sent. When a value is wrong or missing, `check` finds
    /// something, or `handler` throws `FormErrors`, the form is returned with the typed values and with messages at the fields.
    ///
    /// ```swift
    /// app.method("register", Member.self, form: "member") { member, call in
    ///     try await isTaken(member.email) ? ["email": "is taken"] : [:]
    /// } handler: { member, call in
    ///     try await add(member)
    ///     return welcome(member)
    /// }
    /// ```
    /// - Parameters:
    ///   - form: the form's id; nil for the only form that the packet has.
    ///   - selected: the field that `clickRow` named, for a method that a tapped row calls.
    ///   - check: the messages about values that the app refuses; it changes nothing. It also runs, without the wrong values,
    ///     when other values can't be right, so that people see all messages at once.
    ///   - handler: answers when nothing is wrong.
    public func method<Input: Decodable & Sendable>(
        _ name: String,
        _ input: Input.Type,
        form: String? = nil,
        selected: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        check: @escaping @Sendable (Input, Call) async throws -> FormErrors,
        handler: @escaping @Sendable (Input, Call) async throws -> Page
    ) {
        let method = RegisteredMethod { call in
            let values = try call.decode(input, form: form, selected: selected)
            let errors = call.isChecked ? FormErrors() : try await check(values, call)
            guard errors.isEmpty else { throw errors }
            return .page(try await handler(values, call))
        } problems: { call, wrong in
            try await call.problems(in: input, form: form, selected: selected, besides: wrong, check)
        }
        add(name, method, CodeLocation(file: file, line: line))
    }

    /// Adds a method that takes the client's input as a value of `Input`, and has nothing to check before it runs.
    public func method<Input: Decodable & Sendable>(
        _ name: String,
        _ input: Input.Type,
        form: String? = nil,
        selected: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Input, Call) async throws -> Page
    ) {
        method(
            name,
            input,
            form: form,
            selected: selected,
            file: file,
            line: line,
            check: { _, _ in [:] },
            handler: handler
        )
    }

    /// Adds the method that a table asks for its rows.
    ///
    /// - Parameters:
    ///   - batch: the most rows of an answer. `max` is added when there are more.
    public func table(
        _ name: String,
        batch: Int = 50,
        file: String = #fileID,
        line: Int = #line,
        _ source: some TableSource
    ) {
        let place = CodeLocation(file: file, line: line)
        guard (1...100_000).contains(batch) else {
            return report("the table '\(name)' has batches of \(batch) rows: write 1 to 100,000", place)
        }
        let method = RegisteredMethod(isTable: true, answer: { try await source.answer(to: $0, batch: batch) })
        add(name, method, place)
    }

    /// Adds the method that a table asks for its rows, as a function of the number of rows before and of the most rows to
    /// return.
    public func table(
        _ name: String,
        batch: Int = 50,
        file: String = #fileID,
        line: Int = #line,
        _ rows: @escaping @Sendable (_ offset: Int, _ limit: Int, _ call: Call) async throws -> [TableRow]
    ) {
        table(name, batch: batch, file: file, line: line, FunctionSource(function: rows))
    }

    func add(_ name: String, _ method: RegisteredMethod, _ source: CodeLocation) {
        if name == MethodTable.connect {
            report("the method '\(name)' is reserved for the first page: write app.connect { … }", source)
        } else if name.isEmpty {
            report("the name of a method is empty", source)
        } else if table.methods.updateValue(method, forKey: name) != nil {
            report("the method '\(name)' is declared twice", source)
        }
    }
}

/// A method's answer.
enum MethodAnswer: Sendable {
    case page(Page)
    case rows([JSONObject], max: Int?)
}

/// A method that clients may call.
struct RegisteredMethod: Sendable {
    /// Whether it answers with the rows of a table, which don't depend on earlier answers.
    var isTable = false
    let answer: @Sendable (Call) async throws -> MethodAnswer
    /// The problems of a form's values that the app finds, by the names of their fields, besides values that are known to be wrong.
    var problems: (@Sendable (Call, _ wrong: Set<String>) async throws -> [String: String])?
}

extension Call {
    /// The values that have another type than the app asks for, and what `check` says about the others.
    fileprivate func problems<Input: Decodable & Sendable>(
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
