import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Synchronization

/// Commands about the whole server.
extension MockAdmin {
    static let serverRoutes: [AdminRoute] = [
        AdminRoute(.post, "/reset") { admin, call in
            guard call.scope == .shared else {
                admin.backend.reset(call.scope)
                return .done
            }
            admin.backend.reset()
            admin.journal.removeAll()
            admin.faults.removeAll()
            admin.settings.fixedDelay = 0
            return .done
        },
        AdminRoute(.get, "/settings") { admin, _ in
            Response(json: ["settings": ["fixedDelay": .number(JSONNumber(Int64(admin.settings.fixedDelay)))]])
        },
        AdminRoute(.post, "/settings") { admin, call in
            try admin.change(call)
            return .done
        },
        AdminRoute(.get, "/health") { _, _ in Response(json: ["status": "healthy", "message": "The mocks are served"])
        },
        AdminRoute(.post, "/shutdown") { _, _ in
            throw AdminProblem(
                .forbidden,
                "No shutdown from here",
                "the server stops when its process gets SIGINT or SIGTERM, and finishes what is in flight"
            )
        },
    ]

    /// Sets the delay of all answers. Null, or a missing key, removes it.
    private func change(_ call: AdminCall) throws(AdminProblem) {
        let object = try call.object()
        try AdminCall.check(object, knows: ["fixedDelay"])
        guard let delay = object["fixedDelay"], !delay.isNull else {
            settings.fixedDelay = 0
            return
        }
        guard let number = delay.number?.int64, (0...Int64(AnswerDelay.longest)).contains(number) else {
            throw .value("fixedDelay", "write milliseconds from 0 to \(AnswerDelay.longest)")
        }
        settings.fixedDelay = Int(number)
    }
}

/// Settings for all answers, made by commands.
final class MockSettings: Sendable {
    private let delay = Atomic(0)

    /// The delay of every answer, added to that of its stub, in milliseconds.
    var fixedDelay: Int {
        get { delay.load(ordering: .relaxed) }
        set { delay.store(newValue, ordering: .relaxed) }
    }
}
