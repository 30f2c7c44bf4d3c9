/// What an importer has changed in a document, so that every client reads it.
public enum ImportChange: Sendable, Equatable, CustomStringConvertible {
    /// A comma before the end of an array or object was removed. Line and column are counted from 1.
    case trailingComma(line: Int, column: Int)
    /// A widget's type had a name of earlier days. The place is a JSON pointer (RFC 6901).
    case formerType(pointer: String, from: String, to: String)

    /// Where it was, and what was done.
    public var description: String {
        switch self {
        case .trailingComma(let line, let column): "line \(line), column \(column): a trailing comma is removed"
        case .formerType(let pointer, let from, let to): "\(pointer): \"\(from)\" becomes \"\(to)\""
        }
    }
}
