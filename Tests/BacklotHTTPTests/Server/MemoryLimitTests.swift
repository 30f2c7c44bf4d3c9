import Testing

@testable import BacklotHTTP

/// How much memory a container allows.
@Suite(.timeLimit(.minutes(1))) struct MemoryLimitTests {
    @Test(
        arguments: [
            ([:], nil),
            (["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "268435456\n"], 268_435_456),
            (["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "max\n"], nil),
            (["/proc/self/cgroup": "0::/\n"], nil),
            (
                [
                    "/proc/self/cgroup": "0::/system.slice/clinic.service\n",
                    "/sys/fs/cgroup/system.slice/clinic.service/memory.max": "max\n",
                    "/sys/fs/cgroup/system.slice/memory.max": "1000000\n",
                ], 1_000_000
            ),
            (
                [
                    "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "3000000\n",
                    "/sys/fs/cgroup/a/memory.max": "2000000\n",
                ], 2_000_000
            ),
            (
                [
                    "/proc/self/cgroup": "5:cpu,cpuacct:/\n4:memory:/docker/7f\n",
                    "/sys/fs/cgroup/memory/docker/7f/memory.limit_in_bytes": "500000\n",
                    "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
                ], 500_000
            ),
            (["/proc/self/cgroup": "nonsense\n1:\n"], nil),
        ] as [([String: String], Int?)]
    )
    func `The least limit of the groups counts`(files: [String: String], bytes: Int?) {
        #expect(MemoryLimit.bytes { files[$0] } == bytes)
    }
}
