import Backlot
import BacklotJSON

/// The space around a widget, or around all of them. Each form is written as it was made; for Android, names become an array.
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

    /// What is above.
    public var top: Double {
        switch self {
        case .all(let value): value
        case .axes(_, let vertical): vertical
        case .edges(_, let top, _, _): top
        case .named(let top, _, _, _): top ?? 0
        }
    }

    /// What is before, which is left where one reads from left to right.
    public var leading: Double {
        switch self {
        case .all(let value): value
        case .axes(let horizontal, _): horizontal
        case .edges(let leading, _, _, _): leading
        case .named(_, let leading, _, _): leading ?? 0
        }
    }

    /// What is below.
    public var bottom: Double {
        switch self {
        case .all(let value): value
        case .axes(_, let vertical): vertical
        case .edges(_, _, let bottom, _): bottom
        case .named(_, _, let bottom, _): bottom ?? 0
        }
    }

    /// What is after.
    public var trailing: Double {
        switch self {
        case .all(let value): value
        case .axes(let horizontal, _): horizontal
        case .edges(_, _, _, let trailing): trailing
        case .named(_, _, _, let trailing): trailing ?? 0
        }
    }
}

extension JSONWriter {
    /// Writes `padding`, where there is one. Android clients need one everywhere.
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
        array("padding") { writer in
            for value in values { writer.value(value) }
        }
    }
}

extension WireReader {
    /// The padding; nil where there is none.
    func padding() throws(WireError) -> Padding? {
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
        let leading = try sides.number("leading")
        let left = try sides.number("left")
        let trailing = try sides.number("trailing")
        let right = try sides.number("right")
        return .named(
            top: try sides.number("top"),
            leading: leading ?? left,
            bottom: try sides.number("bottom"),
            trailing: trailing ?? right
        )
    }
}
