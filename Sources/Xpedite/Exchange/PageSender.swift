import Backlot
import BacklotJSON

/// Makes the packet of a page, and notes in the session what the client then has.
struct PageSender: Sendable {
    let version: Int
    let configuration: XpediteConfiguration
    let judge: PageJudge

    /// A page that must not go out.
    struct Broken: Error {
        let text: String
    }

    /// The packet, in UTF-8.
    ///
    /// - Parameters:
    ///   - known: what the client had before the call; a log-out forgets it in the session, but not on the device.
    ///   - isFirst: whether the session begins with it.
    /// - Throws: `Broken`, when clients would reject the page.
    func send(_ page: Page, for call: Call, known: ClientState?, isFirst: Bool) throws -> [UInt8] {
        var packet = Packet(page, version: isFirst ? version : nil, token: call.token)
        var state = isFirst ? ClientState(version: version) : known ?? ClientState(version: version)
        // A client that connected before the app was renewed hears of it with its next page.
        if page.disposition != nil || state.version != version { packet.version = version }
        state.adopt(version: version)
        if !configuration.readings.preloadsLast { state.removeImages() }
        let whole = packet.bytes
        if let text = judge.judge(whole, of: call.method, images: Set(state.images)) { throw Broken(text: text) }
        let before = known
        state.note(images: page.images.map(\.id))
        var isShorter = false
        if configuration.readings.sendsNavigationOnce {
            isShorter = replaceKnown(in: &packet.page.components, &state)
        }
        note(state, changed: state != before, in: call.session)
        let forms = Self.forms(in: page.components)
        if !forms.isEmpty { note(whole, forms, in: call.session) }
        return isShorter ? packet.bytes : whole
    }

    /// Sends navigations that the client has by their ids alone, and notes the others.
    ///
    /// - Returns: whether there were any that the client has.
    private func replaceKnown(in components: inout [any Component], _ state: inout ClientState) -> Bool {
        var isShorter = false
        for index in components.indices {
            guard let navigation = components[index] as? Navigation, let id = navigation.id,
                navigation.implementation != nil
            else { continue }
            let mark = fingerprint(navigation.bytes)
            if state.navigations[id] == mark {
                components[index] = navigation.reference
                isShorter = true
            }
            state.note(navigation: id, mark)
        }
        return isShorter
    }

    private func note(_ state: ClientState, changed: Bool, in session: Session) {
        guard changed || session[ClientStateKey.self] == nil else { return }
        // What can't be noted is only sent whole once more.
        try? session.update(ClientStateKey.self) { value in
            guard var merged = value else { return value = state }
            merged.merge(state)
            value = merged
        }
    }

    private func note(_ page: [UInt8], _ forms: [String], in session: Session) {
        let limit = configuration.formLimit
        try? session.update(SentFormsKey.self) { value in
            var sent = value ?? SentForms()
            sent.add(page, forms: forms, limit: limit)
            value = sent
        }
    }

    /// The ids of the forms on a page.
    private static func forms(in components: [any Component]) -> [String] {
        components.flatMap { component -> [String] in
            if let form = component as? Form { return form.id.map { [$0] } ?? [] }
            return forms(in: component.children)
        }
    }
}
