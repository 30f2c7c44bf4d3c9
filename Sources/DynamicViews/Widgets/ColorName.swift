/// The name of a colour, which apps look up among iOS's and their own.
///
/// ```swift
/// extension ColorName {
///     static let brand: ColorName = "brand"
/// }
///
/// text("Dashboard.title", id: "2").textColor(.brand)
/// ```
/// Source: Dynamic Views documentation, Text and Button. The names for iOS are the names of its semantic colours.
public struct ColorName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name on the wire.
    public let rawValue: String

    /// The colour of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The colour of that name.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The app's accent colour.
    public static let accent: ColorName = "accent"
    /// Text of first importance.
    public static let label: ColorName = "label"
    /// Text of second importance.
    public static let secondaryLabel: ColorName = "secondaryLabel"
    /// Text of third importance.
    public static let tertiaryLabel: ColorName = "tertiaryLabel"
    /// The background of everything.
    public static let systemBackground: ColorName = "systemBackground"
    /// The background of elements on that background.
    public static let secondarySystemBackground: ColorName = "secondarySystemBackground"
    /// The background of elements on the secondary background.
    public static let tertiarySystemBackground: ColorName = "tertiarySystemBackground"
}

/// The name of a text's style.
///
/// Source: Dynamic Views documentation, Text; the names are those of iOS's text styles.
public struct TextStyle: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name on the wire.
    public let rawValue: String

    /// The style of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The style of that name.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The largest title.
    public static let largeTitle: TextStyle = "largeTitle"
    /// A title.
    public static let title: TextStyle = "title"
    /// A title of second order.
    public static let title2: TextStyle = "title2"
    /// A title of third order.
    public static let title3: TextStyle = "title3"
    /// A heading.
    public static let headline: TextStyle = "headline"
    /// A heading of second order.
    public static let subheadline: TextStyle = "subheadline"
    /// Text to read: the usual style.
    public static let body: TextStyle = "body"
    /// A callout.
    public static let callout: TextStyle = "callout"
    /// A footnote.
    public static let footnote: TextStyle = "footnote"
    /// A caption.
    public static let caption: TextStyle = "caption"
    /// A caption of second order.
    public static let caption2: TextStyle = "caption2"
}
