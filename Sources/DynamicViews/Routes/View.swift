public import Backlot

/// A view that is being mounted, for adding handlers of interactions.
///
/// An interaction without a handler is answered like any other, and does nothing.
public final class View {
    /// The view's name in its URLs.
    public let name: String
    var source: CodeLocation
    var maker: DocumentMaker?
    /// The reason why the view isn't checked; nil for a view that is.
    var exemption: String?
    private(set) var handlers = InteractionHandlers()
    private let report: (String, CodeLocation) -> Void

    init(name: String, source: CodeLocation, report: @escaping (String, CodeLocation) -> Void) {
        self.name = name
        self.source = source
        self.report = report
    }

    /// Adds a handler of the interactions of one kind with a widget. Where the document is made in Swift, a handler at the widget
    /// itself (`.onTap { … }`) is shorter, and can't name a widget that isn't there; `check` finds one here that does.
    ///
    /// ```swift
    /// view.on(.tap, "5") { interaction, request in … }
    ///     .on(.toggle, "onboarding") { isOn, request in … }
    ///     .on(.choice, "environment") { option, request in … }
    ///     .on(.receipt, "11") { receipt, request in … }
    ///     .on(.more, "11") { _, request in … }
    /// ```
    /// - Parameters:
    ///   - kind: the kind, which says what `handler` is called with.
    ///   - id: the widget's id in the document.
    ///   - handler: what an interaction does. An error is answered as ``ViewsApp/view(_:unchecked:file:line:_:)`` says.
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

    /// Adds a handler of every interaction that has no other.
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

/// Widgets above and below those of views.
struct DocumentFrame: Sendable {
    let above: @Sendable (Request) async throws -> [any Widget]
    let below: @Sendable (Request) async throws -> [any Widget]
}

/// The origin of a view's document.
enum DocumentMaker: Sendable {
    case function(@Sendable (Request) async throws -> Document)
    /// The files for the platforms, each in its own dialect or for all.
    case files([Dialect.Platform: DocumentFile])

    /// The document for a request, as it is now.
    ///
    /// - Throws: `StatusError` with 404, for a dialect that has no file.
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

    /// The same, where documents that are made in Swift get a frame.
    func framed(by frame: DocumentFrame?) -> DocumentMaker {
        guard case .function(let make) = self, let frame else { return self }
        return .function { request in
            var document = try await make(request)
            document.widgets = try await frame.above(request) + document.widgets + frame.below(request)
            return document
        }
    }

    /// The same, where widgets of documents that are made in Swift get a padding.
    func padded(by paddings: [Dialect.Platform: Padding]) -> DocumentMaker {
        guard case .function(let make) = self, !paddings.isEmpty else { return self }
        return .function { request in
            let platform = request.dialect.platform
            let document = try await make(request)
            return paddings[platform].map { document.padded(by: $0, for: platform) } ?? document
        }
    }

    /// Whether clients of a dialect can get a document.
    func hasDocument(for dialect: Dialect) -> Bool {
        switch self {
        case .function: true
        case .files(let files): files[dialect.platform] != nil
        }
    }
}
