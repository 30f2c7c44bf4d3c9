#if canImport(Darwin)
internal import Darwin

/// `pread`: Darwin has none that fails rather than wait for the disk.
func systemRead(
    _ descriptor: Int32,
    _ memory: UnsafeMutablePointer<UInt8>,
    _ count: Int,
    _ offset: Int,
    mayBlock: Bool
) -> Int {
    unsafe pread(descriptor, memory, count, off_t(offset))
}
#endif
