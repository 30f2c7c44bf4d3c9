public import Backlot

extension XpediteApp {
    /// Adds a method without input, which returns a page.
    ///
    /// Errors of `handler` become return codes other than 0. The client gets the text of a `UserError` or `StatusError`, and a
    /// general text for any other error, which is logged.
    ///
    /// ```swift
    /// app.method(home) { call in page("Home") { label("Hello, \(call.session.user ?? "stranger")!") } }
    /// ```
    public func method(
        _ method: Method<Void>,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Call) async throws -> Page
    ) {
        self.method(method.name, file: file, line: line, handler)
    }

    /// Adds a method named by a string; otherwise as for a ``Method``.
    ///
    /// ```swift
    /// app.method("home") { call in page("Home") { label("Welcome") } }
    /// ```
    public func method(
        _ name: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Call) async throws -> Page
    ) {
        add(name, RegisteredMethod(response: { .page(try await handler($0)) }), CodeLocation(file: file, line: line))
    }

    /// Adds a method that takes the client's input: the values of the form, the value of the tapped row, and parameters.
    ///
    /// Dates, checkboxes and options are checked against the form that was sent. If a value is wrong or missing, if `check` returns
    /// messages, or if `handler` throws `FormErrors`, the client gets the form again, with the typed values and messages at the
    /// fields.
    ///
    /// ```swift
    /// app.method(register, form: "member") { member, call in
    ///     try await isTaken(member.email) ? FormErrors(\Member.email, "is taken") : [:]
    /// } handler: { member, call in
    ///     try await add(member)
    ///     return welcome(member)
    /// }
    /// ```
    /// - Parameters:
    ///   - form: the form's id; nil for the packet's only form.
    ///   - selected: the property for the field in `clickRow`, for a method that a tapped row calls.
    ///   - check: returns messages about values that the app refuses; it changes nothing. If some values are wrong, it still runs
    ///     with the others, so that people see all messages at once.
    ///   - handler: returns the page if no value is wrong.
    public func method<Input: Decodable & Sendable>(
        _ method: Method<Input>,
        form: String? = nil,
        selected: PartialKeyPath<Input>? = nil,
        file: String = #fileID,
        line: Int = #line,
        check: @escaping @Sendable (Input, Call) async throws -> FormErrors,
        handler: @escaping @Sendable (Input, Call) async throws -> Page
    ) {
        if let selected, selected.fieldName == nil {
            let problem =
                "the method '\(method.name)' gets the value of a row in a computed property: name a stored one"
            report(problem, at: CodeLocation(file: file, line: line))
        }
        let field = selected?.fieldName
        self.method(
            method.name,
            Input.self,
            form: form,
            selected: field,
            file: file,
            line: line,
            check: check,
            handler: handler
        )
    }

    /// Adds a method that takes the client's input, without a check.
    ///
    /// ```swift
    /// app.method(viewCustomer, selected: \.id) { input, call in try await customerPage(input.id) }
    /// ```
    public func method<Input: Decodable & Sendable>(
        _ method: Method<Input>,
        form: String? = nil,
        selected: PartialKeyPath<Input>? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Input, Call) async throws -> Page
    ) {
        self.method(
            method,
            form: form,
            selected: selected,
            file: file,
            line: line,
            check: { _, _ in [:] },
            handler: handler
        )
    }

    /// Adds a method named by a string that takes an `Input`; otherwise as for a ``Method``.
    ///
    /// ```swift
    /// app.method("register", Member.self, form: "member") { member, call in
    ///     try await isTaken(member.email) ? ["email": "is taken"] : [:]
    /// } handler: { member, call in
    ///     welcome(member)
    /// }
    /// ```
    /// - Parameter selected: the field in `clickRow`, for a method that a tapped row calls.
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

    /// Adds a method named by a string that takes an `Input`, without a check.
    ///
    /// ```swift
    /// app.method("viewCustomer", CustomerID.self, selected: "id") { input, call in try await customerPage(input.id) }
    /// ```
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

    /// Not available: the handler gets the input.
    @available(*, unavailable, message: "this method takes an input: write { input, call in … }")
    public func method<Input>(_ method: Method<Input>, _ handler: @escaping @Sendable (Call) async throws -> Page) {}

    /// Not available: clients show whole pages.
    @available(
        *,
        unavailable,
        message: "a method returns a page: write page(\"Title\") { … } around the components"
    )
    public func method(_ method: Method<Void>, _ handler: @escaping @Sendable (Call) async throws -> some Component) {}
}
