/// How a ``FlokiClient`` behaves.
public struct FlokiClientConfiguration: Sendable {
    /// Which of the two public clients it is like.
    public enum Platform: Sendable, CaseIterable {
        /// Like iOS 3.0: what comes is merged with what is there, and older entries are asked for by `o`.
        case iOS
        /// Like Android 1.1: what comes replaces what is there, and older entries come from `more_items_url`.
        case android
    }

    /// Which client it is like.
    public var platform = Platform.iOS
    /// The language of the device, which counts where the app has it; otherwise the app's first does.
    public var language = "en"
    /// The kind of device, as the parameter `d`; nil leaves it out.
    public var device: Int? = 2
    /// Whether parameters follow a path without a question mark, `/gossips&o=797`.
    public var omitsQuestionMark = false
    /// How much it takes of a server.
    public var limits = ClientLimits()

    /// The default configuration.
    public init() {}
}
