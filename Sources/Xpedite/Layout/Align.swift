/// Where a text stands in its line.
///
/// Source: Xpedite API reference, align.
public enum Align: String, Sendable, CaseIterable {
    /// At the left.
    case left
    /// At the right.
    case right
    /// In the middle. `center` is read too; `centre` goes out.
    case centre
    /// At both sides. Columns of tables don't have it.
    case justify

    init?(wire: String) {
        self.init(rawValue: wire == "center" ? "centre" : wire)
    }
}
