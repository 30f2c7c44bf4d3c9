/// Serves the files of a folder for GET and HEAD on paths without a route.
struct StaticFiles: Fallback {
    private let folder: FileFolder
    /// The path that is served from the folder, without a slash at its end: empty for `/`.
    private let prefix: String
    private let fields: FileFields
    /// The name of the file that is served for its folder.
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

    /// Responds at once, without a task or another thread, if the system has the file in memory.
    func respond(to request: Request) throws -> Ready<Response?> {
        guard let response = try find(request, mayBlock: false) else {
            return .pending {
                try await Blocking.run { try find(request, mayBlock: true) }?.value ?? nil
            }
        }
        return response
    }

    /// - Returns: nil if the file can't be found without blocking.
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

    /// A file with its response fields; nil if that would take a wait.
    private func complete(_ file: OpenFile, _ name: String, _ path: String, mayBlock: Bool) throws -> FoundFile? {
        let entry = fields[name]
        var compressed: OpenFile?
        if usesPrecompressed, entry.mayBePrecompressed {
            switch try open(Self.compressed(name), mayBlock: mayBlock) {
            // An older one belongs to an earlier state of the file.
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

    /// Redirects the client to the path with a slash: without it, relative links in the folder's index lead to wrong paths.
    ///
    /// The path can't name another host, `//host`: it has plain names only.
    private func redirect(_ request: Request, _ path: String) throws -> Ready<Response?> {
        guard request.method == .get || request.method == .head else {
            throw StatusError.methodNotAllowed(request.method, allowed: "GET, HEAD")
        }
        let query = request.rawQuery.map { "?\($0)" } ?? ""
        return .ready(try .redirect(to: "\(path)/\(query)", status: .movedPermanently))
    }
}

extension Router {
    /// Serves the files of a folder on paths without a route: regular files only. Files and folders with a dot at the start of
    /// their names are hidden, and symbolic links aren't followed.
    ///
    /// Conditional requests, requests for ranges and HEAD follow RFC 9110; other methods get 405. A file that the process may not
    /// read gets 404, like a missing file. A folder with an index redirects to the path with a slash.
    ///
    /// Large files go from the system to the client without passing through the program. Files of up to 32 KiB that were requested
    /// within the last second come from memory, as long as they haven't changed.
    ///
    /// ```swift
    /// router.files("Public")
    /// router.files("Images", at: "/images", cacheControl: "max-age=86400")
    /// ```
    /// - Parameters:
    ///   - folder: the folder, relative to the working directory unless it begins with `/`. It must exist when the server starts.
    ///     If another folder takes its place, the server uses that within a second.
    ///   - path: the path that is served from the folder.
    ///   - cacheControl: the `Cache-Control` of every file; with nil, caches must guess. By default, they ask each time whether a
    ///     file has changed, which costs little. For files that get a new name with each change:
    ///     `"public, max-age=31536000, immutable"`.
    ///   - index: the name of the file that is served for its folder; nil for none.
    ///   - usesPrecompressed: whether clients that accept gzip get `page.html.gz`, beside `page.html`. It is used unless it is older
    ///     than the file, in whole seconds.
    public func files(
        _ folder: String,
        at path: String = "/",
        cacheControl: String? = "no-cache",
        index: String? = "index.html",
        usesPrecompressed: Bool = true,
        file: String = #fileID,
        line: Int = #line
    ) {
        let source = CodeLocation(file: file, line: line)
        let names = path.split(separator: "/").map(String.init)
        if !path.hasPrefix("/") || path.contains(where: { "{}?#%\\".contains($0) }) {
            report("files can't be served at '\(path)': it must begin with / and not contain { } ? # % \\", source)
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
                usesPrecompressed: usesPrecompressed
            )
        )
    }
}

/// The files of recent requests, still open, with the bytes of small ones: finding and reading a small file takes more than half of
/// the time of its response.
///
/// Each use checks that the same file, unchanged, is still at its path (`FileFolder.stillHas`), so the cache never makes a response
/// older. Only the existence of a compressed file beside it isn't checked again during the life of an entry.
final class FileCache: Sendable {
    private struct State {
        var entries: [String: (found: FoundFile, began: ContinuousClock.Instant)] = [:]
        /// All files that were opened and may still be open, since some are being sent.
        var open: [FileIdentity: OpenReference] = [:]
        var isPurging = false
    }

    private struct OpenReference {
        weak var file: OpenFile?
    }

    /// The life of an entry, in use or not: removed files don't take up the disk for longer.
    private static let validity = Duration.seconds(1)
    /// The maximum number of entries. Each holds one or two open descriptors, and up to 32 KiB for each.
    private static let most = 256

    private let state = Locked(State())

    /// The file at a request's path.
    func find(_ path: String) -> FoundFile? { state.withLock { $0.entries[path]?.found } }

    /// Forgets the file at a path.
    func remove(_ path: String) { state.withLock { $0.entries[path] = nil } }

    /// The open file, if it is the same and unchanged, so that all responses with it share one descriptor; otherwise `file`.
    func shared(_ file: OpenFile) -> OpenFile {
        let (shared, mustPurge) = state.withLock { state in
            if let shared = state.open[file.identity]?.file { return (shared, false) }
            state.open[file.identity] = OpenReference(file: file)
            return (file, Self.startPurging(&state))
        }
        if mustPurge { startPurging() }
        return shared
    }

    /// Remembers the file at a path, if there is room.
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

    /// Removes expired entries.
    ///
    /// - Returns: whether entries are left.
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
