import BacklotHTTP
import BacklotJSON

/// A body in a file whose name depends on the request.
struct AnswerFile: Sendable {
    private let name: Template
    /// Whether the file has tags.
    private let tags: StubReading.Tags

    init(_ name: Template, _ tags: StubReading.Tags) {
        self.name = name
        self.tags = tags
    }

    var usesSession: Bool { name.usesSession }

    /// The body for one request. It blocks.
    ///
    /// - Parameter isJSON: whether values are written so that the body stays JSON, whatever the file's name.
    /// - Throws: `StubProblem` where there is no such file, or its tags can't be read; `TemplateTooLarge`.
    func bytes(_ context: TemplateContext, isJSON: Bool, in folder: RoutesFolder?, limit: Int) throws -> [UInt8] {
        let file = try name.text(context, limit: limit)
        guard let folder else { throw StubProblem("there are no files here", at: []) }
        let bytes = try BodyFiles(folder).read(Field(.string(file)))
        guard tags != .none, let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        let body = try Field(.string(file)).fileBody(text, isJSON: isJSON || file.hasSuffix(".json"), tags: tags)
        guard case .template(let template) = body else { return bytes }
        return try template.bytes(context, limit: limit)
    }
}
