@testable import BacklotHTTP

extension FuzzTarget {
    /// The head parser: no cut matters, it accepts what the plain grammar accepts and nothing else, and what it accepts can be
    /// written down anew and is read the same.
    static let head = FuzzTarget(name: "head") { input async throws(Violation) in
        _ = try read(input, FuzzLimits.tiny)
        guard let head = try read(input, FuzzLimits.defaults) else { return false }
        try checkRanges(of: head, in: input)
        try checkRewriting(of: head, in: input)
        return true
    }

    private static func read(
        _ input: [UInt8],
        _ limits: ServerConfiguration.Limits
    ) throws(Violation) -> HeadReading.Head? {
        let reading = HeadReading(input, limits: limits)
        for cuts in Cuts.some(of: input) {
            let inPieces = HeadReading(input, cuts: cuts, limits: limits)
            try require(inPieces == reading, "cut at \(cuts.prefix(3)): \(inPieces), not \(reading)")
        }
        let grammar = HeadGrammar(input, limits)
        guard case .accepted(let head) = reading else {
            try require(grammar == nil, "\(reading), against the grammar")
            return nil
        }
        try require(grammar?.length == head.length, "a head of \(head.length) bytes, against the grammar")
        try require(grammar?.framing == head.framing, "\(head.framing), not \(String(describing: grammar?.framing))")
        return head
    }

    private static func checkRanges(of head: HeadReading.Head, in input: [UInt8]) throws(Violation) {
        try require(head.length <= input.count, "more bytes than there are")
        let line = head.line
        // A target with raw bytes stands there once more, percent-encoded, after all that was sent.
        let count = head.bytes.count - (line.sent == nil ? 0 : line.target.count)
        let target = line.sent.map { (line.method.upperBound + 1)..<$0.upperBound } ?? line.target
        try require(
            input[..<head.length].suffix(count).elementsEqual(head.bytes[..<count]),
            "other bytes than were sent"
        )
        for range in [line.path, line.query ?? 0..<0] {
            try require(head.bytes[range].allSatisfy(Lines.target.contains), "a target that isn't percent-encoded")
        }
        var end = 0
        // The host of an absolute target stands in that.
        let hosts = head.fields.filter { Lines.lowercased(head.bytes[$0.name]) == "host" }.map(\.value)
        let named = hosts.first { $0.upperBound <= target.upperBound }
        let fields = head.fields.flatMap { $0.value == named ? [$0.name] : [$0.name, $0.value] }
        for range in [line.method, target] + fields {
            try require(
                range.lowerBound >= end && range.upperBound <= head.bytes.count,
                "\(range) of \(head.bytes.count)"
            )
            end = range.upperBound
        }
        for range in [line.path, line.query].compactMap(\.self) {
            try require(
                line.target.lowerBound <= range.lowerBound && range.upperBound <= line.target.upperBound,
                "\(range)"
            )
        }
        try require(
            !line.path.isEmpty && "/*".utf8.contains(head.bytes[line.path.lowerBound]),
            "a path without a slash"
        )
    }

    private static func checkRewriting(of head: HeadReading.Head, in input: [UInt8]) throws(Violation) {
        try require(HeadReading(Array(input[..<head.length])) == .accepted(head), "what follows the head matters")
        guard case .accepted(let again) = HeadReading(head.rewritten) else {
            throw Violation(description: "refused when it is written down anew")
        }
        let texts = [head, again].map { head in
            [head.line.method, head.line.target, head.line.path, head.line.query ?? 0..<0].map(head.text)
                + head.fields.flatMap { [head.text($0.name), head.text($0.value)] }
        }
        try require(texts[0] == texts[1], "another head when it is written down anew: \(texts)")
        try require(
            again.framing == head.framing && again.isPersistent == head.isPersistent
                && again.expectsContinue == head.expectsContinue
                && (again.line.query == nil) == (head.line.query == nil),
            "another message when it is written down anew"
        )
    }
}
