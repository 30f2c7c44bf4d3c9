/// Where something stands in the width that it has.
///
/// Source: Applin documentation, Widgets, column and form_button.
public enum Align: String, Sendable {
    /// At the left side.
    case start
    /// In the middle.
    case center
    /// At the right side.
    case end
}
