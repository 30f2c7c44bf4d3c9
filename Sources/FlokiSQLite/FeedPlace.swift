/// The order of a feed as numbers: an entry that comes before another in its feed has a higher place.
///
/// Places are the keys of entries, of their words and of their tags, so that each of these is read in the feed's order without
/// sorting. Those of one stream are consecutive: the number of the stream, then 49 bits.
enum FeedPlace {
    static let bits = 49
    /// The distance between an entry and the next one at the end of a feed. It leaves room for entries in between.
    static let step: Int64 = 1 << 10
    /// The highest number of a stream.
    static let highestStream: Int64 = 1 << (63 - Int64(bits)) - 1

    /// The places of a stream.
    static func range(of stream: Int64) -> ClosedRange<Int64> {
        let first = stream << bits
        return first...(first | (1 << bits - 1))
    }

    /// The place between two neighbours; nil without room. Neighbours that are nil lie outside of the stream.
    static func between(_ below: Int64?, _ above: Int64?, in stream: Int64) -> Int64? {
        let range = range(of: stream)
        switch (below, above) {
        case (nil, nil): return range.lowerBound + (1 << (bits - 1))
        case (let below?, nil): return range.upperBound - below >= step ? below + step : nil
        case (nil, let above?): return above - range.lowerBound >= step ? above - step : nil
        case (let below?, let above?): return above - below > 1 ? below + (above - below) / 2 : nil
        }
    }
}

/// The ids of a stream as numbers, after the stream's.
enum FeedID {
    static let bits = 31
    static let highest: Int64 = 1 << bits - 1

    /// The ids of a stream from 0 to `upper`.
    static func range(of stream: Int64, through upper: Int) -> ClosedRange<Int64> {
        let first = stream << bits
        return first...(first | min(max(Int64(upper), 0), highest))
    }

    static func number(_ id: Int, in stream: Int64) -> Int64 { stream << bits | min(max(Int64(id), 0), highest) }
}
