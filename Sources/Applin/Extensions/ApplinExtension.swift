internal import Backlot

/// A widget or an action that an app's own clients know in addition to Applin's.
///
/// A released client rejects a page with an unknown widget or action. If you build your own client, declare here the widgets and
/// actions that it adds to Applin's. Pages with them then pass validation, and mistakes in them are findings:
/// ```swift
/// router.applin("/", extensions: [
///     .widget("star_rating", keys: [.required("var_name", .string), .optional("stars", .wholeNumber(0...5))]),
///     .action("share", argument: "text", keys: [.required("text", .string)]),
/// ]) { app in
///     app.page("/rate") { _ in navPage("Rate") { StarRating(name: "stars") } }
/// }
///
/// struct StarRating: Widget {
///     let name: String
///     var typ: StaticString { "star_rating" }
///     func encode(into writer: inout JSONWriter) {
///         writer.object {
///             $0.field("typ", "star_rating")
///             $0.field("var_name", name)
///         }
///     }
/// }
/// ```
/// Headless clients and preview find the widgets inside your widget under the keys `widget` and `widgets`, and run its actions when
/// it is tapped. They skip your own actions, and run the next ones.
public struct ApplinExtension: Sendable, Hashable {
    enum Place: Sendable { case widget, action }

    let place: Place
    let typ: String
    let argument: String?
    let keys: [Key]

    /// A widget.
    ///
    /// - Parameters:
    ///   - typ: its name on the wire, in lower case with underscores: `star_rating`.
    ///   - keys: the keys of its object besides `typ`.
    public static func widget(_ typ: String, keys: [Key] = []) -> ApplinExtension {
        ApplinExtension(place: .widget, typ: typ, argument: nil, keys: keys)
    }

    /// An action.
    ///
    /// - Parameters:
    ///   - typ: its name on the wire, in lower case with underscores: `share`.
    ///   - argument: the key of the text after the name and a colon, if actions are strings (`"share:Hello"`); nil for an action
    ///     without an argument.
    ///   - keys: the keys of its object besides `typ`, including the argument.
    public static func action(_ typ: String, argument: String? = nil, keys: [Key] = []) -> ApplinExtension {
        ApplinExtension(place: .action, typ: typ, argument: argument, keys: keys)
    }
}

extension ApplinExtension {
    /// A key of a widget or an action.
    public struct Key: Sendable, Hashable {
        let name: String
        let value: Value
        let isRequired: Bool

        /// A required key: clients reject a page without it.
        public static func required(_ name: String, _ value: Value) -> Key {
            Key(name: name, value: value, isRequired: true)
        }

        /// A key that may be missing, or null.
        public static func optional(_ name: String, _ value: Value) -> Key {
            Key(name: name, value: value, isRequired: false)
        }
    }

    /// The values that clients accept.
    public enum Value: Sendable, Hashable {
        /// Anything.
        case any
        /// `true` or `false`.
        case bool
        /// A text.
        case string
        /// One of some texts.
        case oneOf([String])
        /// A number.
        case number(ClosedRange<Double>)
        /// A number without a fraction.
        case wholeNumber(ClosedRange<Int64>)
        /// An array of texts.
        case strings
        /// A widget.
        case widget
        /// An array of widgets.
        case widgets
        /// An array of actions.
        case actions
    }
}

extension ApplinExtension {
    /// The extension as a part of the vocabulary.
    var kind: Kind {
        Kind(
            typ,
            as: [place == .widget ? .widget : .action],
            "\(place == .widget ? "A widget" : "An action") of the app's own clients.",
            argument: argument,
            keys: keys.map(\.declaration)
        )
    }

    /// The mistake in the declaration, as a sentence with a fix; nil without a mistake.
    fileprivate var mistake: String? {
        let noun = place == .widget ? "widget" : "action"
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789_")
        guard !typ.isEmpty, typ.allSatisfy(letters.contains) else {
            return
                "the name of the \(noun) \(typ.quoted) has other characters than a to z, 0 to 9 and _: write it as in star_rating"
        }
        if ApplinVocabulary.all.kind(typ, as: place == .widget ? .widget : .action) != nil {
            return "there is \(noun.withArticle) \(typ.quoted) in Applin already: give yours another name"
        }
        if let name = keys.map(\.name).first(where: { $0.isEmpty || $0 == "typ" }) {
            return "the \(noun) \(typ.quoted) has a key \(name.quoted): give the key another name"
        }
        var seen: Set<String> = []
        if let twice = keys.map(\.name).first(where: { !seen.insert($0).inserted }) {
            return "the \(noun) \(typ.quoted) has the key \(twice.quoted) twice: remove one of the two"
        }
        if let argument, !seen.contains(argument) {
            return "the action \(typ.quoted) has no key \(argument.quoted), which its argument names: add the key"
        }
        return nil
    }
}

extension [ApplinExtension] {
    /// The mistakes in the declarations.
    var mistakes: [String] {
        let twice = indices.filter { index in
            prefix(index).contains { $0.place == self[index].place && $0.typ == self[index].typ }
        }
        return compactMap(\.mistake)
            + twice.map { "the extension \(self[$0].typ.quoted) is declared twice: remove one" }
    }

    /// The facts for preview: the names of the widgets and of the actions.
    var facts: [String: String] {
        let names = { (place: ApplinExtension.Place) in filter { $0.place == place }.map(\.typ).joined(separator: ",") }
        return isEmpty ? [:] : ["widgets": names(.widget), "actions": names(.action)]
    }
}

extension ApplinExtension.Key {
    fileprivate var declaration: Key {
        isRequired
            ? .required(name, value.type, "A key of the app's own clients.")
            : .optional(name, value.type, "A key of the app's own clients.")
    }
}

extension ApplinExtension.Value {
    fileprivate var type: ValueType {
        switch self {
        case .any: .any
        case .bool: .bool
        case .string: .string
        case .oneOf(let texts): .oneOf(texts.map { Name(text: $0) }, ifUnknown: .refusal)
        case .number(let range): .number(range)
        case .wholeNumber(let range): .integer(range)
        case .strings: .array(.string)
        case .widget: .object(.widget)
        case .widgets: .objects(.widget)
        case .actions: .objects(.action)
        }
    }
}
