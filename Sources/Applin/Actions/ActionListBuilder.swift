/// Builds the actions of a button from the statements between its braces: actions, `if`, `if let`, `switch`, `for`, and arrays of
/// actions, which are spliced in. It works like ``WidgetListBuilder``.
@resultBuilder
public enum ActionListBuilder {
    /// One action.
    public static func buildExpression(_ action: consuming some Action) -> any Action { action }

    /// An action of several types, as in `isFirst ? push("/next") : pop()`.
    @_disfavoredOverload
    public static func buildExpression(_ action: any Action) -> any Action { action }

    /// Actions made elsewhere.
    public static func buildExpression(_ actions: [any Action]) -> [any Action] { actions }

    /// A button without actions, which is disabled.
    public static func buildBlock() -> [any Action] { [] }

    /// Statements that are one action each.
    public static func buildBlock(_ actions: any Action...) -> [any Action] { actions }

    /// One statement that may be several actions.
    public static func buildBlock(_ actions: [any Action]) -> [any Action] { actions }

    /// Statements, some with several actions.
    public static func buildBlock(_ parts: any ActionListPart...) -> [any Action] {
        var actions: [any Action] = []
        for part in parts { part.add(to: &actions) }
        return actions
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

/// The result of a statement between a button's braces: one action, or several.
public protocol ActionListPart {
    /// Adds the action, or the actions, to a list.
    func add(to actions: inout [any Action])
}

extension Action {
    /// Adds the action to a list.
    public func add(to actions: inout [any Action]) { actions.append(self) }
}

extension [any Action]: ActionListPart {
    /// Adds the actions to a list.
    public func add(to actions: inout [any Action]) { actions.append(contentsOf: self) }
}

/// Statements that don't belong here, each with a message from the compiler.
extension ActionListBuilder {
    /// Not available: a widget must be put beside the button.
    @available(*, unavailable, message: "a widget is not an action: write it outside of these braces")
    public static func buildExpression(_ widget: any Widget) -> [any Action] { [] }

    /// Not available: actions are made by functions.
    @available(*, unavailable, message: "a string is not an action: write push(…), rpc(…), pop() or another action")
    public static func buildExpression(_ string: String) -> [any Action] { [] }

    /// Not available: add the page to the app, and let other pages lead to its path.
    @available(*, unavailable, message: "a page is not an action: add it with app.page(…), and lead to it with push(…)")
    public static func buildExpression(_ page: any Page) -> [any Action] { [] }

    /// Not available: the statement has no value.
    @available(*, unavailable, message: "only actions stand here: write this above the page, or as let _ = print(…)")
    public static func buildExpression(_ nothing: Void) -> [any Action] { [] }
}
