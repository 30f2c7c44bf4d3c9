import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct BodyDecoderTests {
    @Test func thereIsNoneWithoutABody() {
        #expect(BodyDecoder(.none, limits: .init()) == nil)
    }

    @Test func aLengthIsCountedDown() throws {
        let input = bytes("abcdefgh")
        var decoder = try #require(BodyDecoder(.length(5), limits: .init()))
        var position = 1
        #expect(decoder.remaining == 5)
        let first = try decoder.next(input.span.extracting(..<3), from: &position)
        #expect(first == 1..<3)
        let nothing = try decoder.next(input.span.extracting(..<3), from: &position)
        #expect(nothing == nil)
        #expect(decoder.remaining == 3)
        #expect(!decoder.isFinished)
        let second = try decoder.next(input.span, from: &position)
        #expect(second == 3..<6)
        #expect(position == 6)
        #expect(decoder.isFinished)
        let third = try decoder.next(input.span, from: &position)
        #expect(third == nil)
        #expect(position == 6)
    }

    /// The largest length that a head may declare: its end must not be computed by a sum that overflows.
    @Test(arguments: [Int.max, Int.max - 1, Int.max / 2])
    func aHugeLengthIsCountedDown(_ length: Int) throws {
        let input = bytes("abcdefgh")
        var decoder = try #require(BodyDecoder(.length(length), limits: .init()))
        var position = 6
        let data = try decoder.next(input.span, from: &position)
        #expect(data == 6..<8)
        #expect(decoder.remaining == length - 2)
    }

    @Test func chunksTellNoLength() throws {
        let decoder = try #require(BodyDecoder(.chunked, limits: .init()))
        #expect(decoder.remaining == nil)
        #expect(!decoder.isFinished)
    }
}
