import Backlot
import BacklotHTTP
package import BacklotMocks
import HTTPTypes

/// Lets another backend answer in place of the mocks, while it is recorded.
struct RecordingFallback: Fallback {
    let recordings: Recordings
    let backend: MockBackend

    func answer(_ request: Request) throws -> FallbackAnswer {
        guard let current = recordings.current, backend.covers(request.path) else { return .nothing }
        request.isAnswered(by: current.source)
        return .pending {
            let observe = current.recording?.observer()
            return backend.prefix.isEmpty
                ? await current.proxy.answer(backend.withoutOwnSecrets(ProxyRequest(request)), observe: observe)
                : await current.proxy.answer(try await backend.below(request), observe: observe)
        }
    }
}

/// Lets another backend answer what no mock does, and makes mocks of its answers.
struct CaptureFallback: Fallback {
    let backend: MockBackend
    let proxy: ReverseProxy
    let recording: Recording
    let source: AnswerSource

    init(_ backend: MockBackend, _ origin: Origin, _ recording: Recording) {
        self.backend = backend
        self.recording = recording
        proxy = backend.proxy(to: origin)
        source = AnswerSource(mock: "captured from \(origin)")
    }

    func answer(_ request: Request) throws -> FallbackAnswer {
        guard backend.covers(request.path) else { return .nothing }
        request.isAnswered(by: source)
        return .pending {
            await proxy.answer(try await backend.below(request), observe: recording.observer())
        }
    }
}

extension MockBackend {
    /// A request on its way to another backend, by its path below the mocks. The mocks may have read its body, to compare it.
    fileprivate func below(_ request: Request) async throws -> ProxyRequest {
        let body = try await request.collectSharedBody(upTo: configuration.bodyLimit)
        let own = MockRequest(request, body: body, below: prefix)
        var fields = HTTPFields()
        for (name, value) in own.headers {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { continue }
            if ProxyFields.isFalseClaim(name, isBelieved: own.isFromTrustedProxy) { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        let call = ProxyRequest(
            method: own.method,
            target: own.url,
            headers: own.headers,
            fields: fields,
            body: body,
            address: own.remoteAddress,
            scheme: own.scheme
        )
        return withoutOwnSecrets(call)
    }
}

extension Router {
    /// Lets another backend answer what neither the mocks nor the fallbacks before have answered, and writes its answers into the
    /// mocks' folder, where they are served from then on. Call it after all fallbacks but `explainMismatches`.
    ///
    /// - Parameter settings: the folder, and how files are made.
    /// - Returns: what is captured, to be written once more at the end; nil where the text is no URL that can be asked.
    package func capture(_ url: String, for backend: MockBackend, _ settings: Recording.Settings) -> Recording? {
        guard let origin = Origin(url) else { return nil }
        let recording = Recording(
            Recorder(origin),
            settings,
            formats: backend.configuration.formats,
            logger: backend.logger
        )
        add(CaptureFallback(backend, origin, recording))
        return recording
    }
}
