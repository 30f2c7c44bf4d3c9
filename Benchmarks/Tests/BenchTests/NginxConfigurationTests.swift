import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct NginxConfigurationTests {
    @Test func `nginx responds with the documented page`() {
        let text = make(asRoot: false).text
        #expect(text.contains("worker_processes 2;"))
        #expect(text.contains("listen 127.0.0.1:8081;"))
        #expect(text.contains("listen 127.0.0.1:8082 http2;"))
        #expect(text.contains("root /tmp/files;"))
        #expect(text.contains("return 200 '\(DocumentedPage.body)';"))
        #expect(!text.contains("user "))
    }

    @Test func `Workers of root stay root`() {
        #expect(make(asRoot: true).text.contains("user root;"))
    }

    @Test func `nginx speaks TLS with an identity`() {
        var configuration = make(asRoot: false)
        configuration.identity = TLSFiles(certificate: "/tmp/c.pem", key: "/tmp/k.pem")
        #expect(configuration.text.contains("listen 127.0.0.1:8081 ssl;"))
        #expect(configuration.text.contains("ssl_certificate /tmp/c.pem; ssl_certificate_key /tmp/k.pem;"))
        #expect(!make(asRoot: false).text.contains("ssl"))
    }

    @Test func `nginx passes on what is below a path`() {
        var configuration = make(asRoot: false)
        #expect(!configuration.text.contains("proxy_pass"))
        configuration.backend = 8083
        #expect(configuration.text.contains("location /live/ { proxy_pass http://127.0.0.1:8083;"))
    }

    @Test func `The access log is a file in its folder`() {
        var configuration = make(asRoot: false)
        #expect(configuration.text.contains("access_log off;"))
        configuration.logsRequests = true
        #expect(configuration.text.contains("access_log /tmp/x/access.log;"))
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
    @Test func `The page has no characters that nginx would need escaped`() {
        #expect(!DocumentedPage.body.contains { "'\\$".contains($0) })
    }
}
