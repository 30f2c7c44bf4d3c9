import Applin
import Testing

@Suite(.timeLimit(.minutes(5))) struct ImageTests {
    @Test func `An image always has a disposition`() {
        #expect(
            encoded(image("/image.png", aspectRatio: 4))
                == #"{"typ":"image","url":"/image.png","aspect_ratio":4,"disposition":"cover"}"#
        )
    }

    @Test(arguments: [(Image.Disposition.fit, "fit"), (.cover, "cover"), (.stretch, "stretch")])
    func `Each disposition has its name on the wire`(_ disposition: Image.Disposition, wire: String) {
        #expect(
            encoded(image("https://example.com/a.jpg", aspectRatio: 1.5, disposition: disposition))
                == #"{"typ":"image","url":"https://example.com/a.jpg","aspect_ratio":1.5,"disposition":"\#(wire)"}"#
        )
    }
}
