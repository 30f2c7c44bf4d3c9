internal import Backlot
public import BacklotJSON

/// Asks the user something. Each button has its own actions. The actions after the modal in its list never run.
///
/// Source: not documented; clients since 0.31 have it.
public struct Modal: Action {
    /// The question or message.
    public let title: String
    /// The buttons, from top to bottom; at least one.
    public let buttons: [ModalButton]
    var message: String?

    /// `modal`
    public var typ: StaticString { "modal" }

    /// Clients of the documented dialect know no such action.
    public var hasStringForm: Bool { false }

    /// Writes the fields after `typ` where actions are objects.
    public func encodeFields(into writer: inout JSONWriter) {
        writer.field("title", title)
        writer.field("message", message)
        writer.array("buttons") { writer in
            for button in buttons { button.encode(into: &writer) }
        }
    }

    /// Says more below the title.
    public consuming func message(_ message: String?) -> Modal { changing(self) { $0.message = message } }
}

extension Modal {
    static let vocabulary = Kind(
        "modal",
        as: [.action],
        "Asks the user something.",
        support: .since("0.31"),
        keys: [
            .required("title", .string, "The question or message."),
            .optional("message", .string, "More below the title."),
            .required("buttons", .array(.object(.modalButton), .atLeast(1)), "The buttons, from top to bottom."),
        ]
    )
}

/// Makes a ``Modal``:
/// ```swift
/// modal("Delete the note?") {
///     modalButton("Delete") { rpc("/delete_note"); pop() }.destructive()
///     modalButton("Cancel") {}
/// }
/// ```
public func modal(_ title: String, @ModalButtonBuilder _ buttons: () -> [ModalButton]) -> Modal {
    Modal(title: title, buttons: buttons())
}

/// A button of a ``Modal``. One with the text `Cancel` stands apart; two of them crash clients.
public struct ModalButton: Sendable {
    /// The text on the button.
    public let text: String
    /// The actions of a tap. An empty list only closes the modal.
    public let actions: [any Action]
    var isDestructive = false

    /// Shows the button as one that destroys something.
    public consuming func destructive(_ isDestructive: Bool = true) -> ModalButton {
        changing(self) { $0.isDestructive = isDestructive }
    }

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("text", isDestructive ? "!\(text)" : text)
            $0.field("actions", actions)
        }
    }
}

extension ModalButton {
    static let vocabulary = Kind(
        "button",
        as: [.modalButton],
        "A button of a modal.",
        noun: "a modal's button",
        keys: [
            .required("text", .string, "The text on the button; a leading ! marks one that destroys something."),
            .required("actions", .objects(.action), "The actions of a tap; an empty list only closes the modal."),
        ]
    )
}

/// Makes a ``ModalButton``; with empty braces it only closes the modal.
public func modalButton(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> ModalButton {
    ModalButton(text: text, actions: actions())
}

/// Builds the buttons of a modal from the statements between its braces: buttons, `if`, `if let`, `switch`, `for`, and arrays
/// of buttons.
@resultBuilder
public enum ModalButtonBuilder {
    /// One button.
    public static func buildExpression(_ button: ModalButton) -> [ModalButton] { [button] }

    /// Buttons made elsewhere.
    public static func buildExpression(_ buttons: [ModalButton]) -> [ModalButton] { buttons }

    /// The first statement of a block.
    public static func buildPartialBlock(first: [ModalButton]) -> [ModalButton] { first }

    /// Each further statement of a block.
    public static func buildPartialBlock(accumulated: [ModalButton], next: [ModalButton]) -> [ModalButton] {
        accumulated + next
    }

    /// `if` without `else`.
    public static func buildOptional(_ buttons: [ModalButton]?) -> [ModalButton] { buttons ?? [] }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(first: [ModalButton]) -> [ModalButton] { first }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(second: [ModalButton]) -> [ModalButton] { second }

    /// `for`.
    public static func buildArray(_ rounds: [[ModalButton]]) -> [ModalButton] { rounds.flatMap(\.self) }

    /// Not available: a modal without a button could not be closed.
    @available(*, unavailable, message: "a modal needs a button: write modalButton(…) { … }")
    public static func buildBlock() -> [ModalButton] { [] }

    /// Not available: an action belongs to a button.
    @available(*, unavailable, message: "an action belongs to a button: write modalButton(…) { … } around it")
    public static func buildExpression(_ action: any Action) -> [ModalButton] { [] }
}
