import Backlot
public import BacklotJSON

/// A call of a method of the app, by a tap. Its answer is a fresh page.
///
/// ```swift
/// button("Show").method(Method("viewCustomer", ["id": "123"]))
/// button("Home").method("home")
/// ```
/// Source: Xpedite API reference, Method dispatch.
public struct Method: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The method that is called: one that the app has registered.
    public var function: String
    /// What is sent with the call.
    public var parameters: JSONObject?
    var sendsForm: Bool?
    var navigation: String?
    var selected: String?

    /// A call of a method.
    ///
    /// - Parameters:
    ///   - function: the method, as the app registered it.
    ///   - parameters: what is sent with the call.
    public init(_ function: String, _ parameters: JSONObject? = nil) {
        self.function = function
        self.parameters = parameters
    }

    /// A call without parameters.
    public init(stringLiteral value: String) { self.init(value) }

    /// Sends what was typed on the page with the call.
    public consuming func formdata(_ isSent: Bool? = true) -> Method {
        sendsForm = isSent
        return consume self
    }

    /// Says where the answer is shown: the reference has `root`, which forgets the pages before.
    public consuming func navigation(_ navigation: String?) -> Method {
        self.navigation = navigation
        return consume self
    }

    /// Sends the value that the tapped row of a table has in a field.
    public consuming func selected(_ field: String?) -> Method {
        selected = field
        return consume self
    }
}

extension Method {
    init(_ wire: WireReader) throws(WireError) {
        function = try wire.required("function", try wire.string("function"))
        parameters = try wire.reader("parameters")?.object
        sendsForm = try wire.bool("formdata")
        navigation = try wire.string("navigation")
        selected = try wire.string("selected")
    }

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("function", function)
            if let parameters {
                $0.key("parameters")
                $0.value(.object(parameters))
            }
            $0.field("formdata", sendsForm)
            $0.field("navigation", navigation)
            $0.field("selected", selected)
        }
    }
}

extension JSONWriter {
    mutating func field(_ key: StaticString, _ method: Method?) {
        guard let method else { return }
        self.key(key)
        method.encode(into: &self)
    }
}
