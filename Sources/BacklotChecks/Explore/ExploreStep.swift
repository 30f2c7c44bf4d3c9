internal import Backlot
internal import BacklotClients
internal import BacklotMocks

/// A step of an exploration on one of the devices.
struct ExploreStep: Equatable, Sendable {
    /// The index of the device. Two devices share an account: 0 and 1, 2 and 3.
    var device = 0
    var step: ClientStep
    /// The fault in the first request of the step.
    var fault: FaultyTransport.Fault?

    init(_ step: ClientStep, on device: Int = 0, fault: FaultyTransport.Fault? = nil) {
        (self.step, self.device, self.fault) = (step, device, fault)
    }

    /// The index of the account.
    var account: Int { device / 2 }

    var isLaunch: Bool { if case .launch = step { true } else { false } }

    /// Returns the step with its texts replaced.
    func mapTexts(_ map: (String) -> String) -> ExploreStep {
        ExploreStep(step.mapTexts(map), on: device, fault: fault)
    }
}

extension SplitMix64 {
    /// Creates a separate sequence of numbers for a part of an exploration or a load.
    package init(seed: UInt64, part: Int) {
        var mixer = SplitMix64(seed: seed ^ UInt64(truncatingIfNeeded: part) &* 0xD6E8_FEB8_6659_FD93)
        self.init(seed: mixer.next())
    }

    /// A number from 0 up to, but not including, the bound, which is at least 1.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Returns true with a probability from 0 to 1.
    mutating func happens(_ probability: Double) -> Bool { fraction() < probability }

    /// Returns a random element. The array must not be empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// Returns the index of one of the weights, chosen by weight. Weights must not be negative; nil if all are zero.
    package mutating func place(among weights: [Double]) -> Int? {
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return nil }
        var rest = fraction() * sum
        for (index, weight) in weights.enumerated() {
            rest -= weight
            if rest < 0, weight > 0 { return index }
        }
        return weights.lastIndex { $0 > 0 }
    }
}

/// A unique text for a session to type. If another session shows it, the text came from this one.
enum Marker {
    /// The beginning of every marker, which other texts don't have.
    static let beginning = "Qzk"
    static let length = 10

    static func make(_ random: inout SplitMix64) -> String {
        var text = beginning
        for _ in beginning.count..<length { text.unicodeScalars.append(Unicode.Scalar(UInt8(97 + random.below(26)))) }
        return text
    }

    /// The markers in a body, each once, in lower case.
    static func found(in bytes: [UInt8]) -> [String] {
        var markers: [String] = []
        guard bytes.count >= length else { return [] }
        var index = 0
        while index <= bytes.count - length {
            // Setting the bit 0x20 makes letters lower case.
            guard bytes[index] | 0x20 == 0x71, bytes[index + 1] | 0x20 == 0x7A, bytes[index + 2] | 0x20 == 0x6B else {
                index += 1
                continue
            }
            let text = bytes[index..<index + length].map { $0 | 0x20 }
            if text.allSatisfy({ (0x61...0x7A).contains($0) }) {
                let marker = String(decoding: text, as: UTF8.self)
                if !markers.contains(marker), markers.count < 100 { markers.append(marker) }
            }
            index += length
        }
        return markers
    }

    /// A text with each marker replaced, in the case of its first letter.
    static func replacing(in text: String, by replacement: (String) -> String) -> String {
        guard text.utf8.count >= length else { return text }
        var result = text
        for marker in found(in: Array(text.utf8)) {
            let other = replacement(marker)
            result.replace(marker.prefix(1).uppercased() + marker.dropFirst(), with: other)
            result.replace(marker, with: other.lowercased())
        }
        return result
    }
}

/// Paths and labels without the parts that differ between users and days.
enum ExploreClass {
    /// A path without its query, and with `#` for ids.
    static func path(_ path: String) -> String {
        let segments = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false)
        return segments.map { isID($0) ? "#" : String($0.prefix(60)) }.joined(separator: "/")
    }

    static func isID(_ segment: Substring) -> Bool {
        guard !segment.isEmpty else { return false }
        if segment.allSatisfy(\.isNumber) || !Marker.found(in: Array(segment.utf8)).isEmpty { return true }
        let digits = segment.count { $0.isNumber }
        return digits > 0 && segment.count >= 8 || segment.count > 40
    }

    /// A label without its numbers and markers.
    static func label(_ label: String) -> String {
        var text = ""
        for character in Marker.replacing(in: String(label.prefix(60)), by: { _ in "…" }) {
            if character.isNumber {
                if text.last != "#" { text.append("#") }
            } else {
                text.append(character)
            }
        }
        return text
    }
}
