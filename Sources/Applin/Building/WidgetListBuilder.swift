/// Builds the widgets of a container from the statements between its braces: widgets, `if`, `if let`, `switch`, `for`, and
/// arrays of widgets, which are spliced in.
@resultBuilder
public enum WidgetListBuilder {
    /// The widgets of one block of statements, on their way from one step of the builder to the next.
    ///
    /// It is a class because the compiler keeps each step's result alive until the end of the block: an array would be
    /// shared at every step, and be copied as often as there are widgets.
    public final class Block {
        var widgets: [any Widget]

        init(_ widgets: consuming [any Widget]) {
            self.widgets = widgets
        }

        /// Takes the array out while it changes: that spares the bookkeeping which Swift does for a change inside an object.
        func append(_ widget: any Widget) {
            var list: [any Widget] = []
            swap(&list, &widgets)
            list.append(widget)
            swap(&list, &widgets)
        }
    }

    /// A container without widgets.
    public static func buildBlock() -> Block { Block([]) }

    /// One widget.
    public static func buildExpression(_ widget: consuming some Widget) -> any Widget { widget }

    /// Widgets made elsewhere.
    public static func buildExpression(_ widgets: [any Widget]) -> [any Widget] { widgets }

    /// The first statement of a block, when it is one widget.
    public static func buildPartialBlock(first: any Widget) -> Block {
        var widgets: [any Widget] = []
        widgets.reserveCapacity(8)  // most containers hold fewer
        widgets.append(first)
        return Block(widgets)
    }

    /// The first statement of a block, when it is an array.
    public static func buildPartialBlock(first: [any Widget]) -> Block { Block(first) }

    /// The first statement of a block, when it has a block of its own.
    public static func buildPartialBlock(first: Block) -> Block { first }

    /// Each further statement of a block, when it is one widget.
    public static func buildPartialBlock(accumulated: consuming Block, next: any Widget) -> Block {
        accumulated.append(next)
        return accumulated
    }

    /// Each further statement of a block, when it is an array.
    public static func buildPartialBlock(accumulated: consuming Block, next: [any Widget]) -> Block {
        accumulated.widgets.append(contentsOf: next)
        return accumulated
    }

    /// Each further statement of a block, when it has a block of its own.
    public static func buildPartialBlock(accumulated: consuming Block, next: Block) -> Block {
        accumulated.widgets.append(contentsOf: next.widgets)
        return accumulated
    }

    /// `if` without `else`.
    public static func buildOptional(_ block: Block?) -> Block { block ?? Block([]) }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(first: Block) -> Block { first }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(second: Block) -> Block { second }

    /// `for`.
    public static func buildArray(_ rounds: [Block]) -> Block { Block(rounds.flatMap(\.widgets)) }

    /// `if #available`.
    public static func buildLimitedAvailability(_ block: Block) -> Block { block }

    /// The end of the outermost block.
    public static func buildFinalResult(_ block: Block) -> [any Widget] { block.widgets }
}

/// What doesn't belong here, with the words that the compiler says about it.
extension WidgetListBuilder {
    /// Not available: a text must be put into a widget.
    @available(*, unavailable, message: "a string is not a widget: write text(…)")
    public static func buildExpression(_ string: String) -> any Widget { empty() }

    /// Not available: an action must be put into a widget.
    @available(*, unavailable, message: "an action is not a widget: write it between the braces of a button")
    public static func buildExpression(_ action: any Action) -> any Widget { empty() }
}
