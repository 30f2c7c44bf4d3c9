public import Backlot

/// The check of a form, written once: the page shows its messages at the fields, and the rpc sends them with 422.
///
/// ```swift
/// let check = FormValidator(SignUp.self) { input, errors, _ in
///     if input.name.count < 3 { errors[\.name] = "Use 3 characters or more." }
/// }
/// let signUp = app.rpc("/sign_up/submit", check: check) { input, request in … }
/// app.page("/sign_up", check: check) { form, request in
///     formPage("Sign Up") {
///         form.textfield("Name", \.name)
///         formButton("Sign Up", rpc(signUp), replaceAll("/"))
///     }
/// }
/// ```
/// A text that can't become what the type asks for, such as a number, is a message at its field too. The check sees an example in its place, such as
/// 0, so that it finds what is wrong with the other fields. Messages are in the order of the input's properties: let that be the form's.
public struct FormValidator<Input: Decodable & Sendable>: Sendable {
    private let problems: @Sendable (Input, Request) async throws -> FormErrors
    let fields = InputFields(of: Input.self)
    let variables = InputVariables<Input>()
    /// Whether its messages go by properties.
    private let goesByProperties: Bool

    /// A check of an input, with its messages by the type's properties.
    ///
    /// - Parameter problems: sets the messages; none where all is well.
    public init(
        _ input: Input.Type,
        _ problems: @escaping @Sendable (Input, inout FieldErrors<Input>, Request) async throws -> Void
    ) {
        goesByProperties = true
        self.problems = { [variables] input, request in
            var errors = FieldErrors(variables: variables)
            try await problems(input, &errors, request)
            return try variables.checked(errors.errors)
        }
    }

    /// A check of an input.
    ///
    /// - Parameter problems: the messages by the names of the variables; none where all is well.
    public init(
        _ input: Input.Type = Input.self,
        _ problems: @escaping @Sendable (Input, Request) async throws -> FormErrors = { _, _ in FormErrors() }
    ) {
        goesByProperties = false
        self.problems = problems
    }

    /// The messages for a request's variables; empty for a GET, which sends none.
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

extension FormValidator {
    /// Notes at the start that the properties' variables can't be told.
    fileprivate func report(to routes: any Routes, _ file: String, _ line: Int) {
        guard goesByProperties, let problem = variables.problem else { return }
        routes.report(
            "the form \(Input.self) can't go by its properties: \(problem)",
            CodeLocation(file: file, line: line)
        )
    }

    fileprivate func page(
        _ make: @escaping @Sendable (FormFields<Input>, Request) async throws -> any Page
    ) -> PageHandler.Maker {
        .suspending { try variables.checked(try await make(fields(errors(in: $0)), $0)) }
    }

    fileprivate func fields(_ errors: FormErrors) -> FormFields<Input> {
        FormFields(errors: errors, variables: variables)
    }
}

extension ApplinApp {
    /// Adds a page that shows the check's messages at its fields. A GET sends no input, so that its page has no messages.
    ///
    /// The handler makes the fields by the properties of the check's type: `form.textfield("Name", \.name)`.
    @discardableResult public func page<Input>(
        _ path: String,
        check: FormValidator<Input>,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (FormFields<Input>, Request) async throws -> any Page
    ) -> PageRoute<Never> {
        check.report(to: self, file, line)
        return add(path, samples, unchecked, file, line, check.page { try await handler($0, $1) })
    }

    /// Adds a page with a handler that takes the check's messages and never suspends: loading the page needs no task.
    @discardableResult public func page<Input>(
        _ path: String,
        check: FormValidator<Input>,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (FormFields<Input>, Request) throws -> any Page
    ) -> PageRoute<Never> {
        check.report(to: self, file, line)
        return page(path, samples: samples, unchecked: unchecked, file: file, line: line, reading: check.errors(in:)) {
            try check.variables.checked(try handler(check.fields($0 ?? FormErrors()), $1))
        }
    }

    /// Adds a page with a handler that takes the check's messages and runs on the main actor.
    @discardableResult public func page<Input, Failure: Error>(
        _ path: String,
        check: FormValidator<Input>,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @MainActor @Sendable (FormFields<Input>, Request) throws(Failure) -> any Page
    ) -> PageRoute<Never> {
        check.report(to: self, file, line)
        return add(path, samples, unchecked, file, line, check.page { try await handler($0, $1) })
    }

    /// Adds an rpc whose input has passed the check. Otherwise the client gets 422 with all messages.
    @discardableResult public func rpc<Input>(
        _ path: String,
        check: FormValidator<Input>,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Input, Request) async throws -> Void
    ) -> RPCRoute<Never> {
        var route = rpc(path, check.fields, CodeLocation(file: file, line: line)) { request in
            try await handler(try await check.input(of: request), request)
        }
        route.isChecked = true
        return route
    }
}
