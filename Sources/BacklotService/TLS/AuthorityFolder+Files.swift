internal import Backlot

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Writing the files of an authority, with their permissions.
extension AuthorityFolder {
    func exists(_ file: String) -> Bool { unsafe access(file, F_OK) == 0 }

    func checkMode(_ file: String) throws(TLSError) {
        var status = stat()
        guard unsafe stat(file, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        throw TLSError(
            file: file,
            "can be read by other users (mode \(String(status.st_mode & 0o777, radix: 8)))",
            fix: "write 'chmod 600 \(file)' if nobody has copied the key, or else 'tls forget', and begin anew"
        )
    }

    /// Creates the folder and its missing parents.
    func makeFolder() throws(TLSError) {
        let parts = path.split(separator: "/")
        var way = ""
        for (index, part) in parts.enumerated() {
            way += "/\(part)"
            let isLast = index == parts.count - 1
            // An error shows up in the next call at the latest.
            if unsafe mkdir(way, isLast ? 0o700 : 0o755) != 0, errno != EEXIST { throw unwritable(path, errno) }
        }
    }

    /// Calls `body` while no other server can change the folder: several may start at the same time.
    func whileLocked<Result>(_ body: () throws(TLSError) -> Result) throws(TLSError) -> Result {
        let lock = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if lock >= 0 { close(lock) } }
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw unwritable(path, errno) }
        return try body()
    }

    /// Writes a file that only the user can read, atomically: readers see either the old or the new file.
    func write(_ text: String, to file: String) throws(TLSError) {
        do {
            try PartialFile.write(Array(text.utf8), to: file)
        } catch {
            throw unwritable(file, error.code)
        }
    }

    func remove(_ file: String) throws(TLSError) {
        guard unsafe unlink(file) != 0, errno != ENOENT else { return }
        throw TLSError(
            file: file,
            "can't be removed (\(SystemErrors.text(errno)))",
            fix: "let the server's user write in the folder '\(path)'"
        )
    }

    func unwritable(_ file: String, _ code: Int32) -> TLSError {
        TLSError(
            file: file,
            "can't be written (\(SystemErrors.text(code)))",
            fix: "make room, let the server's user write there, or set XDG_STATE_HOME to the path of another folder"
        )
    }
}
