import Backlot
import BacklotJSON

/// A part of a feed, with a heading.
///
/// Source: Floki server protocols, Section parameters.
public struct Section: Sendable {
    /// The number that entries refer to; positive, and unique in its feed.
    public let id: Int
    let name: TextName
    var sortID: Int?
    var isVisible = true
    var isInteractive = true
    var startsCollapsed = true
    var autocollapsesOthers = true
    var showsCount = false
    var collapsedTextColor: Color?
    var collapsedBackColor: Color?
    var expandedTextColor: Color?
    var expandedBackColor: Color?

    init(id: Int, name: TextName) {
        self.id = id
        self.name = name
    }

    /// - Parameter text: the name in the language of the answer.
    func encode(into writer: inout JSONWriter, text: String) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("sort_id", sortID)
            writer.field("name", text.unmarked)
            // Clients ignore each of these when the one before it is off, so it goes out as off too.
            let interactive = isVisible && isInteractive
            writer.field("visible", isVisible, default: true)
            writer.field("interactive", interactive, default: true)
            writer.field("starts_collapsed", interactive && startsCollapsed, default: true)
            writer.field("autocollapse_others", autocollapsesOthers, default: true)
            writer.field("show_count", showsCount, default: false)
            writer.field("collapsed_text_color", collapsedTextColor)
            writer.field("collapsed_back_color", collapsedBackColor)
            writer.field("expanded_text_color", expandedTextColor)
            writer.field("expanded_back_color", expandedBackColor)
        }
    }

    private func setting<Value>(_ path: WritableKeyPath<Section, Value>, _ value: Value) -> Section {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }

    /// The place in the feed, 1 to 2⁵³ − 1: sections with higher numbers come first. The id by default.
    public func sortID(_ id: Int) -> Section { setting(\.sortID, id) }
    /// Whether the section has a heading; true by default. Without one it can't be collapsed.
    public func visible(_ isVisible: Bool) -> Section { setting(\.isVisible, isVisible) }
    /// Whether a tap on the heading expands and collapses the section; true by default. Otherwise it is always expanded.
    public func interactive(_ isInteractive: Bool) -> Section { setting(\.isInteractive, isInteractive) }
    /// Whether the section is collapsed at first; true by default.
    public func startsCollapsed(_ isCollapsed: Bool) -> Section { setting(\.startsCollapsed, isCollapsed) }
    /// Whether expanding the section collapses the others; true by default.
    public func autocollapseOthers(_ isOn: Bool) -> Section { setting(\.autocollapsesOthers, isOn) }
    /// Shows the number of entries beside the name.
    public func showCount(_ isOn: Bool = true) -> Section { setting(\.showsCount, isOn) }
    /// The colour of the name while the section is collapsed; the view's by default.
    public func collapsedTextColor(_ color: Color) -> Section { setting(\.collapsedTextColor, color) }
    /// The background of the heading while the section is collapsed; the view's by default.
    public func collapsedBackColor(_ color: Color) -> Section { setting(\.collapsedBackColor, color) }
    /// The colour of the name while the section is expanded; the view's by default.
    public func expandedTextColor(_ color: Color) -> Section { setting(\.expandedTextColor, color) }
    /// The background of the heading while the section is expanded; the view's by default.
    public func expandedBackColor(_ color: Color) -> Section { setting(\.expandedBackColor, color) }
}

extension Section {
    static let vocabulary = Kind(
        "section",
        as: [.section],
        "A part of a feed, with a heading.",
        keys: [
            .required("id", .positive, "The number that entries refer to, unique in its feed.", rule: "malformed-id"),
            .sortID,
            .optional("name", .string, "The name in the heading."),
            .optional("visible", .bool, "Whether the section has a heading.", default: true),
            .optional("interactive", .bool, "Whether a tap on the heading expands and collapses it.", default: true),
            .optional("starts_collapsed", .bool, "Whether the section is collapsed at first.", default: true),
            .optional("autocollapse_others", .bool, "Whether expanding it collapses the others.", default: true),
            .unwritten("hide_if_empty", .bool, "Whether a section without entries is hidden."),
            .optional("show_count", .bool, "Whether the heading shows the number of entries.", default: false),
            .color("collapsed_text_color", "The name while the section is collapsed; the view's by default."),
            .color("collapsed_back_color", "The heading while the section is collapsed; the view's by default."),
            .color("expanded_text_color", "The name while the section is expanded; the view's by default."),
            .color("expanded_back_color", "The heading while the section is expanded; the view's by default."),
        ]
    )
}

extension Role {
    static let section = Role("section", labels: ["id"])
}

/// Makes a ``Section``.
///
/// - Parameters:
///   - id: positive, and unique in its feed.
///   - name: a text of the app.
public func section(_ id: Int, _ name: TextName) -> Section { Section(id: id, name: name) }
