// expect: does not conform to the 'Sendable' protocol
import FutureImage
import FutureImageCache
final class Box { var value = 0 }
let boxes: Cache<Box>? = nil
