import Backlot
import BacklotHTTP
import HTTPTypes

/// Whether a request comes from a browser that opens a page.
enum ShellRequest {
    private static let accept = Array("accept".utf8)
    private static let html = Array("text/html".utf8)
    private static let destination = HTTPField.Name("Sec-Fetch-Dest")

    /// Whether a request may be one for preview. It makes no text, because each request to the server is asked.
    static func isWorthALook(_ request: Request) -> Bool {
        request.hasField(accept, containing: html)
    }

    /// Whether a request is a browser's for what it is to show in a window of its own.
    ///
    /// A script of a page that this server answers with is none: browsers say of themselves what a request is for (Fetch
    /// Metadata, section 2.1), and scripts can't say it otherwise. So no such page can read the shell.
    static func wantsShell(_ request: Request) -> Bool {
        guard request.method == .get || request.method == .head, request.hasField(accept, containing: html) else {
            return false
        }
        guard let destination, let text = request.headers[destination] else { return true }
        return text == "document"
    }
}
