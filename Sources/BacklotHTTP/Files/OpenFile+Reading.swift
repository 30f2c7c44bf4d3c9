#if os(Linux)
internal import CLinux
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension OpenFile {
    /// Reads all bytes of the file. It blocks.
    ///
    /// - Throws: `FileError` when the system can't read it.
    package func bytes() throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try read(0..<size, into: &bytes, mayBlock: true)
        return bytes
    }

    /// Appends the bytes of `range` that the file still has to `bytes`.
    ///
    /// - Parameter mayBlock: whether to wait for the disk.
    /// - Returns: the number of bytes read; nil, without appending any, when some of them were not in memory.
    /// - Throws: `FileError` when the system can't read the file. No bytes are appended then.
    func read(_ range: Range<Int>, into bytes: inout [UInt8], mayBlock: Bool) throws(FileError) -> Int? {
        if let kept {
            bytes.append(copying: kept.span.extracting(range))
            return range.count
        }
        let start = bytes.count
        var failure: Int32?
        bytes.append(addingCapacity: range.count) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                guard let memory = buffer.baseAddress else { return }
                let first = count
                let end = first + range.count
                while count < end {
                    let offset = range.lowerBound + count - first
                    let read = unsafe read(memory + count, end - count, offset, mayBlock: mayBlock)
                    if read > 0 {
                        count += read
                    } else if read == 0 {
                        return
                    } else if errno != EINTR {
                        failure = errno
                        count = first
                        return
                    }
                }
            }
        }
        switch failure {
        case nil: return bytes.count - start
        case EAGAIN where !mayBlock: return nil
        case let code?: throw FileError(path: nil, code: code)
        }
    }

    private func read(
        _ memory: UnsafeMutablePointer<UInt8>,
        _ count: Int,
        _ offset: Int,
        mayBlock: Bool
    ) -> Int {
        if !mayBlock {
            let read = unsafe readCached(descriptor, memory, count, offset)
            if read >= 0 || errno != EOPNOTSUPP { return read }
            // Neither tmpfs nor overlayfs can tell: files on this machine are read in the ordinary way.
            guard !isRemote else {
                errno = EAGAIN
                return -1
            }
        }
        return unsafe pread(descriptor, memory, count, off_t(offset))
    }

    /// Reads all bytes of a file if one call can read them from memory; nil otherwise.
    static func bytes(of descriptor: Int32, count: Int) -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            guard let memory = buffer.baseAddress else { return }
            let read = unsafe readCached(descriptor, memory, count, 0)
            filled = max(0, read < 0 && errno == EOPNOTSUPP ? unsafe pread(descriptor, memory, count, 0) : read)
        }
        return bytes.count == count ? bytes : nil
    }

    /// Whether the end of `range` is in memory: since the system reads ahead, all of it then is. True if the system can't tell,
    /// unless the file is remote.
    func isCached(_ range: Range<Int>) -> Bool {
        guard let last = range.last, kept == nil else { return true }
        var byte: UInt8 = 0
        while true {
            if unsafe readCached(descriptor, &byte, 1, last) >= 0 { return true }
            switch errno {
            case EINTR: continue
            case EAGAIN: return false
            default: return !isRemote
            }
        }
    }

    /// Loads `range` into memory. It blocks. If loading fails, sending will fail too.
    func load(_ range: Range<Int>) {
        var scratch: [UInt8] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let piece = start..<min(start + 128 * 1024, range.upperBound)
            guard let count = try? read(piece, into: &scratch, mayBlock: true), count > 0 else { return }
            scratch.removeAll(keepingCapacity: true)
            start += count
        }
    }
}

#if os(Linux)
/// Reads like `pread`, but only from memory. It fails with EAGAIN if no bytes are in memory, and with EOPNOTSUPP if the file
/// system can't tell. It may read less than is available.
func readCached(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>, _ count: Int, _ offset: Int) -> Int {
    var piece = unsafe iovec(iov_base: memory, iov_len: count)
    return unsafe preadv2(descriptor, &piece, 1, off_t(offset), Int32(RWF_NOWAIT))
}
#else
/// Fails with EOPNOTSUPP: Darwin can't read only what is in memory.
func readCached(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>, _ count: Int, _ offset: Int) -> Int {
    errno = EOPNOTSUPP
    return -1
}
#endif
