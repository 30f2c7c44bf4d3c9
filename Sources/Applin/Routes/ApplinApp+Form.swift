public import Backlot

/// What is wrong with the input of a form: written once, shown at the fields by the page, and answered with 422 by the rpc.
///
/// ```swift
/// let check = FormCheck(SignUp.self) { input, request in
///     var errors = FormErrors()
///     if input.name.count < 3 { errors["name"] = "Use 3 characters or more." }
///     return errors
/// }
/// app.page("/sign_up", check: check) { errors, request in
///     navPage("Sign Up") {
///         form {
///             textfield("name").label("Name").error(errors["name"])
///             formButton("Sign Up") { rpc("/sign_up/submit", onUserErrorPoll: true); replaceAll("/") }
///         }
///     }
/// }
/// app.rpc("/sign_up/submit", check: check) { input, request in … }
/// ```
/// A text that can't become what the type asks for, such as a number, is a message at its field too. The check sees an example in its place, such as
/// 0, so that it finds what is wrong with the other fields. Messages are in the order of the input's properties: let that be the form's.
public struct FormCheck<Input: Decodable & Sendable>: Sendable {
    private let problems: @Sendable (Input, Request) async throws -> FormErrors
    let fields = InputFields(of: Input.self)

    /// A check of an input.
    ///
    /// - Parameter problems: the messages by the names of the variables; none where all is well.
    public init(
        _ input: Input.Type = Input.self,
        _ problems: @escaping @Sendable (Input, Request) async throws -> FormErrors = { _, _ in FormErrors() }
    ) {
        self.problems = problems
    }

    /// What is wrong with the variables of a request; nothing for a GET, which sends none.
    ///
    /// A page treats what is missing or of another type as unset.
    ///
    /// - Throws: In an rpc `VariableError` with 400 where the page and the type don't fit; what the check throws.
    public func errors(in request: Request) async throws -> FormErrors {
        guard request.method == .post else { return FormErrors() }
        do {
            _ = try await input(of: request)
            return FormErrors()
        } catch let errors as FormErrors {
            return errors
        }
    }

    /// The input of a request.
    ///
    /// - Throws: `FormErrors`, where something is wrong with it; otherwise as ``errors(in:)``.
    public func input(of request: Request) async throws -> Input {
        let (input, conversions) = try await request.variables().decodePassingOver(Input.self)
        var errors = FormErrors()
        do {
            if let input { errors = try await problems(input, request) }
        } catch {
            // What an example leads to is nobody's mistake.
            if conversions.isEmpty { throw error }
        }
        for (name, problem) in conversions { errors[name] = "\(problem.prefix(1).uppercased())\(problem.dropFirst())." }
        guard let input, errors.isEmpty else { throw errors.ordered(by: fields.names) }
        return input
    }
}

extension ApplinApp {
    /// Adds a page that shows the check's messages at its fields. A GET sends no input, so that its page has no messages.
    public func page<Input>(
        _ path: String,
        check: FormCheck<Input>,
        samples: [PageSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (FormErrors, Request) async throws -> any Page
    ) {
        add(path, samples, unchecked, file, line, .suspending { try await handler(check.errors(in: $0), $0) })
    }

    /// Adds a page with a handler that takes the check's messages and never suspends: loading the page needs no task.
    public func page<Input>(
        _ path: String,
        check: FormCheck<Input>,
        samples: [PageSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (FormErrors, Request) throws -> any Page
    ) {
        page(path, samples: samples, unchecked: unchecked, file: file, line: line, reading: check.errors(in:)) {
            try handler($0 ?? FormErrors(), $1)
        }
    }

    /// Adds a page with a handler that takes the check's messages and runs on the main actor.
    public func page<Input, Failure: Error>(
        _ path: String,
        check: FormCheck<Input>,
        samples: [PageSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @MainActor @Sendable (FormErrors, Request) throws(Failure) -> any Page
    ) {
        add(path, samples, unchecked, file, line, .suspending { try await handler(check.errors(in: $0), $0) })
    }

    /// Adds an rpc that takes an input in which nothing is wrong. Else it answers 422 with all messages.
    public func rpc<Input>(
        _ path: String,
        check: FormCheck<Input>,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Input, Request) async throws -> Void
    ) {
        rpc(path, check.fields, CodeLocation(file: file, line: line)) { request in
            try await handler(try await check.input(of: request), request)
        }
    }
}
