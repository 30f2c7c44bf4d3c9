public import Backlot

/// A call of a method of the app, by a tap. Its answer is a fresh page.
///
/// ```swift
/// button("Show").method(viewCustomer(CustomerID(id: 123)))              // by a Method, which the compiler knows
/// button("Show").method(MethodCall("viewCustomer", ["id": "123"]))      // by its name
/// button("Home").method("home")
/// ```
/// Source: Xpedite API reference, Method dispatch.
public struct MethodCall: Sendable, Equatable, ExpressibleByStringLiteral, KeyedObject {
    /// The method that is called, under the name with which the app registered it.
    public var function: String
    /// Values that are sent with the call: an object, or what can't be one and is found by the page's rules.
    private var arguments: JSONValue?
    var sendsForm: Bool?
    var navigation: String?
    var selected: String?

    /// A call of a method.
    ///
    /// - Parameters:
    ///   - function: the method, under the name with which the app registered it.
    ///   - parameters: values that are sent with the call.
    public init(_ function: String, _ parameters: JSONObject? = nil) {
        self.init(function, arguments: parameters.map { .object($0) })
    }

    init(_ function: String, arguments: JSONValue?) {
        self.function = function
        self.arguments = arguments
    }

    /// A call without parameters.
    public init(stringLiteral value: String) { self.init(value) }

    /// Values that are sent with the call.
    public var parameters: JSONObject? {
        get { arguments?.object }
        set { arguments = newValue.map { .object($0) } }
    }

    /// Sends the input of the page with the call.
    public consuming func formdata(_ isSent: Bool? = true) -> MethodCall { changing(self) { $0.sendsForm = isSent } }

    /// Chooses where the answer is shown. The reference has `root`, which forgets the pages before.
    public consuming func navigation(_ navigation: String?) -> MethodCall {
        changing(self) { $0.navigation = navigation }
    }

    /// Sends the value that the tapped row of a table has in a field.
    public consuming func selected(_ field: String?) -> MethodCall { changing(self) { $0.selected = field } }

    package var wireName: StaticString { "method" }
    package static var roles: [Role] { [.method] }
    static let vocabulary = Kind(MethodCall(""), "A call of a method of the app.")

    package func keys(_ keys: inout some Keys) {
        keys("function", function).required("The method that is called.", .filled)
        keys("parameters", .map(.any)) {
            if let arguments {
                $0.key($1)
                $0.value(arguments)
            }
        }
        .optional("Values that are sent with the call.")
        keys("formdata", sendsForm).optional("Whether the input of the page is sent with the call.", default: false)
        keys("navigation", navigation).optional(
            "Where the answer is shown.",
            .names(
                ["root": "The pages before are forgotten."],
                ifUnknown: .warning("may show the answer like any other")
            )
        )
        keys("selected", selected).optional(
            "The field whose value in the tapped row of a table is sent with the call.",
            .filled
        )
    }
}

extension Role {
    static let method = Role("method", hasStep: false)
}
