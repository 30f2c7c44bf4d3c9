/// What clients accept as the value of a key. Anything else makes them reject the whole page.
enum ValueType: Sendable {
    case string
    case bool
    /// A whole number that fits into 32 bits.
    case unsigned
    case number
    /// One of some strings. Any other string is not rejected: clients log it and use their default.
    case oneOf([String])
    case strings
    case widget
    case widgets
    case actions
    /// Groups of rows of widgets; null leaves a cell empty.
    case rowGroups
    case modalButtons

    /// For the texts of findings: `"max_lines" must be …`.
    var noun: String {
        switch self {
        case .string: "a string"
        case .bool: "true or false"
        case .unsigned: "a whole number from 0 to \(UInt32.max)"
        case .number: "a number"
        case .oneOf(let values): "one of \(values.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .strings: "an array of strings"
        case .widget: "a widget"
        case .widgets: "an array of widgets"
        case .actions: "an array of actions"
        case .rowGroups: "an array of groups, each an array of rows, each an array of widgets"
        case .modalButtons: "an array of buttons"
        }
    }
}
