import Backlot

/// What a client says of itself with a request.
///
/// Source: Floki server protocols, Communication of parameters to the server.
struct FeedParameters: Sendable, Equatable {
    /// `d`: the device.
    var device = Device.other
    /// `l`: the lowest id that the client shows.
    var lowest: Int?
    /// `h`: the highest id that it shows.
    var highest: Int?
    /// `o`: the id after which older entries are asked for.
    var older: Int?

    /// Reads the parameters of a query; of one that is there twice, the first.
    init(_ query: QueryParameters) {
        device = query["d"].flatMap { Int($0) }.flatMap(Device.init) ?? .other
        lowest = Self.positive(query["l"])
        highest = Self.positive(query["h"])
        older = Self.positive(query["o"])
    }

    /// What isn't a positive whole number counts as absent.
    private static func positive(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
}
