public import BacklotJSON

/// What shows a tab, or what an item leads to: a class of the clients, with its data.
///
/// The function of its wire name makes one: ``newsViewController(_:)``, ``galleryViewController(_:)``,
/// ``webViewController(_:)``, ``movieViewController(_:)``. What it doesn't say, clients take as the reference has it.
///
/// Source: Floki server protocols, General app data, class_type.
public protocol ViewController: Sendable {
    /// The name of the class, such as `News_view_controller`.
    var className: StaticString { get }

    /// What it shows: the address without the code of the language, which clients append.
    var mainURL: Link { get }

    /// Writes the members of `data`, but for `main_url`.
    func encode(into writer: inout JSONWriter, _ texts: TextLookup)
}

/// Finds the number of a text.
public struct TextLookup: Sendable {
    private let numbers: TextNumbers?

    init(_ numbers: TextNumbers?) { self.numbers = numbers }

    /// The number of a text; nil in an item, where texts are in a language already, and for a text that the app doesn't have.
    public func number(of name: TextName) -> Int? { numbers?[name] }
}

extension ViewController {
    /// Changes a copy.
    func setting<Value>(_ path: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }

    /// Writes `class_type` and `data`.
    func encodeMembers(into writer: inout JSONWriter, _ texts: TextLookup) {
        writer.field("class_type", "\(className)")
        writer.object("data") { writer in
            writer.field("main_url", mainURL)
            encode(into: &writer, texts)
        }
    }
}
