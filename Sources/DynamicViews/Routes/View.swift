public import Backlot

/// A mounted view. Add handlers of its interactions here.
///
/// An interaction without a handler has no effect, and gets the usual response.
public final class View {
    /// The view's name in its URLs.
    public let name: String
    var source: CodeLocation
    var maker: DocumentMaker?
    /// The reason for not checking the view; nil for a checked view.
    var exemption: String?
    private(set) var handlers = InteractionHandlers()
    private let report: (String, CodeLocation) -> Void

    init(name: String, source: CodeLocation, report: @escaping (String, CodeLocation) -> Void) {
        self.name = name
        self.source = source
        self.report = report
    }

    /// Adds a handler for one kind of interaction with a widget.
    ///
    /// For a document made in Swift, a handler at the widget itself (`.onTap { … }`) is shorter, and can't miss its widget. If a
    /// handler added here has no widget in the document, `check` reports it.
    ///
    /// ```swift
    /// view.on(.tap, "5") { interaction, request in print(interaction) }
    ///     .on(.toggle, "onboarding") { isOn, request in print(isOn) }
    ///     .on(.choice, "environment") { option, request in print(option) }
    ///     .on(.receipt, "11") { receipt, request in print(receipt) }
    ///     .on(.more, "11") { _, request in print("more") }
    /// ```
    /// - Parameters:
    ///   - kind: the kind, which determines the value that `handler` gets.
    ///   - id: the widget's id in the document.
    ///   - handler: handles an interaction. Its errors become responses, as for ``DynamicViewsApp/view(_:unchecked:file:line:_:)``.
    @discardableResult
    public func on<Value>(
        _ kind: InteractionKind<Value>,
        _ id: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Value, Request) async throws -> Void
    ) -> View {
        let source = CodeLocation(file: file, line: line)
        if !handlers.add(kind.kind, id, source, kind.function(handler)) {
            let problem = "widget '\(id)' of view '\(name)' has two handlers for a \(kind.kind.rawValue)"
            report(problem, source)
        }
        return self
    }

    /// Adds the handler for all interactions that have no other handler.
    ///
    /// ```swift
    /// view.onInteraction { interaction, request in print(interaction) }
    /// ```
    @discardableResult
    public func onInteraction(
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Interaction, Request) async throws -> Void
    ) -> View {
        if handlers.others != nil {
            report("view '\(name)' has onInteraction twice", CodeLocation(file: file, line: line))
        }
        handlers.others = handler
        return self
    }
}

/// Widgets above and below the widgets of views.
struct DocumentFrame: Sendable {
    let above: @Sendable (Request) async throws -> [any Widget]
    let below: @Sendable (Request) async throws -> [any Widget]
}

/// The origin of a view's document.
enum DocumentMaker: Sendable {
    case function(@Sendable (Request) async throws -> Document)
    /// The file for each platform. Platforms may share a file.
    case files([Dialect.Platform: DocumentFile])

    /// The current document for a request.
    ///
    /// - Throws: `StatusError` with 404 for a platform without a file.
    func document(for request: Request) async throws -> Document {
        switch self {
        case .function(let make): return try await make(request)
        case .files(let files):
            let platform = request.dialect.platform
            guard let file = files[platform] else {
                throw StatusError(.notFound, "this view has no document for \(platform.rawValue) clients")
            }
            return try await file.document()
        }
    }

    /// Adds a frame around documents that are made in Swift. Files stay unchanged.
    func framed(by frame: DocumentFrame?) -> DocumentMaker {
        guard case .function(let make) = self, let frame else { return self }
        return .function { request in
            var document = try await make(request)
            document.widgets = try await frame.above(request) + document.widgets + frame.below(request)
            return document
        }
    }

    /// Adds padding to the widgets of documents that are made in Swift. Files stay unchanged.
    func padded(by paddings: [Dialect.Platform: Padding]) -> DocumentMaker {
        guard case .function(let make) = self, !paddings.isEmpty else { return self }
        return .function { request in
            let platform = request.dialect.platform
            let document = try await make(request)
            return paddings[platform].map { document.padded(by: $0, for: platform) } ?? document
        }
    }

    /// Whether the view has a document for clients of a dialect.
    func hasDocument(for dialect: Dialect) -> Bool {
        switch self {
        case .function: true
        case .files(let files): files[dialect.platform] != nil
        }
    }
}
