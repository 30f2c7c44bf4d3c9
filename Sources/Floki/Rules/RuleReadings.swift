/// Where the reference leaves open what is allowed, and how the rules read it. Each reading can be turned off.
public struct RuleReadings: Sendable, Equatable {
    /// Languages have codes of two letters: those of three, which the reference allows, are an error. Android knows none.
    public var twoLetterCodes = true
    /// Every language has each text of the master: one that is missing is an error. Android doesn't fall back on the master.
    public var completeLanguages = true

    /// This project's readings.
    public init() {}
}
