import BacklotHTTP

extension MockBackend {
    /// The same answer, whose body comes in pieces.
    func dribbled(_ response: Response, _ dribble: AnswerDribble) -> Response {
        guard case .bytes(let bytes) = response.body, !bytes.isEmpty else { return response }
        var response = response
        response.body = .stream(length: bytes.count) { writer in
            let pieces = min(dribble.pieces, bytes.count)
            for piece in 0..<pieces {
                try await Task.sleep(for: .milliseconds(dribble.milliseconds) / pieces)
                let (start, end) = (bytes.count * piece / pieces, bytes.count * (piece + 1) / pieces)
                try await writer.write(Array(bytes[start..<end]))
            }
        }
        return response
    }
}
