/// Builds the widgets of a container from the statements between its braces: widgets, `if`, `if let`, `switch`, `for`, and
/// arrays of widgets, which are spliced in.
///
/// Most statements are one widget each. A separate `buildBlock` makes them the elements of one array without copies.
/// (`buildPartialBlock` would copy the array, or its container, at each step, and big blocks would take several times as long to
/// compile.)
@resultBuilder
public enum WidgetListBuilder {
    /// One widget.
    public static func buildExpression(_ widget: consuming some Widget) -> any Widget { widget }

    /// A widget whose type is known only at run time, such as `isOpen ? text("Open") : errorText("Closed")`.
    @_disfavoredOverload
    public static func buildExpression(_ widget: any Widget) -> any Widget { widget }

    /// An array of widgets, which becomes part of the container.
    public static func buildExpression(_ widgets: [any Widget]) -> [any Widget] { widgets }

    /// A container without widgets.
    public static func buildBlock() -> [any Widget] { [] }

    /// Statements that are one widget each.
    public static func buildBlock(_ widgets: any Widget...) -> [any Widget] { widgets }

    /// A single statement, which may be several widgets.
    public static func buildBlock(_ widgets: [any Widget]) -> [any Widget] { widgets }

    /// Several statements, some with several widgets each.
    public static func buildBlock(_ parts: any WidgetListPart...) -> [any Widget] {
        var widgets: [any Widget] = []
        for part in parts { part.add(to: &widgets) }
        return widgets
    }

    /// `if` without `else`.
    public static func buildOptional(_ widgets: [any Widget]?) -> [any Widget] { widgets ?? [] }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(first: [any Widget]) -> [any Widget] { first }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(second: [any Widget]) -> [any Widget] { second }

    /// `for`.
    public static func buildArray(_ rounds: [[any Widget]]) -> [any Widget] { rounds.flatMap(\.self) }

    /// `if #available`.
    public static func buildLimitedAvailability(_ widgets: [any Widget]) -> [any Widget] { widgets }
}

/// The result of a statement between a container's braces: one widget, or several.
public protocol WidgetListPart {
    /// Adds the widget, or the widgets, to a list.
    func add(to widgets: inout [any Widget])
}

extension Widget {
    /// Adds the widget to a list.
    public func add(to widgets: inout [any Widget]) { widgets.append(self) }
}

extension [any Widget]: WidgetListPart {
    /// Adds the widgets to a list.
    public func add(to widgets: inout [any Widget]) { widgets.append(contentsOf: self) }
}

/// Statements that can't stand in a container. The compiler refuses each with a message.
extension WidgetListBuilder {
    /// Not available: a text must be put into a widget.
    @available(*, unavailable, message: "a string is not a widget: write text(…)")
    public static func buildExpression(_ string: String) -> any Widget { empty() }

    /// Not available: clients accept a back button only at the start of a nav page.
    @available(
        *,
        unavailable,
        message: "a back button stands only at a page's start: navPage(…) { … }.start { backButton { … } }"
    )
    public static func buildExpression(_ button: BackButton) -> any Widget { empty() }

    /// Not available: an action must be put into a widget.
    @available(*, unavailable, message: "an action is not a widget: write it between the braces of a button")
    public static func buildExpression(_ action: any Action) -> any Widget { empty() }

    /// Not available: add the page to the app, and let other pages lead to its path.
    @available(
        *,
        unavailable,
        message: "a page can't stand in a page: add it with app.page(…), and lead to it with push(…)"
    )
    public static func buildExpression(_ page: any Page) -> any Widget { empty() }

    /// Not available: the statement has no value.
    @available(*, unavailable, message: "only widgets stand here: write this above the page, or as let _ = print(…)")
    public static func buildExpression(_ nothing: Void) -> any Widget { empty() }
}
