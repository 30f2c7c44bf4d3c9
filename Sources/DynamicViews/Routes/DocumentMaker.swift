import Backlot

/// What makes a view's document.
enum DocumentMaker: Sendable {
    case function(@Sendable (Request) async throws -> Document)
    case file(DocumentFile)

    /// The document for a request, as it is now.
    func document(for request: Request) async throws -> Document {
        switch self {
        case .function(let make): try await make(request)
        case .file(let file): try await file.document()
        }
    }
}
