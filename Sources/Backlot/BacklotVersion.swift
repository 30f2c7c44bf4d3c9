/// This release of Backlot.
public enum BacklotVersion {
    /// The version in the form of Semantic Versioning (https://semver.org).
    public static let current = "0.2.0"
}
