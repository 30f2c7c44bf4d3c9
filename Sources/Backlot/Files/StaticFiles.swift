/// Answers GET and HEAD with the files of a folder, where no route does.
struct StaticFiles: Fallback {
    private let folder: FileFolder
    /// The path that the folder stands for, without a slash at its end: empty for `/`.
    private let prefix: String
    private let fields: FileFields
    /// The name of the file that stands for its folder.
    private let index: String?
    private let usesPrecompressed: Bool
    private let cache = FileCache()

    init(_ folder: FileFolder, prefix: String, fields: FileFields, index: String?, usesPrecompressed: Bool) {
        self.folder = folder
        self.prefix = prefix
        self.fields = fields
        self.index = index
        self.usesPrecompressed = usesPrecompressed
    }

    /// Answers at once, without a task or another thread, if the system has the file in memory.
    func respond(to request: Request) throws -> Ready<Response?> {
        guard let response = try find(request, mayBlock: false) else {
            return .pending {
                try await Blocking.run { try find(request, mayBlock: true) }?.value ?? nil
            }
        }
        return response
    }

    /// - Returns: nil where that can't be said without blocking.
    private func find(_ request: Request, mayBlock: Bool) throws -> Ready<Response?>? {
        let requestPath = request.path
        let isReading = request.method == .get || request.method == .head
        if isReading, !mayBlock, let found = findAgain(requestPath) {
            try request.refuseLargeBody()
            return .ready(found.response(to: request).response(to: request))
        }
        guard let path = FilePath(requestPath, below: prefix) else { return .ready(nil) }
        var name = path.name
        if path.meansFolder {
            guard let index else { return .ready(nil) }
            name = Self.join(name, index)
        }
        switch name.isEmpty ? .folder : try open(name, mayBlock: mayBlock) {
        case .file(let file):
            guard isReading else { throw StatusError.methodNotAllowed(request.method, allowed: "GET, HEAD") }
            try request.refuseLargeBody()
            guard let found = try complete(file, name, requestPath, mayBlock: mayBlock) else { return nil }
            return .ready(found.response(to: request).response(to: request))
        case .folder:
            guard !path.meansFolder, let index else { return .ready(nil) }
            return switch try open(Self.join(name, index), mayBlock: mayBlock) {
            case .file: try redirect(request, requestPath)
            case .unknown: nil
            case .folder, .nothing: .ready(nil)
            }
        case .nothing: return .ready(nil)
        case .unknown: return nil
        }
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.isEmpty ? name : "\(folder)/\(name)"
    }

    private func open(_ name: String, mayBlock: Bool) throws -> FileFolder.Entry {
        do {
            return try folder.open(name, mayBlock: mayBlock, keptBefore: FileTime(seconds: FileTime.now.seconds - 1))
        } catch  where error.isShortage {
            throw StatusError.tooManyFiles
        }
    }

    /// The file that a recent request found at the path; nil if it may have changed since.
    private func findAgain(_ path: String) -> FoundFile? {
        guard let found = cache.find(path) else { return nil }
        if folder.stillHas(found.plain.file, at: found.name),
            found.compressed.map({ folder.stillHas($0.file, at: Self.compressed(found.name)) }) ?? true
        {
            return found
        }
        cache.remove(path)
        return nil
    }

    /// A file with all that is to be known of it; nil where that can't be said at once.
    private func complete(_ file: OpenFile, _ name: String, _ path: String, mayBlock: Bool) throws -> FoundFile? {
        let entry = fields[name]
        var compressed: OpenFile?
        if usesPrecompressed, entry.mayBePrecompressed {
            switch try open(Self.compressed(name), mayBlock: mayBlock) {
            // One that is older was made from what the file was before.
            case .file(let other) where other.modified.seconds >= file.modified.seconds: compressed = other
            case .file, .folder, .nothing: break
            case .unknown: return nil
            }
        }
        compressed = compressed.map(cache.shared)
        let found = FoundFile(cache.shared(file), name, compressed: compressed, fields: entry.fields)
        if !mayBlock { cache.add(found, at: path) }
        return found
    }

    private static func compressed(_ name: String) -> String { name + ".gz" }

    /// Sends the client to the path with a slash: links of the folder's index lead astray without it.
    ///
    /// The path can't be taken for another host's, `//host`: it has plain names only.
    private func redirect(_ request: Request, _ path: String) throws -> Ready<Response?> {
        guard request.method == .get || request.method == .head else {
            throw StatusError.methodNotAllowed(request.method, allowed: "GET, HEAD")
        }
        let query = request.rawQuery.map { "?\($0)" } ?? ""
        return .ready(try .redirect(to: "\(path)/\(query)", status: .movedPermanently))
    }
}

extension Router {
    /// Serves the files of a folder where no route answers: regular files only, none that begin with a dot or lie in a folder
    /// that does, and none that a symbolic link leads to.
    ///
    /// Requests with conditions and for ranges are answered as RFC 9110 says, HEAD too, and other methods with 405. A file
    /// that may not be read is answered with 404, as if it weren't there. Large files go from the system to the client without
    /// passing through the program; those of up to 32 KiB that were asked for within the last second are sent from memory, as long
    /// as they haven't changed. A folder that has an index is redirected to the path with a slash.
    ///
    /// - Parameters:
    ///   - folder: the folder, from the working directory unless it begins with `/`. It must exist when the server starts;
    ///     when another takes its place, that one is served within a second.
    ///   - path: the path that the folder stands for.
    ///   - cacheControl: the `Cache-Control` of every file; nil for none, which leaves caches to guess. By default they ask each
    ///     time whether a file has changed, which costs little. For files whose names change when they do:
    ///     `"public, max-age=31536000, immutable"`.
    ///   - index: the name of the file that stands for its folder; nil for none.
    ///   - precompressed: whether `page.html.gz`, beside `page.html`, is sent to clients that accept gzip. It counts as long
    ///     as it isn't older than the file, in whole seconds.
    public func files(
        _ folder: String,
        at path: String = "/",
        cacheControl: String? = "no-cache",
        index: String? = "index.html",
        precompressed: Bool = true,
        file: String = #fileID,
        line: Int = #line
    ) {
        let source = CodeLocation(file: file, line: line)
        let names = path.split(separator: "/").map(String.init)
        if !path.hasPrefix("/") || path.contains(where: { "{}?#%\\".contains($0) }) {
            report("files can't be served at '\(path)': it must begin with / and have none of { } ? # % \\", source)
        }
        if let cacheControl, !HTTPField.isValidValue(cacheControl) {
            report("the Cache-Control '\(cacheControl)' can't be the value of a field", source)
        }
        if let index, !FilePath.isPlainName(index) {
            report("the index '\(index)' must be the name of a file, without a dot at its start", source)
        }
        guard let open = FileFolder(folder) else {
            return report("the folder '\(folder)' doesn't exist, so no files can be served from it", source)
        }
        add(
            StaticFiles(
                open,
                prefix: names.map { "/\($0)" }.joined(),
                fields: FileFields(cacheControl: cacheControl),
                index: index,
                usesPrecompressed: precompressed
            )
        )
    }
}

/// Files that were asked for a moment ago, still open, and the bytes of small ones: to find and to read it takes more than half of
/// the time of a small file's response.
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
    /// The most entries; each has one descriptor open, or two, and keeps up to 32 KiB for each.
    private static let most = 256

    private let state = Locked(State())

    /// The file at the path of a request.
    func find(_ path: String) -> FoundFile? { state.withLock { $0.entries[path]?.found } }

    /// Forgets what was found at a path.
    func remove(_ path: String) { state.withLock { $0.entries[path] = nil } }

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
