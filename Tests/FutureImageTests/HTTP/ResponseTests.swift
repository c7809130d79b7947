import FutureImage
import Testing

@Suite(.timeLimit(.minutes(5))) struct ResponseTests {
  @Test func `names of header fields are lowercased, and fields whose names differ only in case are joined`() {
    let headers = ["ETag": "\"1\"", "Vary": "accept", "vary": "cookie", "age": "1"]
    #expect(FutureImage.Response(status: 200, headers: headers).headers == ["etag": "\"1\"", "vary": "accept, cookie", "age": "1"])
    #expect(FutureImage.Response(status: 304, headers: ["etag": "\"A\""]).headers == ["etag": "\"A\""])
  }
}
