public import Backlot

/// The handlers of interactions with one widget. Modifiers of the widget add them: `.onTap { … }`, `.onToggle { … }`.
///
/// The document is made again for each interaction, so that a handler can use the values that its document was made from.
public struct WidgetHandlers: Sendable {
    private var functions: [(kind: Interaction.Kind, function: InteractionHandlers.Function)] = []

    /// Creates a set without handlers.
    public init() {}

    mutating func add<Value>(
        _ kind: InteractionKind<Value>,
        _ handler: @escaping @Sendable (Value, Request) async throws -> Void
    ) {
        functions.append((kind.kind, kind.function(handler)))
    }

    /// The handler of an interaction; nil without one. If several are added, the last one counts.
    func function(for interaction: Interaction) -> InteractionHandlers.Function? {
        functions.last { $0.kind == interaction.kind }?.function
    }
}

/// A widget that handles taps: all except ``Toggle``, ``MultiValue`` and ``LastPurchases``, which have other interactions.
public protocol Tappable: Widget {}

extension Text: Tappable {}
extension Image: Tappable {}
extension Button: Tappable {}
extension Information: Tappable {}
extension Section: Tappable {}
extension Navigation: Tappable {}
extension DeveloperMode: Tappable {}
extension CustomerCard: Tappable {}
extension Version: Tappable {}
extension ActionWidget: Tappable {}

extension Tappable {
    /// Adds a handler for taps on the widget.
    ///
    /// ```swift
    /// startShopping(id: "5").onTap { _, request in try await request.session.set(ShopKey.self, to: 7) }
    /// ```
    /// The handler belongs to the widget of this document, and takes precedence over handlers added with
    /// ``View/on(_:_:file:line:_:)``. Its errors become responses, as for ``DynamicViewsApp/view(_:unchecked:file:line:_:)``.
    public consuming func onTap(
        _ handler: @escaping @Sendable (Interaction, Request) async throws -> Void
    ) -> Self {
        handlers.add(.tap, handler)
        return consume self
    }
}

extension Toggle {
    /// Adds a handler for switching the toggle, which gets the new state.
    public consuming func onToggle(_ handler: @escaping @Sendable (Bool, Request) async throws -> Void) -> Toggle {
        handlers.add(.toggle, handler)
        return consume self
    }
}

extension MultiValue {
    /// Adds a handler for choosing an option, which gets the option's id.
    public consuming func onChoice(
        _ handler: @escaping @Sendable (String, Request) async throws -> Void
    ) -> MultiValue {
        handlers.add(.choice, handler)
        return consume self
    }
}

extension LastPurchases {
    /// Adds a handler for taps on a purchase, which gets the id of its receipt.
    public consuming func onReceipt(
        _ handler: @escaping @Sendable (String, Request) async throws -> Void
    ) -> LastPurchases {
        handlers.add(.receipt, handler)
        return consume self
    }

    /// Adds a handler for requests for more purchases.
    public consuming func onMore(_ handler: @escaping @Sendable (Request) async throws -> Void) -> LastPurchases {
        handlers.add(.more) { _, request in try await handler(request) }
        return consume self
    }
}

// Handlers that would never be called, each with a message from the compiler.

extension Toggle {
    /// Not available: a toggle is switched.
    @available(*, unavailable, message: "a toggle is switched, not tapped: write .onToggle { isOn, request in … }")
    public consuming func onTap(
        _ handler: @escaping @Sendable (Interaction, Request) async throws -> Void
    ) -> Toggle { self }
}

extension MultiValue {
    /// Not available: an option is chosen.
    @available(*, unavailable, message: "its options are chosen, not tapped: write .onChoice { option, request in … }")
    public consuming func onTap(
        _ handler: @escaping @Sendable (Interaction, Request) async throws -> Void
    ) -> MultiValue { self }
}

extension LastPurchases {
    /// Not available: users tap receipts, or request more purchases.
    @available(*, unavailable, message: "write .onReceipt { id, request in … }, or .onMore { request in … }")
    public consuming func onTap(
        _ handler: @escaping @Sendable (Interaction, Request) async throws -> Void
    ) -> LastPurchases { self }
}

extension Widget {
    /// Not available: only a toggle is switched.
    @available(*, unavailable, message: "only toggle(…) is switched: write .onTap { interaction, request in … }")
    public consuming func onToggle(_ handler: @escaping @Sendable (Bool, Request) async throws -> Void) -> Self { self }

    /// Not available: only a multiValue has options.
    @available(*, unavailable, message: "only multiValue(…) has options: write .onTap { interaction, request in … }")
    public consuming func onChoice(_ handler: @escaping @Sendable (String, Request) async throws -> Void) -> Self {
        self
    }

    /// Not available: only the last purchases have receipts.
    @available(
        *,
        unavailable,
        message: "only lastPurchases(…) has receipts: write .onTap { interaction, request in … }"
    )
    public consuming func onReceipt(_ handler: @escaping @Sendable (String, Request) async throws -> Void) -> Self {
        self
    }

    /// Not available: only the last purchases can show more.
    @available(
        *,
        unavailable,
        message: "only lastPurchases(…) can show more: write .onTap { interaction, request in … }"
    )
    public consuming func onMore(_ handler: @escaping @Sendable (Request) async throws -> Void) -> Self { self }
}
