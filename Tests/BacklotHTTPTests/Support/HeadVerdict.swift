import HTTPTypes

@testable import BacklotHTTP

/// What the parser made of some bytes.
enum HeadVerdict: Equatable {
    case accepted(HeadSummary)
    case refused(RequestError)
    case incomplete

    /// Feeds all bytes, with a pause at each of `cuts`.
    init(_ bytes: [UInt8], cuts: some Sequence<Int>, limits: ServerConfiguration.Limits = .init()) {
        var parser = HeadParser(limits: limits)
        do throws(RequestError) {
            for cut in cuts {
                if let head = try parser.parse(bytes.span.extracting(..<cut)) {
                    self = .accepted(HeadSummary(head))
                    return
                }
            }
            self = try parser.parse(bytes.span).map { .accepted(HeadSummary($0)) } ?? .incomplete
        } catch {
            self = .refused(error)
        }
    }

    /// Feeds all bytes at once.
    init(_ bytes: [UInt8], limits: ServerConfiguration.Limits = .init()) {
        self.init(bytes, cuts: EmptyCollection<Int>(), limits: limits)
    }

    var status: Int? {
        if case .refused(let error) = self { error.status.code } else { nil }
    }
}
