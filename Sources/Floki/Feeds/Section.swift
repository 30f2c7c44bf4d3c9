import BacklotJSON

/// A part of a feed, with a heading.
///
/// Source: Floki server protocols, Section parameters.
public struct Section: Sendable {
    /// What entries name it by; positive, and unique in its feed.
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

    /// - Parameter text: its name in the language of the answer.
    func encode(into writer: inout JSONWriter, text: String) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("sort_id", sortID)
            writer.field("name", text.unmarked)
            // Clients leave these aside where the one before them is off; so they are never said to be on.
            let interactive = isVisible && isInteractive
            writer.field("visible", isVisible, default: true)
            writer.field("interactive", interactive, default: true)
            writer.field("starts_collapsed", interactive && startsCollapsed, default: true)
            writer.field("autocollapse_others", autocollapsesOthers, default: true)
            writer.field("show_count", showsCount, default: false)
            if let collapsedTextColor { writer.field("collapsed_text_color", collapsedTextColor) }
            if let collapsedBackColor { writer.field("collapsed_back_color", collapsedBackColor) }
            if let expandedTextColor { writer.field("expanded_text_color", expandedTextColor) }
            if let expandedBackColor { writer.field("expanded_back_color", expandedBackColor) }
        }
    }

    private func setting<Value>(_ path: WritableKeyPath<Section, Value>, _ value: Value) -> Section {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }

    /// Where it stands: higher ones first, 1 to 2⁵³ − 1; the id by default.
    public func sortID(_ id: Int) -> Section { setting(\.sortID, id) }
    /// Whether it has a heading; it does by default. Without one it can't be collapsed.
    public func visible(_ isVisible: Bool) -> Section { setting(\.isVisible, isVisible) }
    /// Whether a tap on its heading opens and closes it; it does by default. Otherwise it is always open.
    public func interactive(_ isInteractive: Bool) -> Section { setting(\.isInteractive, isInteractive) }
    /// Whether it is closed at first; it is by default.
    public func startsCollapsed(_ isCollapsed: Bool) -> Section { setting(\.startsCollapsed, isCollapsed) }
    /// Whether others close when it opens; they do by default.
    public func autocollapseOthers(_ isOn: Bool) -> Section { setting(\.autocollapsesOthers, isOn) }
    /// Shows how many entries it has.
    public func showCount(_ isOn: Bool = true) -> Section { setting(\.showsCount, isOn) }
    /// The name while it is closed; by default as the view has it.
    public func collapsedTextColor(_ color: Color) -> Section { setting(\.collapsedTextColor, color) }
    /// The heading's background while it is closed; by default as the view has it.
    public func collapsedBackColor(_ color: Color) -> Section { setting(\.collapsedBackColor, color) }
    /// The name while it is open; by default as the view has it.
    public func expandedTextColor(_ color: Color) -> Section { setting(\.expandedTextColor, color) }
    /// The heading's background while it is open; by default as the view has it.
    public func expandedBackColor(_ color: Color) -> Section { setting(\.expandedBackColor, color) }
}

/// Makes a ``Section``.
///
/// - Parameters:
///   - id: positive, and unique in its feed.
///   - name: a text of the app.
public func section(_ id: Int, _ name: TextName) -> Section { Section(id: id, name: name) }
