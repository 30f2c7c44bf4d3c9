public import Backlot
public import BacklotJSON

/// A form to fill in. Saving it sends the values of all its fields.
///
/// Source: Xpedite API reference, component-form.
public struct Form: Component, Sized {
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
    /// The name that its values are sent under; a form that is saved needs it.
    public var id: String?

    /// `form`
    public var type: StaticString { "form" }

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.component(self) {
            $0.field("style", style?.rawValue)
            $0.field("title", title)
            $0.field("save", save)
            $0.field("saveNavigation", saveNavigation)
            $0.field("cancel", cancel)
            $0.field("cancelNavigation", cancelNavigation)
            $0.field("components", fields)
        }
    }

    /// Chooses the look. Without it, inline.
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

    /// Not available: people who leave a form have not filled it in.
    @available(*, unavailable, message: "this method takes an input: write it, as in viewCustomer(CustomerID(id: 7))")
    public consuming func cancel<Input>(_ method: Method<Input>, _ text: String? = nil) -> Form { self }
}

extension Form {
    static let vocabulary = Kind(
        "form",
        as: [.component],
        "A form to fill in; saving it sends the values of all its fields.",
        keys: .part([
            .optional(
                "style",
                .names([
                    "inline": "On the page, with buttons below.",
                    "dialog": "As a dialog, with a cross and a tick in its head.",
                ]),
                "The look of the form.",
                default: "inline"
            ),
            .optional("title", .string, "A title above the rows."),
            .optional("save", .object(.method), "The method that the save button calls with the values."),
            .optional("saveNavigation", .string, "The text of the save button.", default: "Save"),
            .optional("cancel", .object(.method), "The method that the cancel button calls."),
            .optional("cancelNavigation", .string, "The text of the cancel button.", default: "Cancel"),
            .optional("components", .objects(.field), "The rows, from top to bottom."),
        ])
    )
}

/// Makes a ``Form`` whose values are sent under `id`.
public func form(_ id: String, @ListBuilder<any FormField> _ fields: () -> [any FormField]) -> Form {
    Form(fields: fields(), id: id)
}

/// Makes a ``Form`` that can't be saved.
public func form(@ListBuilder<any FormField> _ fields: () -> [any FormField]) -> Form {
    Form(fields: fields())
}
