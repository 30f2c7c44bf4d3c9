import Backlot

/// A part of a feed, with a heading.
///
/// Source: Floki server protocols, Section parameters.
public struct Section: Sendable, Keyed {
    /// The number that entries refer to; positive, and unique in its feed.
    public let id: Int
    let name: TextName
    var values = KeyedValues()
    var sortID: Int? { values["sort_id"]?.int }

    init(id: Int, name: TextName) {
        self.id = id
        self.name = name
        values = KeyedValues().with("id", id)
    }

    /// - Parameter text: the name in the language of the response.
    func encode(into writer: inout JSONWriter, text: String) {
        var values = values
        values["name"] = .string(text.unmarked)
        // Clients ignore each of these when the one before it is off, so it is sent as off too.
        if values["visible"] == false { values["interactive"] = false }
        if values["interactive"] == false { values["starts_collapsed"] = false }
        writer.object { values.encode(into: &$0, Self.vocabulary) }
    }

    /// The place in the feed, 1 to 2⁵³ − 1: sections with higher numbers come first. The id by default.
    public func sortID(_ id: Int) -> Section { with("sort_id", id) }
    /// Whether the section has a heading; true by default. Without one it can't be collapsed.
    public func visible(_ isVisible: Bool) -> Section { with("visible", isVisible) }
    /// Whether a tap on the heading expands and collapses the section; true by default. Otherwise it is always expanded.
    public func interactive(_ isInteractive: Bool) -> Section { with("interactive", isInteractive) }
    /// Whether the section is collapsed at first; true by default.
    public func startsCollapsed(_ isCollapsed: Bool) -> Section { with("starts_collapsed", isCollapsed) }
    /// Whether expanding the section collapses the others; true by default.
    public func autocollapseOthers(_ isOn: Bool) -> Section { with("autocollapse_others", isOn) }
    /// Shows the number of entries beside the name.
    public func showCount(_ isOn: Bool = true) -> Section { with("show_count", isOn) }
    /// The colour of the name while the section is collapsed; the view's by default.
    public func collapsedTextColor(_ color: Color) -> Section { with("collapsed_text_color", color) }
    /// The background of the heading while the section is collapsed; the view's by default.
    public func collapsedBackColor(_ color: Color) -> Section { with("collapsed_back_color", color) }
    /// The colour of the name while the section is expanded; the view's by default.
    public func expandedTextColor(_ color: Color) -> Section { with("expanded_text_color", color) }
    /// The background of the heading while the section is expanded; the view's by default.
    public func expandedBackColor(_ color: Color) -> Section { with("expanded_back_color", color) }
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
/// ```swift
/// let news = NewsFeed("news", in: store).sections(section(1, "town"), section(2, "sports"))
/// ```
/// - Parameters:
///   - id: positive, and unique in its feed.
///   - name: a text of the app.
public func section(_ id: Int, _ name: TextName) -> Section { Section(id: id, name: name) }
