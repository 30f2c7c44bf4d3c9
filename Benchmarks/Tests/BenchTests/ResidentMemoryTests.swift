import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct ResidentMemoryTests {
    @Test func `Resident memory is read from a rollup`() {
        let text = """
            55d0c8a00000-7ffd1c1f2000 ---p 00000000 00:00 0                          [rollup]
            Rss:                3012 kB
            Pss:                1100 kB
            Pss_Dirty:           800 kB

            """
        #expect(ResidentMemory.bytes(inRollup: text) == 3_084_288)
    }

    @Test(arguments: ["", "Pss: 12 kB", "Rss: 12", "Rss: many kB"])
    func `Other texts are not a rollup`(text: String) {
        #expect(ResidentMemory.bytes(inRollup: text) == nil)
    }

    @Test func `Resident pages are read from statm`() {
        #expect(ResidentMemory.pages(inStatm: "5230 1017 812 41 0 300 0\n") == 1017)
        #expect(ResidentMemory.pages(inStatm: "") == nil)
    }

    @Test func `Slab memory is read from meminfo`() {
        #expect(
            KernelMemory.slabBytes(in: "MemFree: 9 kB\nSlab:             123 kB\nSReclaimable: 4 kB\n") == 123 * 1024
        )
        #expect(KernelMemory.slabBytes(in: "MemFree: 9 kB\n") == nil)
        #expect(KernelMemory.slabBytes > 0)
    }
}
