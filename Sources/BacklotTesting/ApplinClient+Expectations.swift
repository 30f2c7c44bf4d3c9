public import BacklotClients

extension ApplinClient {
    /// Compares what is on the screen with a drawing.
    ///
    /// - Parameter expected: the drawing, as ``screen`` gives it. Line breaks at its end don't count.
    /// - Throws: `ScreenError`, which shows the lines that differ.
    public func expectScreen(_ expected: String, file: StaticString = #fileID, line: Int = #line) throws {
        guard let difference = LineDifference(from: expected, to: screen) else { return }
        throw ScreenError(difference: difference, place: "\(file):\(line)")
    }
}

/// The screen is not what was expected.
public struct ScreenError: Error, Equatable, CustomStringConvertible {
    /// How the two differ.
    public let difference: LineDifference
    /// The file and line of the expectation.
    public let place: String

    /// The lines that differ, and some around them.
    public var description: String {
        "the screen differs from what was expected (-), there is (+) (\(place)):\n\(difference)"
    }
}
