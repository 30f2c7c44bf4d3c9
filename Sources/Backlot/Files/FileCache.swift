/// Files that were asked for a moment ago, still open: a third of what answering with a small file costs is finding it.
///
/// Each time it must be seen that the same file, unchanged, still stands at its path (`FileFolder.stillHas`), so no answer is
/// older than it would be without this. Only that there is a compressed file beside it, or none, is believed for as long as an
/// entry lasts.
final class FileCache: Sendable {
    private struct State {
        var entries: [String: (found: FoundFile, began: ContinuousClock.Instant)] = [:]
        /// All files that were opened and may still be open: some are being sent.
        var open: [FileIdentity: OpenReference] = [:]
        var isPurging = false
    }

    private struct OpenReference {
        weak var file: OpenFile?
    }

    /// How long an entry lasts, in use or not: files that were removed don't take up the disk for longer.
    private static let validity = Duration.seconds(1)
    /// The most entries; each has one descriptor open, or two.
    private static let most = 256

    private let state = Locked(State())

    /// What was found at a path.
    func find(_ path: String) -> FoundFile? {
        state.withLock { $0.entries[path]?.found }
    }

    /// Forgets what was found at a path.
    func remove(_ path: String) {
        state.withLock { $0.entries[path] = nil }
    }

    /// The file that is open already, if it is the same and unchanged, so that all answers with it share one descriptor;
    /// otherwise `file`.
    func shared(_ file: OpenFile) -> OpenFile {
        let (shared, mustPurge) = state.withLock { state in
            if let shared = state.open[file.identity]?.file { return (shared, false) }
            state.open[file.identity] = OpenReference(file: file)
            return (file, Self.startPurging(&state))
        }
        if mustPurge { startPurging() }
        return shared
    }

    /// Notes what was found at a path, if there is room.
    func add(_ found: FoundFile, at path: String) {
        let mustPurge = state.withLock { state in
            guard state.entries.count < Self.most else { return false }
            state.entries[path] = (found, .now)
            return Self.startPurging(&state)
        }
        if mustPurge { startPurging() }
    }

    private static func startPurging(_ state: inout State) -> Bool {
        defer { state.isPurging = true }
        return !state.isPurging
    }

    private func startPurging() {
        Task.detached { [self] in
            repeat { try? await Task.sleep(for: Self.validity) } while purge()
        }
    }

    /// Removes what is too old.
    ///
    /// - Returns: whether anything is left.
    private func purge() -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.entries = state.entries.filter { now - $0.value.began < Self.validity }
            state.open = state.open.filter { $0.value.file != nil }
            state.isPurging = !(state.entries.isEmpty && state.open.isEmpty)
            return state.isPurging
        }
    }
}
