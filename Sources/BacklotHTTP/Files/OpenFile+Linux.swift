#if os(Linux)
internal import CLinux
internal import Glibc

/// `pread`, or the same that fails with EAGAIN rather than wait for the disk.
func systemRead(
    _ descriptor: Int32,
    _ memory: UnsafeMutablePointer<UInt8>,
    _ count: Int,
    _ offset: Int,
    mayBlock: Bool
) -> Int {
    if !mayBlock {
        var piece = unsafe iovec(iov_base: memory, iov_len: count)
        let read = unsafe preadv2(descriptor, &piece, 1, off_t(offset), Int32(RWF_NOWAIT))
        // Some file systems can't tell, tmpfs and overlayfs among them: they are read as any server does.
        if read >= 0 || errno != EOPNOTSUPP { return read }
    }
    return unsafe pread(descriptor, memory, count, off_t(offset))
}
#endif
