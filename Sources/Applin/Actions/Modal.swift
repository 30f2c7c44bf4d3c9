public import Backlot

// The builder of lists comes with this module: modals need no import of Backlot for it.
@_exported public import enum Backlot.ListBuilder

/// Asks the user something. Each button has its own actions. The actions after the modal in its list never run.
///
/// Source: not documented; clients since 0.31 have it.
public struct Modal: Action, KeyedObject {
    /// The question or message.
    public let title: String
    /// The buttons, from top to bottom; at least one.
    public let buttons: [ModalButton]
    var message: String?

    /// `modal`
    public var typ: StaticString { "modal" }

    /// Clients of the documented dialect know no such action.
    public var hasStringForm: Bool { false }

    static let vocabulary = Kind(Modal(title: "", buttons: []), "Asks the user something.", support: .since("0.31"))

    /// Writes the fields after `typ`, if actions are objects.
    public func encodeFields(into writer: inout JSONWriter) { keys(&writer) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("title", title).required("The question or message.")
        keys("message", message).optional("More below the title.")
        keys("buttons", buttons).required(
            "The buttons, from top to bottom.",
            .array(.object(.modalButton), .atLeast(1))
        )
    }

    /// Says more below the title.
    public consuming func message(_ message: String?) -> Modal { changing(self) { $0.message = message } }
}

/// Makes a ``Modal``:
/// ```swift
/// modal("Delete the note?") {
///     modalButton("Delete", rpc("/delete_note"), pop()).destructive()
///     modalButton("Cancel") {}
/// }
/// ```
public func modal(_ title: String, @ListBuilder<ModalButton> _ buttons: () -> [ModalButton]) -> Modal {
    Modal(title: title, buttons: buttons())
}

/// A button of a ``Modal``. Clients show a button with the text `Cancel` apart from the others; two of them crash clients.
public struct ModalButton: Sendable, KeyedObject {
    /// The text on the button.
    public let text: String
    /// The actions of a tap. An empty list only closes the modal.
    public let actions: [any Action]
    var isDestructive = false
    var id: String?

    /// Gives the button an id for tools and tests. Clients pass over it.
    public consuming func id(_ id: String?) -> ModalButton { changing(self) { $0.id = id } }

    /// Shows the button as one that destroys something.
    public consuming func destructive(_ isDestructive: Bool = true) -> ModalButton {
        changing(self) { $0.isDestructive = isDestructive }
    }

    package var wireName: StaticString { "button" }
    package static var roles: [Role] { [.modalButton] }
    static let vocabulary = Kind(ModalButton(text: "", actions: []), "A button of a modal.", noun: "a modal's button")

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("text", isDestructive ? "!\(text)" : text).required(
            "The text on the button; a leading ! marks one that destroys something."
        )
        keys("actions", actions).required("The actions of a tap; an empty list only closes the modal.")
        keys("id", id).optional(ApplinVocabulary.id.meaning)
    }
}

/// Makes a ``ModalButton`` with few actions.
///
/// ```swift
/// modalButton("Delete", rpc("/delete"), pop()).destructive()
/// ```
public func modalButton(
    _ text: String,
    _ first: any Action,
    _ second: (any Action)? = nil,
    _ more: any Action...
) -> ModalButton {
    ModalButton(text: text, actions: .init(first, second, more))
}

/// Makes a ``ModalButton``, with `if` and `for` among its actions; with empty braces it only closes the modal.
///
/// ```swift
/// modal("Call the clinic?") {
///     modalButton("Call") { launchURL("tel:+4712345678") }
///     modalButton("Not now") {}
/// }
/// ```
public func modalButton(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> ModalButton {
    ModalButton(text: text, actions: actions())
}

extension ListBuilder where Element == ModalButton {
    /// Not available: a modal without a button could not be closed.
    @available(*, unavailable, message: "a modal needs a button: write modalButton(…) { … }")
    public static func buildBlock() -> [Element] { [] }

    /// Not available: an action belongs to a button.
    @available(*, unavailable, message: "an action belongs to a button: write modalButton(…) { … } around it")
    public static func buildExpression(_ action: any Action) -> [Element] { [] }
}
