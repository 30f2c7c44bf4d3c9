import Applin
import Backlot

/// Questions in front of the page, with actions for each answer.
struct ModalPage: DemoPage {
    let path = "/modal"
    let title = "Modal"
    let subText = "Questions, with actions for each answer"
    let dialects = [Dialect.objects]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    formButton("Say something") {
                        modal("Hello!") {
                            modalButton("OK") {}
                        }
                    }
                    formButton("Ask, with a message") {
                        modal("Go to page two?") {
                            modalButton("Go") { push("/page2") }
                            modalButton("Cancel") {}
                        }
                        .message("The page is small, and says only its name.")
                    }
                    formButton("Ask before something is destroyed") {
                        modal("Delete everything?") {
                            modalButton("Delete") { rpc("/ok") }.destructive()
                            modalButton("Cancel") {}
                        }
                    }
                    formButton("An answer whose rpc fails") {
                        modal("Try it?") {
                            modalButton("Try") { rpc("/user_error") }
                            modalButton("Cancel") {}
                        }
                    }
                    formButton("One modal after the other") {
                        modal("First") {
                            modalButton("Second") {
                                modal("Second") {
                                    modalButton("Done") {}
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
