import Backlot

/// A method of the app: a value that is used to register it and to call it by a tap, so that no name is written twice.
///
/// ```swift
/// let home = Method("home")
/// let viewCustomer = Method<CustomerID>("viewCustomer")       // CustomerID: Codable
///
/// app.method(home) { call in page("Home") { button("Ann").method(viewCustomer(CustomerID(id: 7))) } }
/// app.method(viewCustomer) { input, call in try await customerPage(input.id) }
/// ```
/// A method that takes no input is a `Method<Void>`.
///
/// Source: Xpedite API reference, Method dispatch.
public struct Method<Input>: Sendable, Equatable {
    /// The name of the method.
    public let name: String
    /// Values that are sent besides the input.
    private var values: JSONValue?

    /// A method of that name.
    public init(_ name: String) { self.name = name }

    /// Sends values with each call besides its input, such as the id of what a form changes; nil for none.
    ///
    /// ```swift
    /// form("customer") { … }.save(saveCustomer.with(customer.map { CustomerID(id: $0.id) }))
    /// ```
    public consuming func with(_ values: (some Encodable)?) -> Method {
        changing(self) { $0.values = values.map { JSONValue(parameters: $0) } }
    }

    /// A call that sends the input of the page, from which the method gets its own.
    public func formdata() -> MethodCall { withoutInput.formdata() }

    /// A call to which the client adds the input.
    var withoutInput: MethodCall { MethodCall(name, arguments: values) }
}

extension Method where Input == Void {
    /// A method of that name, which takes no input.
    public init(_ name: String) { self.name = name }

    /// A call of the method, for what only calls have: `home().navigation("root")`.
    public func callAsFunction() -> MethodCall { withoutInput }
}

extension Method where Input: Encodable {
    /// A call of the method with its input, which becomes the call's parameters.
    public func callAsFunction(_ input: Input) -> MethodCall { with(input).withoutInput }
}

extension JSONValue {
    /// The parameters of a call; what can't be encoded is a text that says why, and the page's rules find it.
    init(parameters: some Encodable) {
        do {
            self = try JSONValue(encoding: parameters)
        } catch {
            self = .string("\(error)")
        }
    }
}
