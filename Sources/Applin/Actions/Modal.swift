public import BacklotJSON

/// Asks the user something. Each button has actions of its own; those after the modal in its list never run.
///
/// Source: not documented; clients since 0.31 have it.
public struct Modal: Action {
    /// The question, or what is said.
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
    public consuming func message(_ message: String?) -> Modal {
        self.message = message
        return consume self
    }
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
