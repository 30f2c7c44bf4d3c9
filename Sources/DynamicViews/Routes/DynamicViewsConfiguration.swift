/// How views are served.
public struct DynamicViewsConfiguration: Sendable {
    /// The dialects that clients can ask for, each platform once. Who asks for none gets the first.
    public var dialects: [Dialect] = [.ios, .android]
    /// The texts and pictures that the app has, for warnings of others.
    public var catalogue = Catalogue()
    /// What becomes of a document that clients would refuse.
    public var validation = DocumentValidation.automatic
    /// The largest body of an interaction, in bytes.
    public var interactionLimit = 64 * 1024

    /// The default configuration.
    public init() {}
}
