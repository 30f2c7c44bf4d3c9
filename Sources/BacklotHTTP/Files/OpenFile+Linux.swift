#if os(Linux)
internal import CLinux
internal import Glibc

/// `pread` of what is in memory: it fails with EAGAIN where that is nothing, and with EOPNOTSUPP where the file system
/// can't tell. It may read less than there is.
func readCached(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>, _ count: Int, _ offset: Int) -> Int {
    var piece = unsafe iovec(iov_base: memory, iov_len: count)
    return unsafe preadv2(descriptor, &piece, 1, off_t(offset), Int32(RWF_NOWAIT))
}
#endif
