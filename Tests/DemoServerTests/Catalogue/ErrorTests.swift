import Backlot
import Testing

@testable import demo_server

@Suite(.timeLimit(.minutes(5))) struct ErrorTests {
    @Test(arguments: DemoMount.all, DemoSection.statusCases.map(\.code))
    func `Each status is answered to pages, rpcs and uploads`(mount: DemoMount, code: Int) async throws {
        let client = DemoClient(mount)
        for method in [HTTPRequest.Method.get, .post, .put] {
            let response = try await client.send(method, "/status/\(code)")
            #expect(response.status == code)
            if [304, 503].contains(code) {
                #expect(response.body == [])
            } else {
                #expect(response.headers[.contentType] == "text/plain; charset=utf-8")
                #expect((1..<1000).contains(response.text.count))
            }
            #expect(response.headers[.retryAfter] == ([429, 503].contains(code) ? "10" : nil))
        }
    }

    @Test func `The page of the statuses names them`() async throws {
        let titles = try await DemoClient(.objects).page("/status").strings("title")
        #expect(titles.contains("503 Service Unavailable"))
        #expect(try await DemoClient(.objects).send(.get, "/status/500").text.hasPrefix("500 Internal Server Error on"))
    }

    @Test(arguments: ["418", "451", "599", "400"])
    func `Any error has a response`(code: String) async throws {
        let response = try await DemoClient(.documented).send(.get, "/status/\(code)")
        #expect(response.status == Int(code))
    }

    @Test(arguments: ["200", "399", "600", "-1", "99999999999999999999", "teapot"])
    func `What is no error is not there`(code: String) async throws {
        let response = try await DemoClient(.documented).send(.get, "/status/\(code)").withStatus(404)
        #expect(response.text == "there is no error '\(code)': request 304, or 400 to 599")
    }

    @Test(arguments: DemoMount.all)
    func `A redirect leads to a page of the same mount`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        let response = try await client.send(.get, "/redirect").withStatus(303)
        let place = try #require(response.headers[.location])
        #expect(try await client.send(.get, fromRoot: place).status == 200)
    }

    @Test(arguments: DemoMount.all)
    func `Slow pages and rpcs wait, and answer`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try await client.page("/slow/30").strings("text") == ["This page came 30 ms late."])
        #expect(clock.now - start >= .milliseconds(30))
        let response = try await client.post("/slow/1/rpc").withStatus(200)
        #expect(response.body == [])
        #expect(try await client.post("/slow/1/fail").status == 422)
        for wrong in ["60001", "-1", "soon"] {
            let refusal = try await client.send(.get, "/slow/\(wrong)").withStatus(400)
            #expect(refusal.text == "the delay is in milliseconds, from 0 to 60000")
        }
    }

    @Test func `The page that fails does so from its second poll on, until it is opened again`() async throws {
        let client = DemoClient(.documented)
        for _ in 1...2 {
            _ = try await client.page("/failing_poll")
            _ = try await client.page("/failing_poll", ["failing_poll_box": false])
            for poll in 2...3 {
                let response = try await client.post("/failing_poll", ["failing_poll_box": false]).withStatus(500)
                #expect(response.text.hasPrefix("Poll \(poll) of this page fails."))
            }
        }
    }

    @Test func `The counter of polls is bounded`() async {
        let counter = PollCounter()
        _ = await counter.next(for: "first", isPoll: true)
        for number in 0..<1000 { _ = await counter.next(for: "\(number)", isPoll: true) }
        #expect(await counter.next(for: "first", isPoll: true) == 1)
    }

    @Test(arguments: DemoMount.all)
    func `Broken responses are broken`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        #expect(try await client.page("/broken").arguments("push") == [])
        #expect(try await client.post("/misbehaviour/show").status == 200)
        let broken = try await client.page("/broken")
        let paths = Set(broken.arguments("push") + broken.arguments("rpc")).filter { $0.hasPrefix("/broken/") }
        #expect(paths.count == 10)
        for path in paths {
            let response = try await client.send(.get, path).withStatus(200)
            #expect(try await client.post(path).text == response.text)
        }
        #expect(try await client.send(.get, "/broken/empty").body == [])
        #expect(try await client.post("/broken/not_json").text == "<html><body>It works!</body></html>")
        #expect(
            try await client.send(.get, "/broken/wrong_content_type").headers[.contentType]?.hasPrefix("text/") == true
        )
        #expect(try await client.send(.get, "/broken/other").status == 404)
    }

    @Test(arguments: DemoMount.all)
    func `No text for a user is longer than clients show`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        let texts = try await client.page("/long_error").arguments("rpc")
        #expect(texts.count == 5)
        for path in texts + ["/user_error"] {
            let response = try await client.post(path).withStatus(422)
            #expect(response.text.count < 1000)
        }
        #expect(try await client.post("/server_error").status == 500)
    }
}
