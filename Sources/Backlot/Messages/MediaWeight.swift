extension Request {
    /// The client's preference for a media type, from 0 to 1: the weight of the most specific range of `Accept` that contains the
    /// type (RFC 9110, section 12.5.1). 0 without the field.
    package func weight(of type: String) -> Double {
        let ranges = [type, "\(type.prefix { $0 != "/" })/*", "*/*"]
        var (found, weight) = (ranges.count, 0.0)
        for member in (headers[.accept] ?? "").lowercased().split(separator: ",") {
            let parts = member.split(separator: ";").map { String($0).withoutBlanks }
            guard let range = parts.first.flatMap(ranges.firstIndex), range < found else { continue }
            let given = parts.dropFirst().first { $0.hasPrefix("q=") }
            (found, weight) = (range, given.map { Double($0.dropFirst(2)) ?? 0 } ?? 1)
        }
        return weight
    }
}
