public import Backlot

/// Components that scroll. Without a height it is as high as its content.
///
/// Source: Xpedite API reference, component-scrollview. That `components` is required is this project's reading.
public struct ScrollView: Component, Sized, Backed, KeyedPart {
    /// The components, from top to bottom.
    public let components: [any Component]
    /// The background's colour.
    public var background: String?
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `scrollview`
    public var type: StaticString { "scrollview" }
    /// The components, from top to bottom.
    public var children: [any Component] { components }

    static let vocabulary = Kind(
        ScrollView(components: []),
        "Components that scroll; without a height it is as high as its content.",
        // [reading] see XpediteRuleReadings.scrollviewNeedsComponents
        groups: [.atLeastOne("components", name: "scrollview-without-components")]
    )

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.background(background)
        keys("components", components).optional("The components, from top to bottom.")
    }
}

/// Makes a ``ScrollView``.
///
/// ```swift
/// page("Terms") { scrollview { label("Be kind.") } }
/// ```
public func scrollview(@ListBuilder<any Component> _ components: () -> [any Component]) -> ScrollView {
    ScrollView(components: components())
}
