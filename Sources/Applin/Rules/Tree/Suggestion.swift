internal import Backlot

/// Finds what somebody probably meant.
enum Suggestion {
    /// The candidate that is the fewest edits away; nil when none is near. One edit adds, removes or replaces a byte, or
    /// swaps two neighbours; a third of the bytes may differ.
    static func nearest(to text: String, among candidates: some Sequence<String>) -> String? {
        let text = Array(text.lowercased().utf8.prefix(40))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let bytes = Array(candidate.utf8)
            let allowed = max(1, min(bytes.count, text.count) / 3)
            let distance = EditDistance.between(text, bytes)
            if distance <= allowed, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.candidate
    }
}
