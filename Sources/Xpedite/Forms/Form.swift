public import Backlot

/// A form to fill in. Saving it sends the values of all its fields.
///
/// Source: Xpedite API reference, component-form.
public struct Form: Component, Sized, KeyedPart {
    /// The look of a form.
    public enum Style: String, Sendable, CaseIterable {
        /// On the page, with buttons below.
        case inline
        /// As a dialog, with a cross and a tick in its head.
        case dialog
    }

    /// The rows, from top to bottom.
    public let fields: [any FormField]
    var style: Style?
    var title: String?
    var save: MethodCall?
    var saveNavigation: String?
    var cancel: MethodCall?
    var cancelNavigation: String?
    /// The place and the size.
    public var size: Size?
    /// The name for sending its values; a form that can be saved needs it.
    public var id: String?

    /// `form`
    public var type: StaticString { "form" }

    static let vocabulary = Kind(Form(fields: []), "A form to fill in; saving it sends the values of all its fields.")

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys("style", style?.rawValue).optional(
            "The look of the form.",
            .names([
                "inline": "On the page, with buttons below.",
                "dialog": "As a dialog, with a cross and a tick in its head.",
            ]),
            default: "inline"
        )
        keys("title", title).optional("A title above the rows.")
        keys("save", save).optional("The method that the save button calls with the values.")
        keys("saveNavigation", saveNavigation).optional("The text of the save button.", default: "Save")
        keys("cancel", cancel).optional("The method that the cancel button calls.")
        keys("cancelNavigation", cancelNavigation).optional("The text of the cancel button.", default: "Cancel")
        keys("components", fields).optional("The rows, from top to bottom.")
    }

    /// Sets the look; inline by default.
    public consuming func style(_ style: Style?) -> Form { changing(self) { $0.style = style } }

    /// Shows a title above the rows.
    public consuming func title(_ title: String?) -> Form { changing(self) { $0.title = title } }

    /// Sets the method that the save button calls with the values, and the button's text: without it, Save.
    public consuming func save(_ method: MethodCall?, _ text: String? = nil) -> Form {
        save = method
        saveNavigation = text
        return consume self
    }

    /// Sets the method that the save button calls with the values, which are its input, and the button's text: without it, Save.
    public consuming func save<Input>(_ method: Method<Input>, _ text: String? = nil) -> Form {
        save(method.withoutInput, text)
    }

    /// Sets the method that the cancel button calls, and the button's text: without it, Cancel.
    public consuming func cancel(_ method: MethodCall?, _ text: String? = nil) -> Form {
        cancel = method
        cancelNavigation = text
        return consume self
    }

    /// Sets the method that the cancel button calls, and the button's text: without it, Cancel.
    public consuming func cancel(_ method: Method<Void>, _ text: String? = nil) -> Form { cancel(method(), text) }

    /// Not available: a form that is left has no input.
    @available(*, unavailable, message: "this method takes an input: write it, as in viewCustomer(CustomerID(id: 7))")
    public consuming func cancel<Input>(_ method: Method<Input>, _ text: String? = nil) -> Form { self }
}

/// Makes a ``Form`` with `id` as the name for sending its values.
///
/// ```swift
/// form(id: "customer") {
///     textbox(name: "name").title("Name")
///     checkbox(name: "active").title("Active")
/// }
/// .save("saveCustomer", "Save")
/// ```
public func form(id: String, @ListBuilder<any FormField> _ fields: () -> [any FormField]) -> Form {
    Form(fields: fields(), id: id)
}

/// Makes a ``Form`` that can't be saved.
///
/// ```swift
/// form { textbox(name: "name").title("Name").value("Ann") }
/// ```
public func form(@ListBuilder<any FormField> _ fields: () -> [any FormField]) -> Form {
    Form(fields: fields())
}
