/// A part of the run. Each has a file of its own in this folder, and a case in ``PartName``.
protocol Part {
    /// Measures, and returns what it found.
    /// - Throws: ``CheckFailure`` if what it would measure isn't right.
    func run(_ plan: Plan) throws -> PartReport
}
