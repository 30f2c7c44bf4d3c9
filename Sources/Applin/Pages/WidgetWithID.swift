public import Backlot

/// A widget with an `id` for tools and tests. Clients ignore it.
public struct WidgetWithID: Widget {
    /// The widget.
    public let widget: any Widget
    /// The id.
    public let id: String

    /// The widget's name.
    public var typ: StaticString { widget.typ }

    /// The widgets inside it.
    public var children: [any Widget] { widget.children }

    /// Writes the widget, with the id as its last key.
    public func encode(into writer: inout JSONWriter) {
        widget.encode(into: &writer)
        writer.amendObject { $0.field("id", id) }
    }
}

/// A page with an `id` for tools and tests. Clients ignore it.
public struct PageWithID: Page {
    /// The page.
    public let page: any Page
    /// The id.
    public let id: String

    /// The page's kind.
    public var typ: StaticString { page.typ }

    /// The widgets on the page.
    public var children: [any Widget] { page.children }

    /// Writes the page, with the id as its last key.
    public func encode(into writer: inout JSONWriter) {
        page.encode(into: &writer)
        writer.amendObject { $0.field("id", id) }
    }
}

/// An action with an `id` for tools and tests, written in dialects with objects as actions. Clients ignore it.
public struct ActionWithID: Action {
    /// The action.
    public let action: any Action
    /// The id.
    public let id: String

    /// The action's name.
    public var typ: StaticString { action.typ }
    /// The action's argument.
    public var argument: String? { action.argument }
    /// Whether the action can be a string.
    public var hasStringForm: Bool { action.hasStringForm }
    /// Whether the action polls after a user error.
    public var pollsOnUserError: Bool { action.pollsOnUserError }

    /// Writes the action as a string, which can't have an id.
    public func encodeString(into writer: inout JSONWriter) { action.encodeString(into: &writer) }

    /// Writes the fields of the action, and the id.
    public func encodeFields(into writer: inout JSONWriter) {
        action.encodeFields(into: &writer)
        writer.field("id", id)
    }
}

extension Widget {
    /// Gives the widget an id for tools and tests: `app.tap("save")`. Write it last.
    public consuming func id(_ id: String) -> WidgetWithID { WidgetWithID(widget: self, id: id) }
}

extension Page {
    /// Gives the page an id, for tools and tests. Write it last.
    public consuming func id(_ id: String) -> PageWithID { PageWithID(page: self, id: id) }
}

extension Action {
    /// Gives the action an id, for tools and tests. Write it last.
    public consuming func id(_ id: String) -> ActionWithID { ActionWithID(action: self, id: id) }
}

extension ApplinVocabulary {
    /// The key `id`, which any object may have. The Rust library writes it, and its headless client finds widgets by it.
    static let id = Key.optional("id", .string, "A name for tools and tests, which clients pass over.")
}
