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
