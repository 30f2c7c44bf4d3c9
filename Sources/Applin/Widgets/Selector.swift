public import Backlot

/// A choice of one text out of several, which sets a string variable. Up to two more choices beside it set their own variables.
///
/// Source: not documented; clients since 0.28 have it. They show the first option, and send an empty text until the user
/// has touched the selector: give it an initial value.
public struct Selector: Widget, KeyedObject {
    /// The variable, under which its value is sent to the backend.
    public let varName: String
    /// The choices.
    public let options: [String]
    /// The variable's value until it is set.
    public let initialValue: String?
    var varName1: String?
    var options1: [String]?
    var initialValue1: String?
    var varName2: String?
    var options2: [String]?
    var initialValue2: String?
    var label: String?
    var error: String?
    var pollDelay: Duration?
    var validated: Bool?

    /// `selector`
    public var typ: StaticString { "selector" }

    static let vocabulary = Kind(
        Selector(varName: "", options: [], initialValue: nil),
        "A choice of one text out of several, with up to two more choices beside it.",
        support: .since("0.28")
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys.varName(varName)
        keys("options", options).optional("The choices.", default: [])
        keys("initial_string", initialValue).optional("The variable's value until it is set: one of the options.")
        keys("var_name1", varName1).optional("The variable of the second choice.")
        keys("options1", options1).optional("The choices of the second choice.")
        keys("initial_string1", initialValue1).optional("The value of the second variable until it is set.")
        keys("var_name2", varName2).optional("The variable of the third choice.")
        keys("options2", options2).optional("The choices of the third choice.")
        keys("initial_string2", initialValue2).optional("The value of the third variable until it is set.")
        keys.label(label)
        keys.error(error)
        keys.pollDelay(pollDelay)
        keys.validated(validated)
    }

    /// Adds a second choice beside the first.
    public consuming func second(_ varName: String, options: [String], initialValue: String?) -> Selector {
        (varName1, options1, initialValue1) = (varName, options, initialValue)
        return consume self
    }

    /// Adds a third choice beside the second.
    public consuming func third(_ varName: String, options: [String], initialValue: String?) -> Selector {
        (varName2, options2, initialValue2) = (varName, options, initialValue)
        return consume self
    }

    /// Shows a label next to the selector.
    public consuming func label(_ label: String?) -> Selector { changing(self) { $0.label = label } }

    /// Shows a message next to the selector, with an alert icon; nil without an error.
    public consuming func error(_ message: String?) -> Selector { changing(self) { $0.error = message } }

    /// Polls the page this long after the choice changes; zero polls at once.
    ///
    /// - Parameter delay: whole milliseconds, at most 2³² − 1.
    public consuming func pollDelay(_ delay: Duration?) -> Selector { changing(self) { $0.pollDelay = delay } }

    /// Says that the backend checks the variable: `push` and `replace_all` on this page send the variables at once.
    /// Clients before 0.33 ignore it.
    public consuming func validated(_ validated: Bool = true) -> Selector {
        changing(self) { $0.validated = validated }
    }
}

extension KeyVisitor where Self: ~Copyable {
    @inline(__always)
    fileprivate mutating func callAsFunction(_ name: StaticString, _ texts: [String]?) -> KeyDeclaration {
        self(name, .array(.string)) {
            guard let texts else { return }
            $0.array($1) { writer in
                for text in texts { writer.value(text) }
            }
        }
    }
}

/// Makes a ``Selector`` with a label, for the string variable `varName`.
///
/// ```swift
/// selector("Plan", varName: "plan", options: ["monthly", "yearly"], initialValue: "yearly")
/// ```
/// - Parameters:
///   - label: The label next to it.
///   - varName: The variable, under which its value is sent to the backend.
///   - options: The choices.
///   - initialValue: The variable's value until it is set, one of the options. Without it clients send an empty
///     text until the user has touched the selector.
public func selector(
    _ label: String? = nil,
    varName: String,
    options: [String],
    initialValue: String?
) -> Selector {
    Selector(varName: varName, options: options, initialValue: initialValue, label: label)
}

/// Makes a ``Selector`` with a label, for a string variable that a handler reads under the same name.
///
/// ```swift
/// let plan = Variable<String>("plan")
/// selector("Plan", plan, options: ["monthly", "yearly"], initialValue: nil)
/// ```
public func selector(
    _ label: String?,
    _ variable: Variable<String>,
    options: [String],
    initialValue: String?
) -> Selector {
    selector(label, varName: variable.name, options: options, initialValue: initialValue)
}

/// The former spelling, with the variable in the place of the label.
@available(
    *,
    deprecated,
    message: "labels come first: selector(\"Size\", varName: \"size\", options: …, initialValue: …)"
)
public func selector(_ varName: String, options: [String], initialString: String?) -> Selector {
    selector(varName: varName, options: options, initialValue: initialString)
}
