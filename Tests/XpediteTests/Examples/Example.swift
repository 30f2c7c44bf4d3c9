/// A piece of JSON as the protocol has it.
struct Example: Sendable, CustomStringConvertible {
    /// The object that a fragment's keys belong to.
    enum Host: String {
        case label, textbox, select, table, date, form
    }

    /// The part of the protocol that the JSON shows.
    enum Kind: Equatable {
        case request, packet, topLevel, method, component, data, field
        case keys(of: Host)
    }

    let kind: Kind
    let json: String

    init(_ kind: Kind, _ json: String) {
        self.kind = kind
        self.json = json
    }

    var description: String { "\(kind) \(json.prefix(60))" }
}

extension Example {
    /// Each form that the protocol knows, once for each time that its reference shows it. Two are cut short, by three dots.
    static let all = [
        Example(
            .request,
            #"""
            {"method":"setConnection","bundleID":"xpedite.software","uuid":"mobile phone UUID",\#
            "bounds":"screen dimensions in logical pixels","xpediteVersion":1}
            """#
        ),
        Example(
            .packet,
            #"""
            {"rc":0,"version":1,"token":"08829e57-56ec-42a8-8b84-061981c054c8",\#
            "components":[{"type":"label","text":"Hello world"}]}
            """#
        ),
        Example(
            .packet,
            #"""
            {"rc":0,"token":"08829e57-56ec-42a8-8b84-061981c054c8","components":[{"type":"label",\#
            "text":"Hello world"}]}
            """#
        ),
        Example(.request, ##"{"method":"addCustomer","token":"08829e57-56ec-42a8-8b84-061981c054c8"}"##),
        Example(.topLevel, ##"{"rc":0}"##),
        Example(.topLevel, ##"{"token":"08829e57-56ec-42a8-8b84-061981c054c8"}"##),
        Example(.topLevel, ##"{"version":1}"##),
        Example(.topLevel, ##"{"title":"Customer List"}"##),
        Example(.topLevel, ##"{"background":"#F5F5F5"}"##),
        Example(.topLevel, ##"{"id":"customer-list"}"##),
        Example(.topLevel, ##"{"disposition":"permanent"}"##),
        Example(.topLevel, ##"{"disposition":{"type":"expiry","seconds":3600}}"##),
        Example(.topLevel, ##"{"setDefaults":{"font":"Helvetica","fontsize":16,"background":"#FFFFFF"}}"##),
        Example(
            .topLevel,
            #"""
            {"images":[{"id":"logo","url":"https://my.app/images/logo.png","load":"critical"},\#
            {"id":"banner","url":"https://my.app/images/banner.png","load":"background"}]}
            """#
        ),
        Example(
            .topLevel,
            #"""
            {"components":[{"type":"label","text":"Welcome"},{"type":"button","text":"Continue",\#
            "method":{"function":"home"}}]}
            """#
        ),
        Example(.method, ##"{"function":"listCustomers"}"##),
        Example(.method, ##"{"function":"viewCustomer","parameters":{"id":"123"}}"##),
        Example(.method, ##"{"function":"viewCustomer","parameters":{"id":"123"}}"##),
        Example(.keys(of: .label), ##"{"size":{"width%":80,"height":44,"centrex":0}}"##),
        Example(.keys(of: .label), ##"{"size":{"x+":10,"width%":50,"relative-height%":100}}"##),
        Example(
            .component,
            #"""
            {"type":"label","text":"Hello world","color":"#333333","fontsize":20,"align":"centre",\#
            "size":{"width%":100,"height":44}}
            """#
        ),
        Example(.component, ##"{"type":"image","id":"logo","size":{"width%":50}}"##),
        Example(.component, ##"{"type":"image","url":"https://...","size":{"width%":100,"height":200}}"##),
        Example(
            .component,
            #"""
            {"type":"button","text":"Save","style":"button","size":{"width%":60,"height":44,"centrex":0},\#
            "method":{"function":"save","navigation":"root"}}
            """#
        ),
        Example(
            .component,
            #"""
            {"type":"textbox","name":"email","placeholder":"you@example.com","keyboard":"email",\#
            "returnkey":"next"}
            """#
        ),
        Example(.component, ##"{"type":"password","name":"pwd","placeholder":"Enter password"}"##),
        Example(
            .component,
            #"""
            {"type":"scrollview","size":{"width%":100,"height%":60},"components":[{"type":"label",\#
            "text":"Long content..."}]}
            """#
        ),
        Example(.component, ##"{"type":"web","web":"https://example.com","size":{"width%":100,"height%":80}}"##),
        Example(.component, ##"{"type":"web","content":"<h1>Hello</h1>","size":{"width%":100,"height":400}}"##),
        Example(
            .component,
            #"""
            {"type":"table","data":{"dynamic":"listCustomers"},"refresh":"Pull to refresh",\#
            "header":[{"text":"Name","width%":60,"font":"headline"},{"text":"Score","width%":40,\#
            "align":"right","scroll":"off"}],"cell":[{"field":"name","width%":60},{"field":"score",\#
            "width%":40,"align":"right","color":"#007AFF"}],"clickRow":{"function":"viewCustomer",\#
            "selected":"id"}}
            """#
        ),
        Example(.data, ##"{"rc":0,"data":[{"name":"Alice","score":42},...],"max":50}"##),
        Example(.method, ##"{"function":"viewCustomer","selected":"id"}"##),
        Example(
            .component,
            #"""
            {"type":"form","id":"customer-form","style":"inline","title":"Add Customer",\#
            "save":{"function":"saveCustomer"},"saveNavigation":"Save","cancel":{"function":"home"},\#
            "cancelNavigation":"Cancel","components":[...]}
            """#
        ),
        Example(.field, ##"{"type":"section","title":"Personal Details"}"##),
        Example(
            .field,
            #"""
            {"type":"textbox","name":"firstname","title":"First name","placeholder":"Enter name",\#
            "value":"Alice"}
            """#
        ),
        Example(.field, ##"{"type":"password","name":"pwd","title":"Password"}"##),
        Example(.field, ##"{"type":"textview","name":"notes","title":"Notes","placeholder":"Enter notes..."}"##),
        Example(.field, ##"{"type":"checkbox","name":"active","title":"Active customer","value":"1"}"##),
        Example(.field, ##"{"type":"date","name":"dob","title":"Date of birth","value":"1990-06-15"}"##),
        Example(
            .field,
            #"""
            {"type":"select","name":"country","title":"Country","value":"AU","options":{"AU":"Australia",\#
            "NZ":"New Zealand","US":"United States"}}
            """#
        ),
        Example(
            .field,
            #"""
            {"type":"radio","name":"gender","title":"Gender","value":"M","options":{"M":"Male",\#
            "F":"Female","X":"Other"}}
            """#
        ),
        Example(
            .component,
            #"""
            {"type":"navigation","id":"main-menu","implementation":{"style":"slidefrom","position":"left"},\#
            "effects":{"shade%":40},"components":[{"type":"menuEntry","text":"Customers",\#
            "icon":"customers","method":{"function":"listCustomers"}},{"type":"menuEntry"},\#
            {"type":"menuEntry","text":"Logout","method":{"function":"logout"}}]}
            """#
        ),
        Example(
            .component,
            #"""
            {"type":"navigation","implementation":{"style":"button","position":"right",\#
            "icon":"ellipsis.circle"},"components":[{"type":"menuEntry","text":"Add","symbol":"plus",\#
            "method":{"function":"addCustomer"}},{"type":"menuEntry","text":"Search",\#
            "symbol":"magnifyingglass","method":{"function":"search"}}]}
            """#
        ),
        Example(
            .component,
            #"""
            {"type":"navigation","implementation":{"style":"button","position":"right","icon":"plus"},\#
            "components":[{"type":"menuEntry","method":{"function":"addCustomer"}}]}
            """#
        ),
        Example(.keys(of: .label), ##"{"align":"left"}"##),
        Example(.keys(of: .textbox), ##"{"autotext":"disable"}"##),
        Example(.keys(of: .label), ##"{"background":"#FFFFFF"}"##),
        Example(.keys(of: .label), ##"{"color":"#000000"}"##),
        Example(.field, ##"{"type":"textbox","name":"search","focus":true}"##),
        Example(.keys(of: .label), ##"{"font":"Helvetica-Bold"}"##),
        Example(.keys(of: .label), ##"{"fontsize":16}"##),
        Example(.keys(of: .label), ##"{"id":"customer-name-field"}"##),
        Example(.keys(of: .textbox), ##"{"keyboard":"email"}"##),
        Example(.keys(of: .textbox), ##"{"name":"customer_name"}"##),
        Example(.keys(of: .textbox), ##"{"onEnter":"password-field"}"##),
        Example(.keys(of: .select), ##"{"options":{"1":"Option A","2":"Option B","3":"Option C"}}"##),
        Example(.keys(of: .textbox), ##"{"placeholder":"Enter the customer's first name"}"##),
        Example(.keys(of: .table), ##"{"refresh":"Pull to refresh"}"##),
        Example(.keys(of: .textbox), ##"{"returnkey":"next"}"##),
        Example(.keys(of: .label), ##"{"size":{"width%":80,"height":44,"centrex":0}}"##),
        Example(.topLevel, ##"{"time":1744531200}"##),
        Example(.topLevel, ##"{"title":"Customer Details"}"##),
        Example(.keys(of: .date), ##"{"value":"1990-06-15"}"##),
        Example(.keys(of: .form), ##"{"save":{"function":"saveCustomer"},"cancel":{"function":"home"}}"##),
        Example(.keys(of: .form), ##"{"saveNavigation":"Confirm","cancelNavigation":"Discard"}"##),
        Example(.component, ##"{"type":"navigation","id":"main-menu"}"##),
    ]

    /// Those of one kind that are whole.
    static func whole(_ kind: Kind) -> [Example] { all.filter { $0.kind == kind && !$0.json.contains("...]") } }
}
