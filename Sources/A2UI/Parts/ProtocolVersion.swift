/// A version of A2UI, named as messages name it.
///
/// All versions are dialects of one vocabulary. They differ in the keys of bindings and calls, in those of components, and in the
/// results of checks.
///
/// Source: the A2UI specifications 0.9, 0.9.1 and 1.0.
public enum ProtocolVersion: String, CaseIterable, Sendable {
    /// 0.9, and 0.9.1 as most servers write it.
    case v0_9 = "v0.9"
    /// 0.9.1.
    case v0_9_1 = "v0.9.1"
    /// 1.0 as of October 2026, with `v` and without `@` at the keys of components.
    case v1_0October = "v1.0"
    /// 1.0.
    case v1_0 = "1.0"

    /// Reads the version of a catalog or of capabilities, with or without `v`.
    public init?(loosely text: String) {
        guard let version = Self(rawValue: text) ?? Self(rawValue: "v\(text)") else { return nil }
        self = version
    }

    /// Whether this is one of the forms of 1.0.
    public var isOne: Bool { self == .v1_0 || self == .v1_0October }

    /// Whether a surface of this version takes messages and catalogs of the other one.
    package func isCompatible(with other: ProtocolVersion) -> Bool { isOne == other.isOne }

    /// The key of a binding.
    package var pathKey: String { isOne ? "@path" : "path" }
    /// The key of a call.
    package var callKey: String { isOne ? "@call" : "call" }
    /// The name in errors.
    var family: String { isOne ? "1.0" : "0.9" }

    /// The keys of components that 1.0 writes with an `@`.
    static let prefixedKeys: Set<String> = ["catalogId", "accessibility", "metadata", "checks"]
}
