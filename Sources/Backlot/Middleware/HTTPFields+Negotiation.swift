internal import HTTPTypes

extension HTTPFields {
    /// Says that the answer depends on a field of the request (RFC 9110, section 12.5.5), beside what else it depends on.
    mutating func addVary(_ field: HTTPField) {
        guard let present = self[.vary] else { return append(field) }
        let names = present.split(separator: ",").map { name in
            name.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased()
        }
        if names.contains("*") || names.contains(field.value.lowercased()) { return }
        self[.vary] = names.isEmpty ? field.value : "\(present), \(field.value)"
    }

    /// Makes a strong entity tag weak, for a body that means the same in other bytes (RFC 9110, section 8.8.3.3).
    mutating func weakenEntityTag() {
        guard let tag = self[.eTag], tag.hasPrefix("\"") else { return }
        self[.eTag] = "W/\(tag)"
    }

    /// Makes a strong entity tag weak if that is how the client has got it: a 304 bears the tag of what it stands for
    /// (RFC 9110, section 15.4.5).
    mutating func matchEntityTag(of ifNoneMatch: String?) {
        guard let tag = self[.eTag], let ifNoneMatch, ifNoneMatch.contains("W/\(tag)") else { return }
        weakenEntityTag()
    }
}
