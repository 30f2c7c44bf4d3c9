/// What kind of device asks, by the parameter `d`.
///
/// Source: Floki server protocols, Communication of parameters to the server.
public enum Device: Int, Sendable, CaseIterable {
    /// An iPad, 768 × 1024 pixels.
    case iPad = 1
    /// An iPhone 4, 640 × 960 pixels.
    case iPhone4 = 2
    /// An older iPhone or iPod, 320 × 480 pixels; anything that says something else, or nothing, counts as one.
    case other = 0

    /// Which of the alternatives of a ``Link`` is meant for it.
    var alternative: Int {
        switch self {
        case .iPad: 0
        case .iPhone4: 1
        case .other: 2
        }
    }
}
