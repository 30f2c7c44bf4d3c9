import Backlot
import BacklotJSON

/// An interaction as a client forwards it: `{"widgetId": "5", "elementId": "more", "userInfo": {…}}`, the latter two perhaps.
struct InteractionPacket: Equatable {
    let widgetID: String
    var elementID: String?
    var userInfo = JSONObject()

    init(widgetID: String, elementID: String? = nil, userInfo: JSONObject = [:]) {
        self.widgetID = widgetID
        self.elementID = elementID
        self.userInfo = userInfo
    }

    /// Reads a packet. `null` counts as absent, and other keys are passed over.
    init(_ value: JSONValue) throws(InteractionError) {
        do throws(WireError) {
            let wire = try WireReader(value)
            widgetID = try wire.requiredString("widgetId")
            elementID = try wire.string("elementId")
            userInfo = try wire.reader("userInfo")?.object ?? [:]
        } catch {
            let place = error.pointer.isEmpty ? "the interaction" : String(error.pointer.dropFirst())
            let form = "send {\"widgetId\": \"…\"}, and elementId and userInfo where they are needed"
            throw .malformed("\(place) \(error.problem): \(form)")
        }
    }
}
