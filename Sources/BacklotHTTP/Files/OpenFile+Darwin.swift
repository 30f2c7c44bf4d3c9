#if canImport(Darwin)
internal import Darwin

/// Fails with EOPNOTSUPP: Darwin can't read only what is in memory.
func readCached(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>, _ count: Int, _ offset: Int) -> Int {
    errno = EOPNOTSUPP
    return -1
}
#endif
