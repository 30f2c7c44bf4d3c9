public import Backlot

/// The check of a form, written once: the page shows its messages at the fields, and the rpc sends them with 422.
///
/// ```swift
/// let check = FormValidator(SignUp.self) { input, errors, _ in
///     if input.name.count < 3 { errors[\.name] = "Use 3 characters or more." }
/// }
/// let signUp = app.rpc("/sign_up/submit", check: check) { input, _ in try await users.add(input.name) }
/// app.page("/sign_up", check: check) { form, request in
///     formPage("Sign Up") {
///         form.textfield("Name", \.name)
///         formButton("Sign Up", rpc(signUp), replaceAll("/"))
///     }
/// }
/// ```
/// A text that can't be converted to its property's type, such as a number, also gets a message at its field. The check gets an
/// example instead, such as 0, so that it finds mistakes in the other fields. Messages are in the order of the input's properties:
/// use the same order in the form.
public struct FormValidator<Input: Decodable & Sendable>: Sendable {
    private let problems: @Sendable (Input, Request) async throws -> FormErrors
    let fields = InputFields(of: Input.self)
    let variables = InputVariables<Input>()
    /// Whether the check sets messages by property.
    private let goesByProperties: Bool

    /// Creates a check of an input that sets its messages by property.
    ///
    /// - Parameter problems: sets the messages for wrong values; without wrong values, it sets no messages.
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

    /// Creates a check of an input.
    ///
    /// - Parameter problems: the messages by the names of the variables; empty without faults.
    public init(
        _ input: Input.Type = Input.self,
        _ problems: @escaping @Sendable (Input, Request) async throws -> FormErrors = { _, _ in FormErrors() }
    ) {
        goesByProperties = false
        self.problems = problems
    }

    /// The messages for a request's variables; empty for a GET, which sends no variables.
    ///
    /// A page treats variables that are missing or of another type as unset.
    ///
    /// - Throws: in an rpc, `VariableError` with 400 if the variables don't fit the type; the errors of the check.
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
    /// - Throws: `FormErrors` for an input with mistakes; otherwise as ``errors(in:)``.
    public func input(of request: Request) async throws -> Input {
        let (input, conversions) = try await request.variables().decodePassingOver(Input.self)
        var errors = FormErrors()
        do {
            if let input { errors = try await problems(input, request) }
        } catch {
            // An error that an example value caused isn't the user's mistake.
            if conversions.isEmpty { throw error }
        }
        for (name, problem) in conversions { errors[name] = "\(problem.prefix(1).uppercased())\(problem.dropFirst())." }
        guard let input, errors.isEmpty else { throw errors.ordered(by: fields.names) }
        return input
    }
}

extension FormValidator {
    /// Reports at the start that the properties' variables can't be determined.
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
    /// Adds a page that shows the check's messages at its fields. A GET sends no input, so its page has no messages.
    ///
    /// The handler makes the fields by the properties of the check's type: `form.textfield("Name", \.name)`.
    ///
    /// ```swift
    /// app.page("/sign_up", check: check) { form, _ in
    ///     formPage("Sign Up") { form.textfield("Name", \.name); formButton("Sign Up", rpc(signUp)) }
    /// }
    /// ```
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

    /// Adds an rpc that only runs with a correct input. Otherwise the client gets 422 with all messages.
    ///
    /// ```swift
    /// app.rpc("/sign_up/submit", check: check) { input, request in try await request.session.logIn(user: input.name) }
    /// ```
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
