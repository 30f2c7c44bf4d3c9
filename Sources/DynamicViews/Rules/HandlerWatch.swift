import Backlot

/// Finds handlers of a view that are never called, since no document of the view has their widgets. It uses the documents that
/// `check` gets in each dialect.
///
/// It skips handlers at widgets themselves, since they come and go with their widgets.
final class HandlerWatch: Sendable {
    private let view: String
    private let handlers: [(key: InteractionHandlers.Key, source: CodeLocation)]
    private let dialects: [Dialect]
    /// The widgets of the inspected documents, by dialect.
    private let widgets = Locked<[Dialect: [any Widget]]>([:])

    init(_ handlers: InteractionHandlers, of view: String, in dialects: [Dialect]) {
        self.handlers = handlers.sources
        self.view = view
        self.dialects = dialects
    }

    /// Inspects a document.
    ///
    /// - Returns: the findings about handlers, after the last dialect's first document.
    func findings(with document: JSONValue, _ dialect: Dialect, path: String) -> [Finding] {
        // The rules report documents that clients can't read.
        guard !handlers.isEmpty, let document = try? Document(document, dialect: dialect) else { return [] }
        let seen = widgets.withLock { widgets in
            widgets[dialect] = document.allWidgets
            return widgets
        }
        guard dialect == dialects.last, dialects.allSatisfy({ seen[$0] != nil }) else { return [] }
        let all = dialects.flatMap { seen[$0] ?? [] }
        return handlers.compactMap { handler in
            let (key, source) = handler
            let named = all.filter { $0.id == key.id }
            guard !named.contains(where: { InteractionRouting.kinds(with: $0).contains(key.kind) }) else { return nil }
            let problem =
                if let widget = named.first {
                    "the widget is a \(widget.type), which has no such interactions."
                } else {
                    "no document of the view '\(view)' has that widget now."
                }
            return Finding(
                .warning,
                rule: "handler-without-widget",
                path: FindingPath(page: path),
                message:
                    "The handler of a \(key.kind.rawValue) of \(key.id.quoted) at \(source) is never called: \(problem)",
                fix: named.isEmpty
                    ? "Correct the id, or put the handler at the widget itself, as in text(…).onTap { … }."
                    : "Write the handler of \(Self.names(InteractionRouting.kinds(with: named[0]))), or correct the id."
            )
        }
    }

    private static func names(_ kinds: [Interaction.Kind]) -> String {
        kinds.map { ".\($0.rawValue)" }.joined(separator: " or ")
    }
}

/// Inspects the documents of a view, and its handlers with them.
struct WatchedInspector: PageInspector {
    let pages: DynamicViewsInspector
    let watch: HandlerWatch
    let dialect: Dialect

    var exampleResponse: String { pages.exampleResponse }

    func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        pages.findings(in: document, path: path, app: app) + watch.findings(with: document, dialect, path: path)
    }
}
