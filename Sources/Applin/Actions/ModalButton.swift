import BacklotJSON

/// A button of a ``Modal``. One with the text `Cancel` stands apart; two of them crash clients.
public struct ModalButton: Sendable {
    /// What stands on it.
    public let text: String
    /// What a tap does. None: it only closes the modal.
    public let actions: [any Action]
    var isDestructive = false

    /// Shows the button as one that destroys something.
    public consuming func destructive(_ isDestructive: Bool = true) -> ModalButton {
        self.isDestructive = isDestructive
        return consume self
    }

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("text", isDestructive ? "!\(text)" : text)
            $0.field("actions", actions)
        }
    }
}

/// Makes a ``ModalButton``; with empty braces it only closes the modal.
public func modalButton(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> ModalButton {
    ModalButton(text: text, actions: actions())
}
