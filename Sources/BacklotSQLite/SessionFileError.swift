/// A file that no `SQLiteSessionStore` can keep its sessions in.
public struct SessionFileError: Error, Equatable, CustomStringConvertible {
    /// Where the file is, or should be.
    public let path: String
    /// What is wrong with it.
    public let problem: String

    /// What is wrong, and what to do.
    public var description: String {
        "the sessions can't be kept in \(path): \(problem): name a file of SQLite, or a new one, in a folder that can be "
            + "written to"
    }
}
