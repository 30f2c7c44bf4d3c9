import Foundation

/// The configuration file of the nginx that a run measures.
struct NginxConfiguration {
    /// Where its files go.
    var folder: String
    var port: Int
    /// nginx of Debian 12 speaks either version of HTTP on a port, not both.
    var http2Port: Int
    /// The folder whose files it serves.
    var files: String
    /// Workers then stay root: the folder is open to nobody else.
    var asRoot: Bool
    /// As many as the other servers have threads.
    var workers = ProcessInfo.processInfo.activeProcessorCount
    /// Connections that one worker can hold, were it to get them all.
    var connectionsPerWorker = 16384

    /// Whether each request is a line in its access log.
    var logsRequests = false

    /// The port of a server that it passes requests below `/live/` on to; nil for none.
    var backend: Int?

    /// With these, `port` speaks https.
    var identity: TLSFiles?

    /// The file's text.
    var text: String {
        """
        daemon off;
        \(asRoot ? "user root;" : "")
        worker_processes \(workers);
        pid \(folder)/nginx.pid;
        error_log stderr error;
        events { worker_connections \(connectionsPerWorker); }
        http {
            access_log \(logsRequests ? "\(folder)/access.log" : "off");
            keepalive_timeout 3600s;
            keepalive_requests 1000000000;
            client_body_temp_path \(folder)/client_body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            sendfile on;
            tcp_nopush on;
            open_file_cache max=100;
            types { application/json json; application/octet-stream bin; }
            gzip on;
            gzip_types application/json;
            gzip_http_version 1.0;
            http2_max_requests 1000000000;
            server {
                listen 127.0.0.1:\(port)\(identity == nil ? "" : " ssl");
                \(encryption)
                listen 127.0.0.1:\(http2Port) http2;
                root \(files);
                location = \(DocumentedPage.path) {
                    default_type \(DocumentedPage.contentType);
                    return 200 '\(DocumentedPage.body)';
                }
                location = /plaintext { default_type text/plain; return 200 'Hello, World!'; }
                location = /json { default_type application/json; return 200 '{"message":"Hello, World!"}'; }
                \(proxy)
            }
        }

        """
    }

    /// WebSockets and streams, each piece as it comes.
    private var proxy: String {
        guard let backend else { return "" }
        return "location /live/ { proxy_pass http://127.0.0.1:\(backend); proxy_http_version 1.1; proxy_buffering off; "
            + "proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $http_connection; }"
    }

    private var encryption: String {
        guard let identity else { return "" }
        return """
            ssl_certificate \(identity.certificate); ssl_certificate_key \(identity.key);
            ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers \(TLSFiles.ciphers); ssl_prefer_server_ciphers on;
            ssl_ecdh_curve X25519:P-256:P-384;
            """
    }
}
