#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension OpenFile {
    /// Appends the bytes of `range` to `bytes`, as far as the file still has them.
    ///
    /// - Parameter mayBlock: whether to wait for the disk.
    /// - Returns: how many bytes were read; nil, with none appended, when some of them were not in memory.
    /// - Throws: `FileError` when the system can't read it; none are appended then.
    func read(_ range: Range<Int>, into bytes: inout [UInt8], mayBlock: Bool) throws(FileError) -> Int? {
        let start = bytes.count
        var failure: Int32?
        bytes.append(addingCapacity: range.count) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                guard let memory = buffer.baseAddress else { return }
                let first = count
                let end = first + range.count
                while count < end {
                    let offset = range.lowerBound + count - first
                    let read = unsafe systemRead(descriptor, memory + count, end - count, offset, mayBlock: mayBlock)
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
}
