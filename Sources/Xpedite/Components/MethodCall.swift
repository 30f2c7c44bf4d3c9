import Backlot
public import BacklotJSON

/// A call of a method of the app, by a tap. Its answer is a fresh page.
///
/// ```swift
/// button("Show").method(viewCustomer(CustomerID(id: 123)))              // by a Method, which the compiler knows
/// button("Show").method(MethodCall("viewCustomer", ["id": "123"]))      // by its name
/// button("Home").method("home")
/// ```
/// Source: Xpedite API reference, Method dispatch.
public struct MethodCall: Sendable, Equatable, ExpressibleByStringLiteral {
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
}

extension MethodCall {
    static let vocabulary = Kind(
        "method",
        as: [.method],
        "A call of a method of the app.",
        keys: [
            .required("function", .filled, "The method that is called."),
            .optional("parameters", .map(.any), "Values that are sent with the call."),
            .optional("formdata", .bool, "Whether the input of the page is sent with the call.", default: false),
            .optional(
                "navigation",
                .names(
                    ["root": "The pages before are forgotten."],
                    ifUnknown: .warning("may show the answer like any other")
                ),
                "Where the answer is shown."
            ),
            .optional("selected", .filled, "The field whose value in the tapped row of a table is sent with the call."),
        ]
    )

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("function", function)
            if let arguments {
                $0.key("parameters")
                $0.value(arguments)
            }
            $0.field("formdata", sendsForm)
            $0.field("navigation", navigation)
            $0.field("selected", selected)
        }
    }
}

extension Role {
    static let method = Role("method", hasStep: false)
}

extension JSONWriter {
    mutating func field(_ key: StaticString, _ method: MethodCall?) {
        guard let method else { return }
        self.key(key)
        method.encode(into: &self)
    }
}
