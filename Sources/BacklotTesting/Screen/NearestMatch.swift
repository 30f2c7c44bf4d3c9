internal import Backlot

/// Finds what somebody probably meant, among what there is.
enum NearestMatch {
    /// The most bytes of a text that are compared.
    private static let compared = 60

    /// The candidate that is nearest to a text; nil when none is near.
    ///
    /// One that begins with the text, or holds it, or is held by it, is nearer than one that differs by some edits. A third
    /// of the bytes may differ. Letter case doesn't count.
    static func nearest(to text: String, among candidates: [String]) -> String? {
        let wanted = Array(text.lowercased().utf8.prefix(compared))
        guard !wanted.isEmpty else { return nil }
        var best: (candidate: String, score: Int)?
        for candidate in candidates {
            let other = Array(candidate.lowercased().utf8.prefix(compared))
            guard !other.isEmpty, let score = score(wanted, other), score < best?.score ?? .max else { continue }
            best = (candidate, score)
        }
        return best?.candidate
    }

    private static func score(_ wanted: [UInt8], _ other: [UInt8]) -> Int? {
        let edits = EditDistance.between(wanted, other)
        let allowed = max(1, min(wanted.count, other.count) / 3)
        if edits <= allowed { return edits }
        let (short, long) = wanted.count < other.count ? (wanted, other) : (other, wanted)
        guard short.count >= 3 else { return nil }
        if long.starts(with: short) { return compared + long.count - short.count }
        let isInside = (0...(long.count - short.count)).contains { long[$0...].starts(with: short) }
        return isInside ? 2 * compared + long.count - short.count : nil
    }
}
