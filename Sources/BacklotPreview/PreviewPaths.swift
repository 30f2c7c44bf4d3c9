/// Where preview has what it needs.
enum PreviewPaths {
    /// What stands before all of it.
    static let root = "/__preview"
}
