/// The lines of a file or of standard input, with one line in memory at a time. Unchecked: one task uses it.
final class LineReader: @unchecked Sendable {
    /// A line without its end.
    enum Line: Equatable, Sendable {
        case whole([UInt8])
        /// The line was longer than the limit, and was skipped.
        case tooLong
    }

    /// The error for a file that the system can't open or read.
    struct ReadingError: Error, CustomStringConvertible {
        let problem: String
        let fix: String

        var description: String { "\(problem): \(fix)" }
    }

    /// The longest wait for input, in milliseconds; afterwards the task can end.
    private static let patience: Int32 = 100

    /// The number of the last line, from 1 on.
    private(set) var number = 0
    /// Whether the last line had no end.
    private(set) var isCut = false
    private let path: String
    private let descriptor: Int32
    private let longest: Int
    private var buffer: [UInt8] = []
    /// The number of bytes taken from the buffer.
    private var taken = 0
    private var hasEnded = false

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the file; `-` for standard input.
    ///   - longest: the maximum number of bytes in a line.
    /// - Throws: ``ReadingError``
    init(_ path: String, longest: Int) throws(ReadingError) {
        self.path = path == "-" ? "standard input" : "'\(path)'"
        self.longest = longest
        guard path == "-" || !FolderLookup.exists(path) else {
            throw ReadingError(problem: "\(self.path) is a folder", fix: "name a file in it")
        }
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let isMissing = errno == ENOENT || errno == ENOTDIR
            let fix = isMissing ? "name an existing file, or - for standard input" : "make it readable for this program"
            throw ReadingError(problem: "\(self.path) can't be read", fix: fix)
        }
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// The next line; nil at the end.
    ///
    /// - Throws: ``ReadingError``; `CancellationError` when the task ends while it waits.
    func next() throws -> Line? {
        var line: [UInt8] = []
        var (isTooLong, hasBegun) = (false, false)
        while true {
            if taken == buffer.count, try !fill() {
                guard hasBegun else { return nil }
                isCut = true
                break
            }
            hasBegun = true
            let part = buffer[taken...].prefix { $0 != UInt8(ascii: "\n") }
            isTooLong = isTooLong || line.count + part.count > longest
            if isTooLong { line = [] } else { line += part }
            taken += part.count
            if taken < buffer.count {
                taken += 1
                break
            }
        }
        number += 1
        return isTooLong ? .tooLong : .whole(line)
    }

    /// The rest of the input.
    func readToEnd() throws -> [UInt8] {
        var bytes = Array(buffer[taken...])
        while try fill() { bytes += buffer }
        return bytes
    }

    /// Reads more bytes. Returns false at the end.
    private func fill() throws -> Bool {
        guard !hasEnded else { return false }
        while true {
            if Task.isCancelled { throw CancellationError() }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&request, 1, Self.patience)
            if ready == 0 || ready < 0 && errno == EINTR { continue }
            var failed = false
            buffer = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                let result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                failed = result < 0
                count = max(result, 0)
            }
            taken = 0
            if failed, errno == EINTR { continue }
            guard !failed else {
                throw ReadingError(problem: "\(path) can't be read any further", fix: "check its disk")
            }
            hasEnded = buffer.isEmpty
            return !hasEnded
        }
    }
}
