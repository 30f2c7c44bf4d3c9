public import Backlot
public import BacklotJSON

/// Components that scroll. Without a height it is as high as they are.
///
/// Source: Xpedite API reference, component-scrollview. That `components` is required is this project's reading.
public struct ScrollView: Component, Sized, Backed {
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

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.component(self) {
            $0.field("background", background)
            $0.field("components", components)
        }
    }
}

extension ScrollView {
    static let vocabulary = Kind(
        "scrollview",
        as: [.component],
        "Components that scroll; without a height it is as high as they are.",
        // [reading] see RuleReadings.scrollviewNeedsComponents
        groups: [.atLeastOne("components", name: "scrollview-without-components")],
        keys: .part([
            .optional("components", .objects(.component), "The components, from top to bottom."), .background,
        ])
    )
}

/// Makes a ``ScrollView``.
public func scrollview(@ListBuilder<any Component> _ components: () -> [any Component]) -> ScrollView {
    ScrollView(components: components())
}
