import BacklotJSON

/// Something that browsers are told of while they show preview.
enum PreviewEvent: Sendable {
    /// The connection is there. `instance` is another one once the server was started again.
    case hello(instance: String)
    /// Pages may have changed.
    case changed
    /// A request was answered.
    case exchange(JSONValue)
    /// Nothing: it shows whether the browser is still there.
    case beat

    /// The event as it goes over the wire (HTML, section 9.2.5).
    var text: String {
        switch self {
        case .hello(let instance): Self.text("hello", ["instance": .string(instance)])
        case .changed: Self.text("changed", [:])
        case .exchange(let exchange): Self.text("exchange", exchange)
        case .beat: ": beat\n\n"
        }
    }

    private static func text(_ name: String, _ data: JSONValue) -> String {
        // JSON has no line breaks of its own.
        "event: \(name)\ndata: \(String(decoding: data.bytes, as: UTF8.self))\n\n"
    }
}
