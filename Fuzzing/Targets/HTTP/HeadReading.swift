@testable import BacklotHTTP

/// What the head parser made of some bytes, in values that can be compared.
enum HeadReading: Equatable {
    struct Head: Equatable {
        let bytes: [UInt8]
        let line: RequestLine
        let fields: [FieldRange]
        let framing: BodyFraming
        let isPersistent: Bool
        let expectsContinue: Bool
        let length: Int
    }

    case accepted(Head)
    case refused(RequestError)
    case incomplete

    /// Feeds all bytes, with a pause at each of `cuts`.
    init(_ input: [UInt8], cuts: [Int] = [], limits: ServerConfiguration.Limits = FuzzLimits.defaults) {
        var parser = HeadParser(limits: limits)
        do throws(RequestError) {
            for end in cuts + [input.count] {
                guard let head = try parser.parse(input.span.extracting(..<end)) else { continue }
                self = .accepted(Head(head))
                return
            }
            self = .incomplete
        } catch {
            self = .refused(error)
        }
    }
}

extension HeadReading.Head {
    init(_ head: RequestHead) {
        self.init(
            bytes: head.bytes,
            line: head.line,
            fields: Array(head.fields),
            framing: head.framing,
            isPersistent: head.isPersistent,
            expectsContinue: head.expectsContinue,
            length: head.length
        )
    }

    func text(_ range: Range<Int>) -> String { spelled(bytes[range]) }

    /// The head written down anew from what was read.
    var rewritten: [UInt8] {
        let version = line.isHTTP10 ? "HTTP/1.0" : "HTTP/1.1"
        let lines = fields.map { "\(text($0.name)): \(text($0.value))\r\n" }
        let whole = "\(text(line.method)) \(text(line.target)) \(version)\r\n\(lines.joined())\r\n"
        return whole.unicodeScalars.map { UInt8($0.value) }
    }
}
