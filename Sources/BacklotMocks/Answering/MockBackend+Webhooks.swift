import BacklotHTTP
import HTTPTypes
import Logging
import Synchronization

/// How many webhooks are under way.
final class WebhookCount: Sendable {
    /// More are not begun.
    static let most = 64
    private let running = Atomic(0)

    func begin() -> Bool {
        guard running.wrappingAdd(1, ordering: .relaxed).newValue <= Self.most else {
            end()
            return false
        }
        return true
    }

    func end() { running.wrappingSubtract(1, ordering: .relaxed) }
}

extension MockBackend {
    /// How often a webhook is tried, and how long it waits before the second and the third time.
    private static let webhookPauses: [Duration] = [.milliseconds(500), .seconds(2)]
    private static let webhookBounds = ClientBounds(
        head: 64 * 1024,
        body: 1024 * 1024,
        idle: .seconds(10),
        total: .seconds(30)
    )

    /// Sends the webhooks of a stub that has answered, without waiting for them.
    func sendWebhooks(of stub: Stub, _ context: TemplateContext) {
        for hook in stub.webhooks {
            guard webhooks.begin() else {
                logger.warning("\(stub.source): a webhook was not sent: \(WebhookCount.most) are under way already")
                continue
            }
            Task.detached { [self] in
                defer { webhooks.end() }
                await send(hook, of: stub, context)
            }
        }
    }

    private func send(_ hook: Webhook, of stub: Stub, _ context: TemplateContext) async {
        let milliseconds = sources.draw { hook.delay.milliseconds(using: &$0) }
        do throws(UnusableURL) {
            let (target, request) = try hook.call(context, limit: configuration.templateLimit)
            guard configuration.allowedWebhooks.contains(where: { $0.admits(target) }) else {
                logger.warning(
                    "\(stub.source): the webhook to \(target.url) was not sent: name its address, as in --allow-webhooks \(target.server.authority)"
                )
                return
            }
            if milliseconds > 0, (try? await Task.sleep(for: .milliseconds(milliseconds))) == nil { return }
            await send(request, to: target, stub)
        } catch {
            logger.warning("\(stub.source): a webhook was not sent: \(error.text)")
        }
    }

    /// An address that can't be reached is tried again; an answer, whatever its status, is the end.
    private func send(_ request: OutgoingRequest, to target: WebhookTarget, _ stub: Stub) async {
        for pause in [.zero] + Self.webhookPauses {
            if pause > .zero, (try? await Task.sleep(for: pause)) == nil { return }
            do throws(ClientFault) {
                let answer = try await ClientLoop.exchange(
                    request,
                    host: target.server.host,
                    port: target.server.port,
                    over: target.server.isSecure ? connector : nil,
                    bounds: Self.webhookBounds
                )
                logger.info("\(stub.source): the webhook to \(target.url): \(answer.status)")
                return
            } catch {
                logger.warning(
                    "\(stub.source): the webhook to \(target.url) failed: \(error)"
                )
            }
        }
    }

    /// The same about the stubs of a file.
    func webhookWarnings(in stubs: [Stub], of file: String) -> [FileProblem] {
        stubs.flatMap { stub in
            webhookWarnings(stub).map { problem in
                guard case .file(_, let line) = stub.source else { return FileProblem(file, problem.text) }
                return FileProblem(file, TextPosition(line: line), problem.text)
            }
        }
    }

    /// What is wrong with webhooks whose addresses don't depend on the request: none may be called.
    func webhookWarnings(_ stub: Stub) -> [StubProblem] {
        stub.webhooks.enumerated().compactMap { index, hook in
            guard let target = hook.url.constant.flatMap({ WebhookTarget($0) }),
                !configuration.allowedWebhooks.contains(where: { $0.admits(target) })
            else { return nil }
            return StubProblem(
                "the webhook to \(target.server) will not be sent: name its address, as in --allow-webhooks \(target.server.authority)",
                at: [.key("serveEventListeners"), .index(index)]
            )
        }
    }
}
