public import Backlot

// Statements that don't belong into a list, each with a message from the compiler.

extension ListBuilder where Element == any Widget {
    /// Not available: an option belongs to a widget.
    @available(*, unavailable, message: "an option belongs into multiValue(…) { … } or switchEnvironment(…) { … }")
    public static func buildExpression(_ option: MultiValue.Option) -> [Element] { [] }

    /// Not available: an option is one of a widget's.
    @available(*, unavailable, message: "options belong into multiValue(…) { … } or switchEnvironment(…) { … }")
    public static func buildExpression(_ options: [MultiValue.Option]) -> [Element] { [] }

    /// Not available: a document is a whole screen.
    @available(*, unavailable, message: "a document can't stand in a document: write its widgets here")
    public static func buildExpression(_ document: Document) -> [Element] { [] }
}

extension ListBuilder where Element == MultiValue.Option {
    /// Not available: the only choices are options.
    @available(*, unavailable, message: "only options stand here: write option(\"Text.key\", id: \"…\")")
    public static func buildExpression(_ widget: some Widget) -> [Element] { [] }
}

extension DynamicViewsApp {
    /// Not available: clients load whole documents.
    @available(*, unavailable, message: "a view is a document: write document { … } around the widgets")
    public func view(_ name: String, _ handler: @escaping @Sendable (Request) async throws -> some Widget) -> View {
        interactions(with: name)
    }
}
