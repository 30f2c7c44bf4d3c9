public import BacklotClients

extension ApplinClient {
    /// Compares the screen with the expected text.
    ///
    /// - Parameter expected: the text that ``screen`` should have. Line breaks at its end don't count.
    /// - Throws: `ScreenError` with the lines that differ.
    public func expectScreen(_ expected: String, file: StaticString = #fileID, line: Int = #line) throws {
        guard let difference = LineDifference(from: expected, to: screen) else { return }
        throw ScreenError(difference: difference, location: "\(file):\(line)")
    }
}

/// The screen differs from the expected text.
public struct ScreenError: Error, Equatable, CustomStringConvertible {
    /// The difference between the expected and the actual screen.
    public let difference: LineDifference
    /// The file and line of the expectation.
    public let location: String

    /// The lines that differ, with a few lines around them.
    public var description: String {
        "the screen (+) differs from the expected one (-) (\(location)):\n\(difference)"
    }
}
