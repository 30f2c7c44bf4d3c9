import Testing

@testable import bench

@Suite struct NginxConfigurationTests {
    @Test func answersTheDocumentedPage() {
        let text = make(asRoot: false).text
        #expect(text.contains("worker_processes 2;"))
        #expect(text.contains("listen 127.0.0.1:8081;"))
        #expect(text.contains("listen 127.0.0.1:8082 http2;"))
        #expect(text.contains("root /tmp/files;"))
        #expect(text.contains("return 200 '\(DocumentedPage.body)';"))
        #expect(!text.contains("user "))
    }

    @Test func rootStaysRoot() {
        #expect(make(asRoot: true).text.contains("user root;"))
    }

    private func make(asRoot: Bool) -> NginxConfiguration {
        NginxConfiguration(
            folder: "/tmp/x",
            port: 8081,
            http2Port: 8082,
            files: "/tmp/files",
            asRoot: asRoot,
            workers: 2
        )
    }

    /// nginx reads quotes, backslashes and dollars in its strings; the page must hold none.
    @Test func pageNeedsNoEscapes() {
        #expect(!DocumentedPage.body.contains { "'\\$".contains($0) })
    }
}
