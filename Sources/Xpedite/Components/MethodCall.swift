public import Backlot

/// A call of the app's method, by a tap. The response is a new page.
///
/// ```swift
/// button("Show").method(viewCustomer(CustomerID(id: 123)))              // by a Method, which the compiler knows
/// button("Show").method(MethodCall("viewCustomer", ["id": "123"]))      // by its name
/// button("Home").method("home")
/// ```
/// Source: Xpedite API reference, Method dispatch.
public struct MethodCall: Sendable, Equatable, ExpressibleByStringLiteral, KeyedObject {
    /// The name of the called method.
    public var function: String
    /// The values that are sent with the call: an object. The page's rules report any other value.
    private var arguments: JSONValue?
    var sendsForm: Bool?
    var navigation: String?
    var selected: String?

    /// Creates a call of a method.
    ///
    /// - Parameters:
    ///   - function: the name of the method.
    ///   - parameters: values that are sent with the call.
    public init(_ function: String, _ parameters: JSONObject? = nil) {
        self.init(function, arguments: parameters.map { .object($0) })
    }

    init(_ function: String, arguments: JSONValue?) {
        self.function = function
        self.arguments = arguments
    }

    /// Creates a call without parameters.
    public init(stringLiteral value: String) { self.init(value) }

    /// Values that are sent with the call.
    public var parameters: JSONObject? {
        get { arguments?.object }
        set { arguments = newValue.map { .object($0) } }
    }

    /// Sends the input of the page with the call.
    public consuming func formdata(_ isSent: Bool? = true) -> MethodCall { changing(self) { $0.sendsForm = isSent } }

    /// Chooses the place of the response. The reference has `root`, which forgets the pages before.
    public consuming func navigation(_ navigation: String?) -> MethodCall {
        changing(self) { $0.navigation = navigation }
    }

    /// Sends the value of a field in the tapped row of a table.
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
            "The place of the response.",
            .names(
                ["root": "The pages before are forgotten."],
                ifUnknown: .warning("may show the response like any other")
            )
        )
        keys("selected", selected).optional(
            "The field of a table's tapped row that is sent with the call.",
            .filled
        )
    }
}

extension Role {
    static let method = Role("method", hasStep: false)
}
