/// What a file under `Routes/` says.
struct LoadedFile: Sendable {
    /// Its stubs, in the order in which they are asked.
    var stubs: [Stub] = []
    /// What in it doesn't do what its author may expect.
    var warnings: [FileProblem] = []
    /// The files of bodies that it names, by their paths below the folder.
    var bodyFiles: [String] = []
    /// The routes that it takes for itself, such as `GET /users/[]`.
    var routes: [String] = []
}

/// All that is wrong in a file.
struct FileProblems: Error {
    let list: [FileProblem]
}
