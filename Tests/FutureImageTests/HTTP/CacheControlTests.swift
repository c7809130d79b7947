import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct CacheControlTests {
  @Test(arguments: [
    ("", [:]), (" , ,", [:]), ("no-store", ["no-store": ""]), ("a=1,b=2 , C = 3", ["a": "1", "b": "2", "c": "3"]),
    ("a=\"x, y\", b", ["a": "x, y", "b": ""]), ("a=\"x\\\", b", ["a": "\"x\\\", b"]), ("a=\"x\\\"y\",b", ["a": "x\\\"y", "b": ""]),
    ("=5, a", ["a": ""]), ("\ta = \"\" ,\t b=\" c \"\t", ["a": "", "b": " c "]),
    ("a=é, é=\"ü\"", ["a": "é", "é": "ü"]),
    ("a, a=2", ["a": ""]), ("a=\"", ["a": "\""]), ("a=\"\\", ["a": "\"\\"])
  ])
  func `a Cache-Control field is parsed into its directives`(field: String, directives: [String: String]) {
    #expect(CacheControl(field).directives == directives)
  }
}
