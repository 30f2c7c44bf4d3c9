/// What came of reading the files of routes.
public struct LoadReport: Sendable {
    /// How many files make routes now.
    public internal(set) var files = 0
    /// What is wrong; the files that it is about are served as they were before, if they were.
    public internal(set) var problems: [FileProblem] = []
    /// What doesn't do what its author may expect.
    public internal(set) var warnings: [FileProblem] = []
    /// The files that were read anew, and are served as they are now.
    public internal(set) var changed: [String] = []
    /// The files that are gone, and their routes with them.
    public internal(set) var removed: [String] = []
}
