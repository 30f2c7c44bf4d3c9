public import Backlot

/// A view controller of the clients, with its data. It shows a tab, or is opened by an entry.
///
/// The functions with the wire names make them: ``newsViewController(_:)``, ``galleryViewController(_:)``,
/// ``webViewController(_:)``, ``movieViewController(_:)``. For each property that isn't set, clients assume the default of the
/// reference.
///
/// Source: Floki server protocols, General app data, class_type.
public protocol ViewController: Sendable {
    /// The name of the class, such as `News_view_controller`.
    var className: StaticString { get }

    /// The address of the content, without the code of the language, which clients append.
    var mainURL: Link { get }

    /// Writes the members of `data`, except `main_url`.
    func encode(into writer: inout JSONWriter, _ texts: TextLookup)
}

/// Finds the numbers of texts.
public struct TextLookup: Sendable {
    private let numbers: TextNumbers?

    init(_ numbers: TextNumbers?) { self.numbers = numbers }

    /// The number of a text; nil for a text that the app lacks. It is also nil inside an item, because an item's texts are already
    /// in one language.
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

extension Role {
    /// The `data` of a tab or an entry. The `class_type` beside it has the kind's name.
    static let controller = Role("view controller", .parentKey("class_type"))
}

/// Keys that several controllers have.
extension Key {
    /// Tabs need this key. An entry has its `url` instead.
    static let mainURL = optional("main_url", .string, "The address; clients append the code of the language.")
    static let cacheSize = optional("cache_size", .positive, "The most entries that clients keep.", default: 50)
    static let ttl = optional(
        "ttl",
        .positive,
        "The time between fetches of the feed, in seconds.",
        default: 300,
        rule: "ttl-out-of-range"
    )
    static let downloadIfVirgin = optional(
        "download_if_virgin",
        .bool,
        "Whether the view fetches the feed when it is first shown, regardless of its age.",
        default: false
    )
    static let allowManualReload = optional(
        "allow_manual_reload",
        .bool,
        "Whether a button fetches the feed again.",
        default: false
    )
    static let moreItemsURL = optional(
        "more_items_url",
        .string,
        "The address of older entries, for clients that don't send `o`; clients replace _LNG_."
    )

    /// A number of pixels, lines or points.
    static func size(_ name: String, _ meaning: String, default usual: Int64) -> Key {
        .optional(name, .positive, meaning, default: .number(JSONNumber(usual)))
    }
}

/// Classes of the clients that this library never writes.
enum UnwrittenControllers {
    /// Whether a class is the default of items or thumbs.
    static func areDefaults(_ name: String) -> Bool { name == item.name || name == photo.name }

    /// The default of items: a page, which needs no data.
    static let item = Kind("Item_view_controller", as: [.controller], "The page of an item.", keys: [.mainURL])
    /// The default of thumbs: the whole picture, which needs no data.
    static let photo = Kind("Photo_view_controller", as: [.controller], "The picture of a thumb.", keys: [.mainURL])
    /// A class that the reference describes, but that clients don't implement.
    static let preferences = Kind(
        "Preferences_view_controller",
        as: [.controller],
        "Settings of the app, which no client implements.",
        keys: [
            .unwritten("language_position", .number, "The position of the language; 0 or less hides it."),
            .unwritten("cache_info_position", .number, "The position of the cache's size; 0 or less hides it."),
            .unwritten("clear_cache_position", .number, "The position of the button that empties the cache."),
            .unwritten("text_position", .number, "The position of the text."),
            .unwritten("text_string", .positive, "The number of the text."),
        ]
    )
}

/// The values of a kind's keys.
struct KeyedValues: Sendable, Keyed {
    private var members: [String: JSONValue] = [:]

    var values: KeyedValues {
        get { self }
        set { self = newValue }
    }

    subscript(key: String) -> JSONValue? {
        get { members[key] }
        set { members[key] = newValue }
    }

    /// Writes the members in the order of the kind's keys, except those with the values that clients assume anyway.
    func encode(into writer: inout JSONWriter, _ kind: Kind) {
        for key in kind.keys {
            if let value = members[key.name], value != key.defaultValue { writer.member(key.name, value) }
        }
    }
}

/// A value with modifiers that set keys.
protocol Keyed {
    var values: KeyedValues { get set }
}

extension Keyed {
    func with(_ key: String, json value: JSONValue) -> Self {
        var copy = self
        copy.values[key] = value
        return copy
    }

    func with(_ key: String, _ number: Int) -> Self { with(key, json: .number(JSONNumber(Int64(number)))) }
    func with(_ key: String, _ isOn: Bool) -> Self { with(key, json: .bool(isOn)) }
    func with(_ key: String, _ color: Color) -> Self { with(key, json: color.json) }
    func with(_ key: String, _ text: String) -> Self { with(key, json: .string(text)) }

    /// Sets a key to a list of texts. Without texts, leaves the key out.
    func with(_ key: String, _ texts: [String]) -> Self {
        var copy = self
        copy.values[key] = texts.isEmpty ? nil : .array(texts.map(JSONValue.string))
        return copy
    }
}

/// A view controller with modifiers that set the keys of `data`.
protocol KeyedController: ViewController, Keyed {
    /// The keys of `data`.
    static var vocabulary: Kind { get }
}

extension KeyedController {
    /// Writes the members of `data`.
    public func encode(into writer: inout JSONWriter, _ texts: TextLookup) {
        values.encode(into: &writer, Self.vocabulary)
    }
}

extension JSONValue {
    static func numbers(_ numbers: [Int]) -> JSONValue { .array(numbers.map { .number(JSONNumber(Int64($0))) }) }
}
