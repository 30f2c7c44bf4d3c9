import Backlot
import BacklotJSON

extension WireReader {
    /// The component that the object is.
    func component() throws(WireError) -> any Component {
        switch try required("type", try string("type")) {
        case "label": return try Label(self)
        case "image": return try Image(self)
        case "button": return try Button(self)
        case "textbox": return try Textbox(self)
        case "password": return try Password(self)
        case "scrollview": return try Scrollview(self)
        case "web": return try Web(self)
        case "table": return try Table(self)
        case "form": return try Form(self)
        case "navigation": return try Navigation(self)
        case let type: throw error("type", "is no component: '\(type)'")
        }
    }

    /// The field of a form that the object is.
    func field() throws(WireError) -> any FormField {
        switch try required("type", try string("type")) {
        case "section": return try Section(self)
        case "textbox": return try Textbox(self)
        case "password": return try Password(self)
        case "textview": return try Textview(self)
        case "checkbox": return try Checkbox(self)
        case "date": return try DateField(self)
        case "select": return try Select(self)
        case "radio": return try Radio(self)
        case let type: throw error("type", "is no field of a form: '\(type)'")
        }
    }

    func components(_ key: String) throws(WireError) -> [any Component] {
        try list(key) { reader throws(WireError) in try reader.component() }
    }

    func size() throws(WireError) -> Size? {
        try object("size") { reader throws(WireError) in try Size(reader) }
    }

    func method(_ key: String) throws(WireError) -> Method? {
        try object(key) { reader throws(WireError) in try Method(reader) }
    }
}
