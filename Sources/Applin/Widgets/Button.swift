internal import Backlot
public import BacklotJSON

/// A button that performs actions.
///
/// Source: Applin documentation, Widgets, button.
public struct Button: Widget {
    /// The text on the button; it must hold a symbol other than white space.
    public let text: String
    /// The actions of a tap, run in this order up to the first failure. An empty list disables the button.
    public let actions: [any Action]

    /// `button`
    public var typ: StaticString { "button" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("text", text)
            $0.field("actions", actions)
        }
    }
}

extension Button {
    static let vocabulary = Kind(
        "button",
        as: [.widget],
        "A button that performs actions.",
        keys: [.buttonText, .buttonActions]
    )
}

/// Makes a ``Button``; with empty braces it is disabled.
public func button(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> Button {
    Button(text: text, actions: actions())
}

/// A button that performs actions, made to stand in a form.
///
/// Source: Applin documentation, Widgets, form_button.
public struct FormButton: Widget {
    /// The text on the button; it must hold a symbol other than white space.
    public let text: String
    /// The actions of a tap, run in this order up to the first failure. An empty list disables the button.
    public var actions: [any Action] { content.actions }
    private var content: ButtonContent<Align>

    /// `form_button`
    public var typ: StaticString { "form_button" }

    init(text: String, actions: [any Action]) {
        self.text = text
        content = ButtonContent(actions)
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("text", text)
            $0.field("align", content.details?.rawValue)
            $0.field("actions", actions)
        }
    }

    /// Places the button in the form's width. Without it, it stands in the middle.
    public consuming func align(_ align: Align?) -> FormButton { changing(self) { $0.content.details = align } }
}

extension FormButton {
    static let vocabulary = Kind(
        "form_button",
        as: [.widget],
        "A button that performs actions, made to stand in a form.",
        keys: [
            .buttonText,
            .optional("align", .align, "Where the button stands in the form's width.", default: "center"),
            .buttonActions,
        ]
    )
}

/// Makes a ``FormButton``; with empty braces it is disabled.
public func formButton(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> FormButton {
    FormButton(text: text, actions: actions())
}

/// The back button of a nav page, with other actions than `pop`.
///
/// It can only be a nav page's ``NavPage/start(_:)``. Clients then disable the swipe-back gesture on iOS. When an action
/// fails the page stays: people must have another way out.
///
/// Source: Applin documentation, Widgets, back_button.
public struct BackButton: NavPageStart {
    /// The actions of a tap, run in this order up to the first failure. An empty list disables the button.
    public let actions: [any Action]

    /// `back_button`
    public var typ: StaticString { "back_button" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("actions", actions)
        }
    }
}

extension BackButton {
    static let vocabulary = Kind(
        "back_button",
        as: [.widget],
        "The back button of a nav page, with other actions than pop.",
        keys: [.buttonActions]
    )
}

/// Makes a ``BackButton``; with empty braces it is disabled.
public func backButton(@ActionListBuilder _ actions: () -> [any Action]) -> BackButton {
    BackButton(actions: actions())
}

extension Key {
    /// The text of a button.
    static let buttonText = required(
        "text",
        .string,
        "The text on the button; it must hold a symbol other than white space."
    )

    /// The actions of a button.
    static let buttonActions = recommended(
        "actions",
        .objects(.action),
        otherwise: [],
        "The actions of a tap, run in this order up to the first failure; an empty list disables the button."
    )
}
