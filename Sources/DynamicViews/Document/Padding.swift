import Backlot

/// The space around a widget, or around all of them. Each form keeps its form on the wire; for Android, names become an array.
///
/// Source: Dynamic Views documentation, Configuration; the order of an array's four numbers is the clients'.
public enum Padding: Sendable, Equatable {
    /// The same on every side: `[a]`.
    case all(Double)
    /// The same on opposite sides: `[h, v]`.
    case axes(horizontal: Double, vertical: Double)
    /// A number for each side, in the order of the array: `[l, t, b, r]`.
    case edges(leading: Double, top: Double, bottom: Double, trailing: Double)
    /// Sides by name, as in `{"bottom": 4}`; nil is 0.
    case named(top: Double?, leading: Double?, bottom: Double?, trailing: Double?)

    /// The space above.
    public var top: Double { sides.top }
    /// The space before, which is at the left where text runs from left to right.
    public var leading: Double { sides.leading }
    /// The space below.
    public var bottom: Double { sides.bottom }
    /// The space after, which is at the right where text runs from left to right.
    public var trailing: Double { sides.trailing }

    private var sides: (leading: Double, top: Double, bottom: Double, trailing: Double) {
        switch self {
        case .all(let value): (value, value, value, value)
        case .axes(let horizontal, let vertical): (horizontal, vertical, vertical, horizontal)
        case .edges(let leading, let top, let bottom, let trailing): (leading, top, bottom, trailing)
        case .named(let top, let leading, let bottom, let trailing):
            (leading ?? 0, top ?? 0, bottom ?? 0, trailing ?? 0)
        }
    }
}

extension Padding {
    /// A padding with named sides.
    static let vocabulary = Kind(
        "padding",
        as: [.sides],
        "The space around something, by side.",
        support: .on("ios"),
        keys: [
            .side("top", "The space above."),
            .side("leading", "The space before."),
            .side("bottom", "The space below."),
            .side("trailing", "The space after."),
            .unwritten("left", .number, "The same as leading, which comes first.", rule: rule),
            .unwritten("right", .number, "The same as trailing, which comes first.", rule: rule),
        ]
    )

    fileprivate static let rule = "malformed-padding"
}

extension Key {
    /// The padding of a widget or a configuration, which Android clients need everywhere.
    static let paddings: [Key] = [
        .optional(
            "padding",
            .either([.array(.number, .exactly([1, 2, 4])), .object(.sides)]),
            "The space around it: [all], [horizontal, vertical], [leading, top, bottom, trailing], or an object of sides.",
            support: .on("ios"),
            rule: Padding.rule
        ),
        .required(
            "padding",
            .array(.integer(Int64(Int32.min)...Int64(Int32.max)), .exactly([1, 2, 4])),
            "The space around it: [all], [horizontal, vertical] or [leading, top, bottom, trailing].",
            support: .on("android"),
            rule: Padding.rule
        ),
    ]

    fileprivate static func side(_ name: String, _ meaning: String) -> Key {
        .optional(name, .number, meaning, default: 0, rule: Padding.rule)
    }
}

/// A value with space around it: a widget, or a document's widgets as a whole.
public protocol Padded: Sendable {
    /// The space around the widget; nil without padding.
    var padding: Padding? { get set }
}

extension Padded {
    /// Puts space around it.
    public consuming func padding(_ padding: Padding?) -> Self { changing(self) { $0.padding = padding } }

    /// Puts the same space on every side.
    public consuming func padding(_ value: Double) -> Self { changing(self) { $0.padding = .all(value) } }

    /// Puts space at the sides, and above and below.
    public consuming func padding(horizontal: Double, vertical: Double) -> Self {
        changing(self) { $0.padding = .axes(horizontal: horizontal, vertical: vertical) }
    }

    /// Puts space on some sides.
    public consuming func padding(
        top: Double? = nil,
        leading: Double? = nil,
        bottom: Double? = nil,
        trailing: Double? = nil
    ) -> Self {
        padding = .named(top: top, leading: leading, bottom: bottom, trailing: trailing)
        return consume self
    }
}

extension JSONWriter {
    /// Writes `padding`, if there is one. Android clients need it everywhere.
    mutating func padding(_ padding: Padding?) {
        let isAndroid = dialect.platform == .android
        switch padding {
        case nil:
            guard isAndroid else { return }
            numbers([0])
        case .all(let value)?: numbers([value])
        case .axes(let horizontal, let vertical)?: numbers([horizontal, vertical])
        case .edges(let leading, let top, let bottom, let trailing)?: numbers([leading, top, bottom, trailing])
        case .named(let top, let leading, let bottom, let trailing)?:
            guard !isAndroid else { return numbers([leading ?? 0, top ?? 0, bottom ?? 0, trailing ?? 0]) }
            object("padding") {
                $0.field("top", top)
                $0.field("leading", leading)
                $0.field("bottom", bottom)
                $0.field("trailing", trailing)
            }
        }
    }

    private mutating func numbers(_ values: [Double]) {
        let isAndroid = dialect.platform == .android
        array("padding") { writer in
            // Android clients read whole numbers only; adding 0 makes 0 of -0.
            for value in values { writer.value(isAndroid ? value.rounded() + 0 : value) }
        }
    }
}

extension DocumentObject {
    /// The padding; nil without one.
    func padding() throws(DocumentError) -> Padding? {
        guard let value = value("padding") else { return nil }
        if let array = value.array {
            let numbers = array.compactMap { $0.number?.double }
            guard numbers.count == array.count else { throw error("padding", "holds something other than numbers") }
            switch numbers.count {
            case 1: return .all(numbers[0])
            case 2: return .axes(horizontal: numbers[0], vertical: numbers[1])
            case 4: return .edges(leading: numbers[0], top: numbers[1], bottom: numbers[2], trailing: numbers[3])
            default: throw error("padding", "has \(numbers.count) numbers instead of 1, 2 or 4")
            }
        }
        guard let sides = try reader("padding") else { return nil }
        let (left, right) = (try sides.number("left"), try sides.number("right"))
        return .named(
            top: try sides.number("top"),
            leading: try sides.number("leading") ?? left,
            bottom: try sides.number("bottom"),
            trailing: try sides.number("trailing") ?? right
        )
    }
}
