/// This release of Backlot.
public enum BacklotVersion {
    /// The version, as Semantic Versioning writes it (https://semver.org).
    public static let current = "0.1.0"
}
