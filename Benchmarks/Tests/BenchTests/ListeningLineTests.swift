import ServerAnnouncement
import Testing

@Suite(.timeLimit(.minutes(5))) struct ListeningLineTests {
    @Test func `A port is read from the line that announces it`() {
        #expect(ListeningLine.text(port: 8080) == "listening on http://127.0.0.1:8080/")
        #expect(ListeningLine.port(in: ListeningLine.text(port: 8080)) == 8080)
    }

    @Test(arguments: [
        "", "listening on http://127.0.0.1:/", "listening on http://127.0.0.1:80", "ready",
        "listening on http://127.0.0.1:70000/",
    ])
    func `Other lines have no port`(line: String) {
        #expect(ListeningLine.port(in: line) == nil)
    }
}
