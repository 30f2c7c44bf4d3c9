public import Backlot

/// A view that is being mounted: handlers of interactions are added to it.
///
/// Which handler is called depends on the widget: the toggle's with what it is switched to, the multiValue's with the id of an
/// option. An interaction without a handler is taken and does nothing.
public final class View {
    /// The view's name in its URLs.
    public let name: String
    var source: SourceLocation
    var maker: DocumentMaker?
    /// Why it is not checked; nil for a view that is.
    var exemption: String?
    private(set) var handlers = InteractionHandlers()
    private let report: (String, SourceLocation) -> Void

    init(name: String, source: SourceLocation, report: @escaping (String, SourceLocation) -> Void) {
        self.name = name
        self.source = source
        self.report = report
    }

    /// Adds what a tap on a widget does.
    @discardableResult
    public func onTap(
        _ id: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Interaction, Request) async throws -> Void
    ) -> View {
        add(.tap, id, SourceLocation(file: file, line: line), handler)
    }

    /// Adds what a toggle does when it is switched on, or off.
    @discardableResult
    public func onToggle(
        _ id: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (_ isOn: Bool, Request) async throws -> Void
    ) -> View {
        add(.toggle, id, SourceLocation(file: file, line: line)) { interaction, request in
            guard case .toggle(let isOn) = interaction.event else { return }
            try await handler(isOn, request)
        }
    }

    /// Adds what a multiValue does when an option is chosen, by the option's id.
    @discardableResult
    public func onChoice(
        _ id: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (_ option: String, Request) async throws -> Void
    ) -> View {
        add(.choice, id, SourceLocation(file: file, line: line)) { interaction, request in
            guard case .choice(let option) = interaction.event else { return }
            try await handler(option, request)
        }
    }

    /// Adds what the last purchases do when one of them is tapped, by the id of its receipt.
    @discardableResult
    public func onReceipt(
        _ id: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (_ receipt: String, Request) async throws -> Void
    ) -> View {
        add(.receipt, id, SourceLocation(file: file, line: line)) { interaction, request in
            guard case .receipt(let receipt) = interaction.event else { return }
            try await handler(receipt, request)
        }
    }

    /// Adds what the last purchases do when more of them are asked for.
    @discardableResult
    public func onMore(
        _ id: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Void
    ) -> View {
        add(.more, id, SourceLocation(file: file, line: line)) { _, request in try await handler(request) }
    }

    /// Adds what is done with every interaction that has no handler of its own.
    @discardableResult
    public func onInteraction(
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Interaction, Request) async throws -> Void
    ) -> View {
        if handlers.others != nil {
            report("the view '\(name)' has onInteraction twice", SourceLocation(file: file, line: line))
        }
        handlers.others = handler
        return self
    }

    private func add(
        _ kind: Interaction.Kind,
        _ id: String,
        _ source: SourceLocation,
        _ handler: @escaping InteractionHandlers.Function
    ) -> View {
        if !handlers.add(kind, id, handler) {
            report("the widget '\(id)' of the view '\(name)' has two handlers for a \(kind.rawValue)", source)
        }
        return self
    }
}
