// expect: non-final class
import FutureImage
class Mine: FutureImage.Fetcher { func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {} }
