import Backlot

/// A method of the app. The same value registers it and calls it by a tap, so that its name is only written once.
///
/// ```swift
/// let home = Method("home")
/// let viewCustomer = Method<CustomerID>("viewCustomer")       // CustomerID: Codable
///
/// app.method(home) { call in page("Home") { button("Ann").method(viewCustomer(CustomerID(id: 7))) } }
/// app.method(viewCustomer) { input, call in try await customerPage(input.id) }
/// ```
/// A method without input is a `Method<Void>`.
///
/// Source: Xpedite API reference, Method dispatch.
public struct Method<Input>: Sendable, Equatable {
    /// The name of the method.
    public let name: String
    /// Values that are sent besides the input.
    private var values: JSONValue?

    /// Creates a method with this name.
    public init(_ name: String) { self.name = name }

    /// Sends values with each call besides its input, such as the id of the object that a form changes; nil for no values.
    ///
    /// ```swift
    /// form(id: "customer") { textbox(name: "name") }
    ///     .save(saveCustomer.with(customer.map { CustomerID(id: $0.id) }))
    /// ```
    public consuming func with(_ values: (some Encodable)?) -> Method {
        changing(self) { $0.values = values.map { JSONValue(parameters: $0) } }
    }

    /// A call that sends the input of the page. The method takes its own input from it.
    public func formdata() -> MethodCall { withoutInput.formdata() }

    /// A call; the client adds the input.
    var withoutInput: MethodCall { MethodCall(name, arguments: values) }
}

extension Method where Input == Void {
    /// Creates a method with this name, without input.
    public init(_ name: String) { self.name = name }

    /// A call of the method, for modifiers of calls: `home().navigation("root")`.
    public func callAsFunction() -> MethodCall { withoutInput }
}

extension Method where Input: Encodable {
    /// A call of the method with its input, which becomes the call's parameters.
    public func callAsFunction(_ input: Input) -> MethodCall { with(input).withoutInput }
}

extension JSONValue {
    /// The parameters of a call. A value that can't be encoded becomes a text with the reason, which the page's rules report.
    init(parameters: some Encodable) {
        do {
            self = try JSONValue(encoding: parameters)
        } catch {
            self = .string("\(error)")
        }
    }
}
