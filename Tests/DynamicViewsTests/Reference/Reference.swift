/// The documents of the reference, as it prints them: what they show and where they are broken is theirs.
enum Reference {
    /// The whole document, with the trailing commas that the reference has.
    static let dashboard = """
        {
        "configuration": {
        "image": "Dashboard/teaser",
        "style": "scroll",
        "padding": [ 30, 16 ]
        },
        "widgets": [
        {
        "type": "image",
        "id": "1",
        "image": "Dashboard/image",
        "padding": {
        "bottom": 16
        }
        },
        {
        "type": "text",
        "id": "2",
        "text": "Dashboard.title",
        "textColor": "accent",
        "textStyle": "title",
        "padding": {
        "bottom": 4
        }
        },
        {
        "type": "text",
        "id": "3",
        "text": "Dashboard.text",
        "padding": {
        "bottom": 32
        }
        },
        {
        "type": "snabble.locationPermission",
        "id": "4",
        },
        {
        "type": "snabble.startShopping",
        "id": "5",
        },
        {
        "type": "snabble.allStores",
        "id": "6",
        "padding": {
        "bottom": 24
        }
        },
        {
        "type": "snabble.connectWifi",
        "id": "7",
        "padding": {
        "bottom": 16
        }
        },
        {
        "type": "snabble.customerCard",
        "id": "8",
        "projectId": "snabble-sdk-demo-beem8n",
        "padding": {
        "bottom": 32
        }
        },
        {
        "type": "snabble.lastPurchases",
        "id": "11",
        "projectId": "snabble-sdk-demo-beem8n"
        }
        ]
        }
        """

    /// The options of the environment, as the fragment on developer mode has them.
    private static let options = """
        "values": [
        {
        "id": "io.snabble.environment.testing",
        "text": "Profile.Environment.testing"
        },
        {
        "id": "io.snabble.environment.staging",
        "text": "Profile.Environment.staging"
        },
        {
        "id": "io.snabble.environment.production",
        "text": "Profile.Environment.production"
        }
        ]
        """

    /// The fragment on developer mode.
    static let developerMode = """
        {
        "type": "developerMode",
        "id": "io.snabble.developerMode",
        "items": [
        {
        "type": "multiValue",
        "id": "io.snabble.environment",
        "text": "Profile.environment",
        \(options)
        },
        {
        "type": "button",
        "id": "Profile.resetAppID",
        "text": "Profile.resetAppID",
        "key": "io.snabble.resetAppID"
        },
        {
        "type": "button",
        "id": "Profile.resetClientID",
        "text": "Profile.resetClientID",
        "key": "io.snabble.resetClientID"
        }
        ]
        }
        """

    /// The fragment on options, with an equals sign that makes it no JSON.
    static let multiValue = """
        {
        "type": "multiValue",
        "id": "io.snabble.environment",
        "text": "Profile.environment",
        \(options.replacing("\"values\":", with: "\"values\" ="))
        }
        """

    /// A document of some widgets.
    static func document(_ widgets: String, configuration: String = "{}") -> String {
        #"{"configuration":\#(configuration),"widgets":[\#(widgets)]}"#
    }
}
