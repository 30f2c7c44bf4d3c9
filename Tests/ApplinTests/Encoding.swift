import Backlot

@testable import Applin

/// The widget's exact bytes, as text.
func encoded(_ widget: some Widget, dialect: Dialect = .documented) -> String {
    var writer = JSONWriter(dialect: dialect)
    widget.encode(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// Wraps a back button, which isn't a widget, to use it as one.
struct StartWidget: Widget {
    let button: BackButton
    var typ: StaticString { button.typ }

    init(@ActionListBuilder _ actions: () -> [any Action]) { button = backButton(actions) }

    func encode(into writer: inout JSONWriter) { button.encode(into: &writer) }
}

/// The page's exact bytes, as text, without the object around it.
func encoded(_ page: some Page, dialect: Dialect = .documented) -> String {
    var writer = JSONWriter(dialect: dialect)
    page.encode(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

extension Response {
    /// The body as text; empty for one that isn't there in bytes.
    var bodyText: String {
        guard case .bytes(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The exact bytes of a button's `actions`, as text.
func encodedActions(
    _ dialect: Dialect = .documented,
    @ActionListBuilder _ actions: () -> [any Action]
) -> String {
    String(
        encoded(StartWidget(actions), dialect: dialect).dropFirst(#"{"typ":"back_button","actions":"#.count).dropLast()
    )
}
