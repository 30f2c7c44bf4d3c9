import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Answers a client that wants to show a picture, and may have it already.
struct PhotoAnswer {
    let photo: PhotoAlbum.Photo

    init(_ photo: PhotoAlbum.Photo) {
        self.photo = photo
    }

    /// The picture, or 304 where the client has it (RFC 9110, sections 13.1.2 and 13.1.3).
    ///
    /// - Throws: `StatusError` with 404 when the picture has gone meanwhile.
    func response(to request: Request) async throws -> Response {
        guard !isKnown(to: request) else { return Response(status: .notModified, headers: headers) }
        let file = photo.file
        guard let data = try await Blocking.run({ try? Data(contentsOf: URL(filePath: file)) }) else {
            throw StatusError(.notFound, "This photo is not here any more.")
        }
        var headers = headers
        headers[.contentType] = "image/jpeg"
        return Response(headers: headers, body: .bytes(Array(data)))
    }

    private var tag: String { "\"\(photo.id)\"" }

    private var headers: HTTPFields {
        // What is behind an id never changes, but anybody's photo is not for a proxy to keep.
        [.cacheControl: "private, max-age=86400, immutable", .eTag: tag, .lastModified: "\(photo.date)"]
    }

    private func isKnown(to request: Request) -> Bool {
        if let known = request.headers[.ifNoneMatch] {
            // The comparison is weak: W/"a" is as good as "a".
            let matching: Set<String> = ["*", tag, "W/\(tag)"]
            return known.split(separator: ",").contains { matching.contains(String($0.drop { $0 == " " })) }
        }
        return request.headers[.ifModifiedSince] == "\(photo.date)"
    }
}
