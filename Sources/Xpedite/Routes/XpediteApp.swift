import Backlot
public import BacklotJSON

/// An app that is being mounted: its beginning, its methods and its tables are added to it.
///
/// Clients can call what is added here and nothing else.
public final class XpediteApp {
    private(set) var table = MethodTable()
    private let report: (String, SourceLocation) -> Void

    init(report: @escaping (String, SourceLocation) -> Void) {
        self.report = report
    }

    /// Says how a session begins: the page that a device gets when it connects.
    public func connect(
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Device, Call) async throws -> Page
    ) {
        let source = SourceLocation(file: file, line: line)
        if table.connect != nil { report("app.connect is there twice: an app has one beginning", source) }
        table.connect = handler
    }

    /// Says how a session begins.
    public func connect(
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Device) async throws -> Page
    ) {
        connect(file: file, line: line) { device, _ in try await handler(device) }
    }

    /// Adds a method: it answers with a page.
    ///
    /// What `handler` throws goes to the client as a return code that isn't 0, with the text of a `UserError` or `StatusError`,
    /// and with a text of its own for any other error, which is logged.
    public func method(
        _ name: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Call) async throws -> Page
    ) {
        add(name, RegisteredMethod { .page(try await handler($0)) }, SourceLocation(file: file, line: line))
    }

    /// Adds a method that takes what the client sends as a value of a type of yours: the values of the form, the value of the
    /// tapped row, and parameters.
    ///
    /// Dates, checkboxes and options are checked against the form as it was sent. When something is wrong with them, or missing,
    /// or `handler` throws ``FormErrors``, the form comes back with what was typed and with messages at the fields.
    ///
    /// - Parameters:
    ///   - form: the form's id; nil for the only form that the packet has.
    ///   - selected: the field that `clickRow` named, for a method that a tapped row calls.
    public func method<Input: Decodable & Sendable>(
        _ name: String,
        _ input: Input.Type,
        form: String? = nil,
        selected: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Input, Call) async throws -> Page
    ) {
        method(name, file: file, line: line) { call in
            try await handler(try call.decode(input, form: form, selected: selected), call)
        }
    }

    /// Adds the method that a table asks for its rows.
    ///
    /// - Parameters:
    ///   - batch: how many rows an answer has at most. `max` is added by itself where there are more.
    public func table(
        _ name: String,
        batch: Int = 50,
        file: String = #fileID,
        line: Int = #line,
        _ source: some TableSource
    ) {
        let place = SourceLocation(file: file, line: line)
        guard (1...100_000).contains(batch) else {
            return report("the table '\(name)' has batches of \(batch) rows: write 1 to 100,000", place)
        }
        let method = RegisteredMethod(isTable: true) { try await source.answer(to: $0, batch: batch) }
        add(name, method, place)
    }

    /// Adds the method that a table asks for its rows, as a function of the rows that come before and the most that are asked
    /// for.
    public func table(
        _ name: String,
        batch: Int = 50,
        file: String = #fileID,
        line: Int = #line,
        _ rows: @escaping @Sendable (_ offset: Int, _ limit: Int, _ call: Call) async throws -> [TableRow]
    ) {
        table(name, batch: batch, file: file, line: line, FunctionSource(function: rows))
    }

    private func add(_ name: String, _ method: RegisteredMethod, _ source: SourceLocation) {
        if name == MethodTable.connect {
            report("the method '\(name)' begins a session: write app.connect { … }", source)
        } else if name.isEmpty {
            report("a method needs a name", source)
        } else if table.methods.updateValue(method, forKey: name) != nil {
            report("the method '\(name)' is there twice", source)
        }
    }
}
