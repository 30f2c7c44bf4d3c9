import Testing

@testable import bench

@Suite struct NginxConfigurationTests {
    @Test func answersTheDocumentedPage() {
        let text = NginxConfiguration(folder: "/tmp/x", port: 8081, asRoot: false, workers: 2).text
        #expect(text.contains("worker_processes 2;"))
        #expect(text.contains("listen 127.0.0.1:8081;"))
        #expect(text.contains("return 200 '\(DocumentedPage.body)';"))
        #expect(!text.contains("user "))
    }

    @Test func rootStaysRoot() {
        #expect(NginxConfiguration(folder: "/tmp/x", port: 8081, asRoot: true).text.contains("user root;"))
    }

    /// nginx reads quotes, backslashes and dollars in its strings; the page must hold none.
    @Test func pageNeedsNoEscapes() {
        #expect(!DocumentedPage.body.contains { "'\\$".contains($0) })
    }
}
