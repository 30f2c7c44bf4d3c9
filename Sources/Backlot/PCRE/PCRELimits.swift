internal import CPCRE2

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The resources of one match: memory, limits and a watch. Those for short texts are used again.
@safe final class PCRELimits: @unchecked Sendable {
    /// Texts up to this many bytes are short.
    private static let short = 4096
    private static let idle = Locked<[PCRELimits]>([])
    /// The maximum number of idle resources: one for each matching thread is enough.
    private static let mostIdle = 16

    private let data: OpaquePointer
    private let context: OpaquePointer
    private let watch: UnsafeMutablePointer<MatchWatch>
    private let isKept: Bool

    /// - Parameter groups: the number of requested groups.
    static func borrow(forBytes count: Int, groups: Int = 1) -> PCRELimits {
        guard count <= short, groups <= 1 else {
            return PCRELimits(kibibytes: count <= short ? 1024 : 16 * 1024, isKept: false, groups: groups)
        }
        return idle.withLock { $0.popLast() } ?? PCRELimits(kibibytes: 1024, isKept: true)
    }

    func giveBack() {
        guard isKept else { return }
        Self.idle.withLock { if $0.count < Self.mostIdle { $0.append(self) } }
    }

    /// - Parameter kibibytes: the maximum memory of a match, in KiB.
    private init(kibibytes: UInt32, isKept: Bool, groups: Int = 1) {
        guard let data = unsafe pcre2_match_data_create_8(UInt32(clamping: max(1, groups) + 1), nil),
            let context = unsafe pcre2_match_context_create_8(nil)
        else { fatalError("out of memory for a match") }
        unsafe (self.data, self.context, self.isKept) = (data, context, isKept)
        unsafe watch = .allocate(capacity: 1)
        unsafe watch.initialize(to: MatchWatch())
        unsafe pcre2_set_heap_limit_8(context, kibibytes)
        unsafe pcre2_set_callout_8(context, { _, watch in unsafe MatchWatch.tick(watch) }, watch)
    }

    deinit {
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_match_data_free_8(data)
        unsafe watch.deallocate()
    }

    /// - Parameters:
    ///   - text: valid UTF-8, since it is from a `String`.
    ///   - time: the remaining time in nanoseconds.
    func match(
        _ code: PCRERegex.Code,
        _ text: UnsafeBufferPointer<UInt8>,
        isWhole: Bool,
        within time: inout Int64
    ) -> PCRERegex.Outcome {
        let steps = UInt32(clamping: 200_000 + 8 * text.count)
        unsafe pcre2_set_match_limit_8(context, steps)
        unsafe pcre2_set_depth_limit_8(context, steps)
        // At least a tenth of a millisecond remains.
        unsafe watch.pointee.begin(allowance: max(100_000, min(time, PCRERegex.time(forBytes: text.count))), text.count)
        let options = (isWhole ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : 0) | PCRE2_NO_UTF_CHECK
        // An empty text may have no address.
        var nothing: UInt8 = 0
        let result = unsafe withUnsafePointer(to: &nothing) { nothing in
            unsafe pcre2_match_8(code.pointer, text.baseAddress ?? nothing, text.count, 0, options, data, context)
        }
        time -= unsafe watch.pointee.used()
        if result >= 0 { return .matches }
        return result == PCRE2_ERROR_NOMATCH ? .differs : .givenUp
    }

    /// The range that a group matched in the last text.
    func group(_ index: Int) -> Range<Int>? {
        guard unsafe index < Int(pcre2_get_ovector_count_8(data)), let pairs = unsafe pcre2_get_ovector_pointer_8(data)
        else { return nil }
        let (start, end) = unsafe (pairs[2 * index], pairs[2 * index + 1])
        // A group that didn't match is at the largest number.
        return start <= end && end != Int(bitPattern: ~0) ? start..<end : nil
    }
}

/// Checks the time at intervals while a match runs.
struct MatchWatch {
    private var ticksLeft: Int32 = 0
    private var ticks: Int32 = 0
    private var allowance: Int64 = 0
    /// The processor's time at the first check; nil before.
    private var start: Int64?
    /// The time of the next check of the processor's time, which costs ten times as much as other clocks.
    private var nextLook: Int64 = 0

    /// - Parameter count: the text's length in bytes. One part of a pattern may run over all of them between two checks.
    mutating func begin(allowance: Int64, _ count: Int) {
        ticks = Int32(min(64, max(1, 65_536 / max(1, count))))
        ticksLeft = ticks
        self.allowance = allowance
        start = nil
    }

    /// The nanoseconds that the match took; 0 for a short match.
    func used() -> Int64 { start.map { Self.now(CLOCK_THREAD_CPUTIME_ID) - $0 } ?? 0 }

    static func tick(_ watch: UnsafeMutableRawPointer?) -> Int32 {
        guard let watch = unsafe watch?.assumingMemoryBound(to: MatchWatch.self) else { return 0 }
        unsafe watch.pointee.ticksLeft -= 1
        return unsafe watch.pointee.ticksLeft > 0 || watch.pointee.look() ? 0 : Int32(PCRE2_ERROR_CALLOUT)
    }

    /// - Returns: whether there is time left.
    private mutating func look() -> Bool {
        ticksLeft = ticks
        let now = Self.now(CLOCK_MONOTONIC)
        guard let start else {
            start = Self.now(CLOCK_THREAD_CPUTIME_ID)
            nextLook = now + allowance
            return true
        }
        guard now >= nextLook else { return true }
        // The thread may have waited for a processor in the meantime, which doesn't count.
        let used = Self.now(CLOCK_THREAD_CPUTIME_ID) - start
        nextLook = now + allowance - used
        return used < allowance
    }

    private static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
