/// What a file under `Routes/` says.
struct LoadedFile: Sendable {
    /// Its stubs, in the order in which they are asked.
    var stubs: [Stub] = []
    /// What in it doesn't do what its author may expect.
    var warnings: [FileProblem] = []
    /// The files of bodies that it names, by their paths below the folder.
    var bodyFiles: [String] = []
    /// What it takes for itself: routes such as `GET /users/[]`, and the ids of stubs.
    var routes: [String] = []
}

/// All that is wrong in a file.
struct FileProblems: Error {
    let list: [FileProblem]
}
