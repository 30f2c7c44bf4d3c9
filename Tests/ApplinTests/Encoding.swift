import Applin
import BacklotJSON

/// The widget's exact bytes, as text.
func encoded(_ widget: some Widget) -> String {
    var writer = JSONWriter()
    widget.encode(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// The page's exact bytes, as text, without the object around it.
func encoded(_ page: some Page) -> String {
    var writer = JSONWriter()
    page.encode(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// The exact bytes of a button's `actions`, as text.
func encodedActions(@ActionListBuilder _ actions: () -> [any Action]) -> String {
    String(encoded(backButton(actions)).dropFirst(#"{"typ":"back_button","actions":"#.count).dropLast())
}
