/// Builds the actions of a button from the statements between its braces: actions, `if`, `if let`, `switch`, `for`, and
/// arrays of actions, which are spliced in.
///
/// Unlike ``WidgetListBuilder`` it makes do with arrays, which may be copied at each step: lists of actions are short.
@resultBuilder
public enum ActionListBuilder {
    /// A button without actions, which is disabled.
    public static func buildBlock() -> [any Action] { [] }

    /// One action.
    public static func buildExpression(_ action: consuming some Action) -> any Action { action }

    /// Actions made elsewhere.
    public static func buildExpression(_ actions: [any Action]) -> [any Action] { actions }

    /// The first statement of a block, when it is one action.
    public static func buildPartialBlock(first: any Action) -> [any Action] { [first] }

    /// The first statement of a block, when it is an array or has a block of its own.
    public static func buildPartialBlock(first: consuming [any Action]) -> [any Action] { first }

    /// Each further statement of a block, when it is one action.
    public static func buildPartialBlock(
        accumulated: consuming [any Action],
        next: any Action
    ) -> [any Action] {
        accumulated.append(next)
        return accumulated
    }

    /// Each further statement of a block, when it is an array or has a block of its own.
    public static func buildPartialBlock(
        accumulated: consuming [any Action],
        next: [any Action]
    ) -> [any Action] {
        accumulated.append(contentsOf: next)
        return accumulated
    }

    /// `if` without `else`.
    public static func buildOptional(_ actions: [any Action]?) -> [any Action] { actions ?? [] }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(first: [any Action]) -> [any Action] { first }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(second: [any Action]) -> [any Action] { second }

    /// `for`.
    public static func buildArray(_ rounds: [[any Action]]) -> [any Action] { rounds.flatMap(\.self) }

    /// `if #available`.
    public static func buildLimitedAvailability(_ actions: [any Action]) -> [any Action] { actions }
}

/// What doesn't belong here, with the words that the compiler says about it.
extension ActionListBuilder {
    /// Not available: a widget must be put beside the button.
    @available(*, unavailable, message: "a widget is not an action: write it outside of these braces")
    public static func buildExpression(_ widget: any Widget) -> [any Action] { [] }

    /// Not available: actions are made by functions.
    @available(*, unavailable, message: "a string is not an action: write push(…), rpc(…), pop() or another action")
    public static func buildExpression(_ string: String) -> [any Action] { [] }
}
