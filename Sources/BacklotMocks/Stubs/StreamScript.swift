import Backlot

/// The steps of a stream of events or of a WebSocket, in `NAME.sse.yaml` and `NAME.ws.yaml`.
struct StreamScript: Sendable {
    enum Form: Sendable { case events, webSocket }

    /// A step: waits, and does one thing.
    struct Step: Sendable {
        enum Action: Sendable {
            /// An event or a message.
            case send(StubBody, Sending)
            /// A message of the client, which must fit; nil for any.
            case expect(ContentPattern?, within: Int?)
            case close(WebSocketClose)
            /// Nothing is sent for so many milliseconds.
            case stall(Int)
            /// The connection breaks.
            case fault(ConnectionFault)
            /// Other steps, so often; nil for ever.
            case loop([Step], Int?)
            case wait
        }

        enum Sending: Sendable {
            case text, binary
            /// An event without its end.
            case beginning
        }

        /// The wait before it, in milliseconds.
        let delay: Int
        let action: Action
        let event: Template?
        let id: Template?
        /// In milliseconds.
        let retry: Int?
    }

    /// The most steps that are searched for a client's last event.
    static let resumeLimit = 100_000
    private static let onlyOne = ["send", "base64", "expect", "close", "stall", "fault", "cut", "steps"]

    let form: Form
    let steps: [Step]

    static let key = Key.optional(
        "steps",
        .objects(.streamStep),
        "The steps of a stream, in NAME.sse.yaml (server-sent events) and NAME.ws.yaml (a WebSocket)."
    )
    static let kinds = [
        Kind(
            "step",
            as: [.streamStep],
            "A step of a stream: it waits, and does one thing.",
            groups: [.atMostOne(onlyOne)],
            keys: [
                .optional("delay", .milliseconds, "The wait before the step, in milliseconds.", default: 0),
                .optional("send", .any, "The event's data, or a message: a text, or JSON; with tags."),
                .optional("event", .scalar, "The event's type, with tags."),
                .optional(
                    "id",
                    .scalar,
                    "The event's id, with tags. A client that comes back with it gets the events after this one."
                ),
                .optional("retry", .milliseconds, "The time until clients connect again, in milliseconds."),
                .optional(
                    "incomplete",
                    .bool,
                    "Whether the event lacks the empty line at its end, so that clients wait for it.",
                    default: false
                ),
                .optional("base64", .base64, "A binary message, in base64. Of a WebSocket only."),
                .optional(
                    "expect",
                    .any,
                    "The condition on the client's next message: a text, or a matcher as in bodyPatterns. Of a WebSocket only."
                ),
                .optional("within", .milliseconds, "The longest wait for the expected message, in milliseconds."),
                .optional("close", .integer(1000...4999), "Ends the WebSocket with this code."),
                .optional("reason", .string, "The reason of this end, for the client."),
                .optional(
                    "stall",
                    .milliseconds,
                    "The time in which nothing is sent, not even heartbeats, pings or pongs, in milliseconds."
                ),
                .optional(
                    "fault",
                    .word(of: ConnectionFault.self),
                    "The fault of the connection, which ends the stream."
                ),
                .optional("cut", .bool, "Closes the connection, as the fault EMPTY_RESPONSE does.", default: false),
                .optional("steps", .objects(.streamStep), "Steps that are repeated."),
                .optional("times", .integer(1...1_000_000), "The number of rounds; without it, they never end."),
            ]
        )
    ]

    /// - Parameter list: the value of `steps`.
    init(_ list: LocatedValue, _ form: Form, _ tags: TemplateDialect?, _ reader: inout MockReader) throws(StubError) {
        self.form = form
        steps = try Self.steps(list, form, tags, &reader)
        guard !steps.isEmpty else {
            throw list.problem("the list is empty; write at least one step, such as 'send: hello'")
        }
    }

    private static func steps(
        _ list: LocatedValue,
        _ form: Form,
        _ tags: TemplateDialect?,
        _ reader: inout MockReader
    ) throws(StubError) -> [Step] {
        var steps: [Step] = []
        for element in list.each { steps.append(try Step(element, form, tags, &reader)) }
        return steps
    }
}

extension StreamScript.Step {
    fileprivate init(
        _ step: LocatedValue,
        _ form: StreamScript.Form,
        _ tags: TemplateDialect?,
        _ reader: inout MockReader
    ) throws(StubError) {
        let foreign =
            form == .events
            ? ["base64", "expect", "within", "close", "reason"] : ["event", "id", "retry", "incomplete"]
        for (key, member) in try step.members() where foreign.contains(key) {
            throw member.keyProblem(
                form == .events
                    ? "'\(key)' is a WebSocket's, in NAME.ws.yaml" : "'\(key)' is an event's, in NAME.sse.yaml"
            )
        }
        for (key, owner) in [
            ("within", "expect"), ("reason", "close"), ("times", "steps"), ("event", "send"), ("id", "send"),
            ("retry", "send"), ("incomplete", "send"),
        ] {
            if let member = step[key], step[owner] == nil { throw member.keyProblem("'\(key)' goes with '\(owner)'") }
        }
        delay = step.value["delay"]?.int ?? 0
        retry = step.value["retry"]?.int
        event = try step["event"]?.template(tags)
        id = try step["id"]?.template(tags)
        if let part = step["send"] {
            let isText = part.value.object == nil && part.value.array == nil
            let body =
                isText
                ? try part.body(try part.text(), isJSON: false, tags: tags)
                : try part.body(document: part.value, tags: tags)
            action = .send(body, step.value["incomplete"]?.bool == true ? .beginning : .text)
        } else if let bytes = step.value["base64"]?.string.flatMap(Base64.decode) {
            action = .send(.bytes(bytes), .binary)
        } else if let expected = step["expect"] {
            let isAny = expected.value == [:]
            action = .expect(isAny ? nil : try ContentPattern(expected, &reader), within: step.value["within"]?.int)
        } else if let close = step["close"] {
            let code = WebSocketClose.Code(rawValue: UInt16(close.value.int ?? 0))
            guard code.isSendable else {
                throw close.problem("a close frame can't have \(code.rawValue); write 1000, or 3000 to 4999")
            }
            action = .close(WebSocketClose(code, step.value["reason"]?.string ?? ""))
        } else if let time = step.value["stall"]?.int {
            action = .stall(time)
        } else if let fault: ConnectionFault = step.value["fault"]?.word() {
            action = .fault(fault)
        } else if step.value["cut"]?.bool == true {
            action = .fault(.emptyResponse)
        } else if let inner = step["steps"] {
            let steps = try StreamScript.steps(inner, form, tags, &reader)
            let times = step.value["times"]?.int
            if delay > 0 { throw step.problem("a loop waits by its steps; move the delay to one of them") }
            guard steps.contains(where: \.takesTime) else {
                throw inner.keyProblem("repeated steps need a 'delay', a 'send' or an 'expect' among them")
            }
            action = .loop(steps, times)
        } else {
            action = .wait
        }
    }

    /// Whether it slows down a loop.
    private var takesTime: Bool {
        switch action {
        case .send, .expect, .close, .fault: true
        case .stall(let time): time > 0
        case .loop(let steps, _): steps.contains(where: \.takesTime)
        case .wait: delay > 0
        }
    }
}

/// A place in a script, which gives the next step. A value without I/O.
struct StreamPosition {
    private struct Level {
        let steps: [StreamScript.Step]
        var index = 0
        var round = 1
        /// The number of rounds; nil for an endless loop.
        let rounds: Int?
    }

    private var levels: [Level]

    init(_ script: StreamScript) { levels = [Level(steps: script.steps, rounds: 1)] }

    /// The next step that isn't a loop, and the round of the innermost loop around it; nil at the end.
    mutating func next() -> (step: StreamScript.Step, round: Int)? {
        while var level = levels.popLast() {
            guard level.index < level.steps.count else {
                if level.rounds.map({ level.round >= $0 }) ?? false { continue }
                (level.index, level.round) = (0, level.round + 1)
                levels.append(level)
                continue
            }
            let step = level.steps[level.index]
            level.index += 1
            levels.append(level)
            guard case .loop(let steps, let times) = step.action else { return (step, level.round) }
            levels.append(Level(steps: steps, rounds: times))
        }
        return nil
    }
}
