import DynamicViews

/// The start of the app. Before anything was tapped it is the dashboard of the documentation.
struct DashboardView {
    static let texts: Set<String> = [
        "Dashboard.title", "Dashboard.text", "Dashboard.shopping", "Dashboard.customerCard", "Dashboard.cardInfo",
        "Dashboard.locationDenied", "Dashboard.onboarding", "Dashboard.online", "Dashboard.purchases",
        "Dashboard.receipt",
    ]
    static let images: Set<String> = ["Dashboard/teaser", "Dashboard/image", "Dashboard/onboarding", "Dashboard/card"]

    private static let project = "snabble-sdk-demo-beem8n"

    let state: ShopState

    var document: Document {
        DynamicViews.document {
            image("Dashboard/image", id: "1").padding(bottom: 16)
            if state.showsOnboarding {
                information("Dashboard.onboarding", id: "onboarding", hideable: true).image("Dashboard/onboarding")
            }
            text("Dashboard.title", id: "2").textColor(.accent).textStyle(.title).padding(bottom: 4)
            text(state.isShopping ? "Dashboard.shopping" : "Dashboard.text", id: "3").padding(bottom: 32)
            switch state.location {
            case .unknown:
                locationPermission(id: "4").onTap { interaction, request in
                    let isDenied = interaction.elementID?.hasSuffix(".denied-restricted") ?? false
                    try await request.updateShop { $0.location = isDenied ? .denied : .allowed }
                }
            case .allowed: []
            case .denied: information("Dashboard.locationDenied", id: "denied", hideable: false)
            }
            startShopping(id: "5").onTap { _, request in
                try await request.updateShop { $0.isShopping.toggle() }
            }
            allStores(id: "6").padding(bottom: 24)
            if state.isOnWifi {
                text("Dashboard.online", id: "online").textStyle(.footnote).padding(bottom: 16)
            } else {
                connectWifi(id: "7").padding(bottom: 16).onTap { _, request in
                    try await request.updateShop { $0.isOnWifi = true }
                }
            }
            customerCard(id: "8").projectId(Self.project)
                .text("Dashboard.customerCard").image("Dashboard/card").padding(bottom: 32)
                .onTap { _, request in try await request.updateShop { $0.showsCard.toggle() } }
            if state.showsCard { text("Dashboard.cardInfo", id: "cardInfo") }
            lastPurchases(projectId: Self.project, id: "11")
                .onReceipt { receipt, request in try await request.updateShop { $0.receipt = receipt } }
                .onMore { request in try await request.updateShop { $0.showsPurchases = true } }
            if state.receipt != nil { text("Dashboard.receipt", id: "receipt").showDisclosure() }
            if state.showsPurchases { text("Dashboard.purchases", id: "purchases").showDisclosure() }
        }
        .image("Dashboard/teaser").style(.scroll).padding(horizontal: 30, vertical: 16)
    }
}

/// Settings, and what developers need, which each platform's clients know by other widgets.
struct ProfileView {
    private static let environment = "io.snabble.environment"
    /// The buttons that forget what was done, by their ids.
    private static let resets = ["Profile.resetAppID", "Profile.resetClientID"]

    static let texts: Set<String> = [
        "Profile.header", "Profile.showOnboarding", "Profile.about", "Profile.start", "Profile.environment",
        "Profile.Environment.testing", "Profile.Environment.staging", "Profile.Environment.production",
        "Profile.resetAppID", "Profile.resetClientID", "Profile.resetAppID.done", "Profile.resetClientID.done",
        "Profile.developers", "Profile.developerMode",
    ]
    private static let environments = ["testing", "staging", "production"]

    let state: ShopState
    let platform: Dialect.Platform

    var document: Document {
        DynamicViews.document {
            section("Profile.header", id: "settings") {
                toggle("Profile.showOnboarding", id: "onboarding", key: "io.snabble.sample.showOnboarding")
                    .onToggle { isOn, request in try await request.updateShop { $0.showsOnboarding = isOn } }
                if platform == .ios { navigation("Profile.start", id: "start", resource: "dashboard") }
            }
            section("Profile.about", id: "about") {
                version(id: "version")
                if let environment = chosenEnvironment {
                    text("Profile.Environment.\(environment)", id: "environment").textStyle(.footnote)
                }
                if let reset = state.reset {
                    text("\(reset).done", id: "reset").textColor(.accent)
                }
            }
            switch platform {
            case .ios:
                developerMode(id: "io.snabble.developerMode") {
                    choice(multiValue("Profile.environment", id: Self.environment) { options })
                    for button in Self.resets {
                        DynamicViews.button(button, id: button).onTap { _, request in
                            try await request.updateShop { $0 = ShopState(reset: button) }
                        }
                    }
                }
            case .android:
                section("Profile.developers", id: "developers") {
                    choice(switchEnvironment("Profile.environment", id: Self.environment) { options })
                    devSettings("Profile.developerMode", id: "io.snabble.developerMode")
                    appUserId(id: "appUserId")
                    clientId(id: "clientId")
                }
            }
        }
        .style(.list)
    }

    private func choice(_ environments: MultiValue) -> MultiValue {
        environments.onChoice { option, request in try await request.updateShop { $0.environment = option } }
    }

    private var options: [MultiValue.Option] {
        Self.environments.map { option("Profile.Environment.\($0)", id: "\(Self.environment).\($0)") }
    }

    private var chosenEnvironment: String? {
        Self.environments.first { state.environment == "\(Self.environment).\($0)" }
    }
}
