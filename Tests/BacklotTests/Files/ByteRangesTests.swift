import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct ByteRangesTests {
    typealias Member = ByteRanges.Member

    @Test(arguments: [
        ("bytes=0-0", [Member.from(0, through: 0)]),
        ("bytes=0-499", [.from(0, through: 499)]),
        ("bytes=500-", [.from(500, through: nil)]),
        ("bytes=-500", [.last(500)]),
        ("bytes=-0", [.last(0)]),
        ("Bytes=0-1", [.from(0, through: 1)]),
        ("bytes=0-1,5-6,-2", [.from(0, through: 1), .from(5, through: 6), .last(2)]),
        ("bytes= 0-1 ,\t5-6 ", [.from(0, through: 1), .from(5, through: 6)]),
        ("bytes=,,0-1,,", [.from(0, through: 1)]),
        ("bytes=0-99999999999999999999999", [.from(0, through: .max)]),
        ("bytes=99999999999999999999999-", [.from(.max, through: nil)]),
        ("bytes=-99999999999999999999999", [.last(.max)]),
        ("bytes=007-0009", [.from(7, through: 9)]),
    ])
    func `Ranges are read`(field: String, members: [Member]) {
        #expect(ByteRanges(field)?.members == members)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=,", "bytes= ", "bytes 0-1", "bytes:0-1", "bytes =0-1", "=0-1", "0-1", "items=0-1",
        "bytes=1", "bytes=-", "bytes=--1", "bytes=1--2", "bytes=a-b", "bytes=0-b", "bytes=0x0-0x1", "bytes=+1-2",
        "bytes=2-1", "bytes=0-1,2-1", "bytes=0-1 5-6", "bytes=0 -1", "bytes=0- 1", "bytes=0-1;5-6", "bytes=0-1, x",
        "bytes=0-1, bytes=5-6", "bytes=٠-١", "bytes=0-1.5", "none",
    ])
    func `What is malformed, or in another unit, is ignored`(field: String) {
        #expect(ByteRanges(field) == nil)
    }

    @Test(arguments: [
        // One range of ten bytes.
        ("0-0", 10, ByteRanges.Selection.parts([0..<1])),
        ("0-9", 10, .parts([0..<10])),
        ("0-", 10, .parts([0..<10])),
        ("9-9", 10, .parts([9..<10])),
        ("9-", 10, .parts([9..<10])),
        ("5-100", 10, .parts([5..<10])),
        ("5-99999999999999999999999", 10, .parts([5..<10])),
        ("-1", 10, .parts([9..<10])),
        ("-10", 10, .parts([0..<10])),
        ("-11", 10, .parts([0..<10])),
        ("-99999999999999999999999", 10, .parts([0..<10])),
        // None that is there.
        ("10-", 10, .unsatisfiable),
        ("10-20", 10, .unsatisfiable),
        ("99999999999999999999999-", 10, .unsatisfiable),
        ("-0", 10, .unsatisfiable),
        ("0-", 0, .unsatisfiable),
        ("0-0", 0, .unsatisfiable),
        ("-5", 0, .unsatisfiable),
        ("10-,20-30,-0", 10, .unsatisfiable),
        // Several: in the order in which they were asked for, without those that are not there.
        ("0-1,5-6", 10, .parts([0..<2, 5..<7])),
        ("5-6,0-1", 10, .parts([5..<7, 0..<2])),
        ("0-0,-1", 10, .parts([0..<1, 9..<10])),
        ("0-0,20-30,-1", 10, .parts([0..<1, 9..<10])),
        ("20-30,5-6", 10, .parts([5..<7])),
        // Those that overlap or touch become one.
        ("0-1,2-3", 10, .parts([0..<4])),
        ("2-3,0-1", 10, .parts([0..<4])),
        ("0-4,2-6", 20, .parts([0..<7])),
        ("0-1,5-6,2-4", 20, .parts([0..<7])),
        ("8-9,0-1,5-6,1-5", 20, .parts([8..<10, 0..<7])),
        ("0-0,0-0,0-0", 10, .parts([0..<1])),
        ("3-5,3-5", 10, .parts([3..<6])),
        // More than the file has.
        ("0-,0-", 10, .excessive),
        ("0-9,5-5", 10, .excessive),
        ("0-5,3-8", 10, .excessive),
        // Just as many as the file has.
        ("0-4,5-9", 10, .parts([0..<10])),
    ])
    func `Ranges select parts of a file`(ranges: String, size: Int, selection: ByteRanges.Selection) {
        #expect(ByteRanges("bytes=\(ranges)")?.select(fromSize: size) == selection)
    }

    @Test func `Sixteen ranges are not too many, and seventeen are`() {
        let members = (0..<17).map { "\($0 * 10)-\($0 * 10)" }
        let most = ByteRanges("bytes=" + members.prefix(16).joined(separator: ","))?.select(fromSize: 1000)
        #expect(most == .parts((0..<16).map { ($0 * 10)..<($0 * 10 + 1) }))
        #expect(ByteRanges("bytes=" + members.joined(separator: ","))?.select(fromSize: 1000) == .excessive)
        // Whether or not they are there, or become fewer.
        let same = String(repeating: ",0-0", count: 17).dropFirst()
        #expect(ByteRanges("bytes=\(same)")?.select(fromSize: 1000) == .excessive)
    }
}
