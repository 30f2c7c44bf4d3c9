import DynamicViews

/// Settings, and what developers need; Android clients don't know the latter.
struct ProfileView {
    static let onboarding = "onboarding"
    static let environment = "io.snabble.environment"
    /// The buttons that forget what was done, by their ids.
    static let resets = ["Profile.resetAppID", "Profile.resetClientID"]

    static let texts: Set<String> = [
        "Profile.header", "Profile.showOnboarding", "Profile.about", "Profile.start", "Profile.environment",
        "Profile.Environment.testing", "Profile.Environment.staging", "Profile.Environment.production",
        "Profile.resetAppID", "Profile.resetClientID", "Profile.resetAppID.done", "Profile.resetClientID.done",
    ]
    private static let environments = ["testing", "staging", "production"]

    let state: ShopState
    let platform: Dialect.Platform

    var document: Document {
        DynamicViews.document {
            section("Profile.header", id: "settings") {
                toggle("Profile.showOnboarding", id: Self.onboarding, key: "io.snabble.sample.showOnboarding")
                navigation("Profile.start", id: "start", resource: "dashboard")
            }
            section("Profile.about", id: "about") {
                version(id: "version")
                if let environment = chosenEnvironment {
                    text("Profile.Environment.\(environment)", id: "environment").textStyle("footnote")
                }
                if let reset = state.reset {
                    text("\(reset).done", id: "reset").textColor("accent")
                }
            }
            if platform == .ios { developer }
        }
        .style(.list)
    }

    private var developer: DeveloperMode {
        developerMode(id: "io.snabble.developerMode") {
            multiValue("Profile.environment", id: Self.environment) {
                for name in Self.environments {
                    option("Profile.Environment.\(name)", id: "\(Self.environment).\(name)")
                }
            }
            for button in Self.resets { DynamicViews.button(button, id: button) }
        }
    }

    private var chosenEnvironment: String? {
        Self.environments.first { state.environment == "\(Self.environment).\($0)" }
    }
}
