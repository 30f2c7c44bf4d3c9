public import Backlot

/// A widget, and its replacement for clients that don't understand it.
///
/// The vocabulary and the rules decide what clients understand: a client may be too old for the widget, for an action or key of it,
/// or for a part inside it.
public struct WidgetWithFallback: Widget {
    /// The widget for clients that understand all of it.
    public let widget: any Widget
    /// The widget for other clients.
    public let replacement: any Widget

    /// The first widget's name.
    public var typ: StaticString { widget.typ }

    /// The widgets inside the first one.
    public var children: [any Widget] { widget.children }

    /// Writes the widget that the writer's client understands.
    public func encode(into writer: inout JSONWriter) {
        guard !writer.isForNewest else { return widget.encode(into: &writer) }
        // Writes the bytes that were inspected. Encoding again would choose the inner fallbacks a second time.
        if let widget = ClientFallback.document(navPage("") { widget }, for: writer.client)?["page"]?["widget"] {
            writer.value(widget)
        } else {
            replacement.encode(into: &writer)
        }
    }
}

/// An action, and its replacement for clients that don't understand it.
public struct ActionWithFallback: Action {
    /// The action for clients that understand all of it.
    public let action: any Action
    /// The actions for other clients; an empty list leaves it out.
    public let replacement: [any Action]

    /// The first action's name.
    public var typ: StaticString { action.typ }
    /// The first action's argument.
    public var argument: String? { action.argument }
    /// Whether the first action can be a string.
    public var hasStringForm: Bool { action.hasStringForm }
    /// Whether the first action polls.
    public var pollsOnUserError: Bool { action.pollsOnUserError }

    /// Writes the actions that the writer's client understands, in their order.
    public func encodeString(into writer: inout JSONWriter) {
        for action in actions(for: writer.client) { action.encodeString(into: &writer) }
    }

    /// Writes the fields of the first action.
    public func encodeFields(into writer: inout JSONWriter) { action.encodeFields(into: &writer) }

    /// The actions that a client understands.
    func actions(for client: ClientVersion) -> [any Action] {
        ClientFallback.supports(navPage("") { button("x") { action } }, client) ? [action] : replacement
    }
}

/// A page, and its replacement for clients that don't understand it.
public struct PageWithFallback: Page {
    /// The page for clients that understand all of it.
    public let page: any Page
    /// The page for other clients.
    public let replacement: any Page

    /// The first page's kind.
    public var typ: StaticString { page.typ }

    /// The widgets on the first page.
    public var children: [any Widget] { page.children }

    /// Writes the page that the writer's client understands.
    public func encode(into writer: inout JSONWriter) {
        guard !writer.isForNewest else { return page.encode(into: &writer) }
        if let page = ClientFallback.document(page, for: writer.client)?["page"] {
            writer.value(page)
        } else {
            replacement.encode(into: &writer)
        }
    }
}

extension Widget {
    /// Adds a replacement for clients that don't understand this widget, or a part of it.
    ///
    /// ```swift
    /// checkboxButton("Urgent") { rpc("/toggle") }
    ///     .fallback { button("Toggle urgent") { rpc("/toggle") } }
    /// ```
    public consuming func fallback(@SingleWidgetBuilder _ widget: () -> any Widget) -> WidgetWithFallback {
        WidgetWithFallback(widget: self, replacement: widget())
    }

    /// Whether a client loads a page with this widget, and reads all of its keys.
    public func supports(_ client: ClientVersion) -> Bool { ClientFallback.supports(navPage("") { self }, client) }
}

extension Action {
    /// Adds a replacement for clients that don't understand this action: other actions, or an empty list.
    ///
    /// ```swift
    /// button("Clear") {
    ///     resetVar("query").fallback { rpc("/clear") }
    ///     poll()
    /// }
    /// ```
    public consuming func fallback(@ActionListBuilder _ actions: () -> [any Action]) -> ActionWithFallback {
        ActionWithFallback(action: self, replacement: actions())
    }
}

extension Page {
    /// Adds a replacement for clients that don't understand this page, or a part of it.
    public consuming func fallback(_ page: () -> any Page) -> PageWithFallback {
        PageWithFallback(page: self, replacement: page())
    }

    /// Whether a client loads this page, and reads all of its keys.
    public func supports(_ client: ClientVersion) -> Bool { ClientFallback.supports(self, client) }

    /// Whether all released clients from a version on load this page, and read all of its keys.
    public func supports(_ clients: PartialRangeFrom<ClientVersion>) -> Bool {
        let releases = ReleasedClients.releases.filter(clients.contains)
        return ReleasedClients.groups(of: releases).allSatisfy { supports($0[0]) }
    }
}

extension JSONWriter {
    private static let newest = Dialect.objects.variant(for: ReleasedClients.lastChange)
    private static let unnamedNewest = Dialect.objects.variant()

    /// Whether the client is known to understand everything that can be written.
    fileprivate var isForNewest: Bool { variant == Self.unnamedNewest || variant >= Self.newest }
}

/// Decides whether clients understand all parts of a page.
enum ClientFallback {
    static func supports(_ page: some Page, _ client: ClientVersion) -> Bool {
        let dialect = Dialect(of: client)
        if dialect == .objects, client >= ReleasedClients.lastChange { return true }
        return document(page, for: client) != nil
    }

    /// The body of a response with a page, for a client that understands all of it; nil for other clients.
    static func document(_ page: some Page, for client: ClientVersion) -> JSONValue? {
        guard
            let document = try? JSONValue(
                parsing: page.responseBody(for: client),
                depthLimit: ApplinInspector.deepestJSON
            )
        else { return nil }
        let findings = ApplinInspector(readBy: client...client).findings(in: document, path: "/", app: nil)
        // Widgets of an app's own clients belong to no version, and work in all.
        let isUnderstood = !findings.contains { finding in
            finding.isRejection && !["unknown-typ", "unknown-action"].contains(finding.rule)
                || finding.rule.hasSuffix("-of-other-version")
                || finding.rule.hasSuffix("-of-other-dialect")
        }
        // `nil` alone could be JSON's null here.
        return isUnderstood ? document : JSONValue?.none
    }
}
