// HTTPS with a certificate from files, which is read again when they change, and a second port that leads to it.
// Make a certificate for trying with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost
// -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out cert.pem`, run it in the same folder with
// `swift run --package-path Examples/Small tls`, then `curl --cacert cert.pem https://localhost:8443/`.
import Backlot
import Foundation

func makeServer(certificates: TLSCertificates, port: Int) -> Server {
    let router = Router()
    router.use(HSTS(maxAge: .seconds(300)))
    router.get("/") { request in "Over \(request.tls.map { "\($0.version)" } ?? "clear text")\n" }
    var configuration = ServerConfiguration()
    configuration.tls = TLSConfiguration(certificates: certificates)
    return Server(router, port: port, configuration: configuration)
}

do {
    let certificates = try TLSCertificates(certificateFile: "cert.pem", keyFile: "key.pem")
    let server = makeServer(certificates: certificates, port: 8443)
    let watching = Task { await certificates.watch(logger: server.logger) }
    await server.runOrExit(inside: [Server(RedirectToHTTPS(port: 8443), port: 8080)])
    watching.cancel()
} catch {
    print("\(error)")
    exit(1)
}
