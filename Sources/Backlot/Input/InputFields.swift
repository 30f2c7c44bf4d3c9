/// The fields that an input's type decodes.
package struct InputFields: Sendable {
    /// All names, in the order of the type's properties.
    package let names: [String]
    /// The names that the type requires.
    package let required: [String]

    /// The fields of a type. If it rejects example values, only a part of them is known.
    package init(of type: any Decodable.Type) {
        let properties = SchemaWriter().properties(of: type)
        names = properties.map(\.name)
        required = properties.filter(\.isRequired).map(\.name)
    }
}

extension Variables {
    /// Decodes all variables as one value, and replaces texts that can't be converted with an example of the expected type.
    ///
    /// - Returns: the value, nil if an example can't replace it, and the problem of each replaced variable:
    ///   `must be a whole number`.
    /// - Throws: `VariableError` with 400, for a variable that is missing or of another type.
    package func decodePassingOver<Value: Decodable>(
        _ type: Value.Type
    ) throws -> (value: Value?, problems: [(name: String, problem: String)]) {
        var object = VariableNames.both(object)
        var problems: [(name: String, problem: String)] = []
        while true {
            let value = JSONValue.object(object)
            do {
                return (try InputDecoder(value: value, codingPath: [], form: form).decode(type), problems)
            } catch let error as DecodingError {
                let mistake = VariableDecoding.variableError(error, in: value, at: [])
                guard case .input(let problem) = mistake.problem else { throw mistake }
                problems.append((mistake.name, problem))
                guard case .typeMismatch(let expected, let context) = error, context.codingPath.count == 1,
                    let example = SchemaWriter.exampleInput(expected), object[mistake.name] != example
                else { return (nil, problems) }
                object[mistake.name] = example
            }
        }
    }
}
