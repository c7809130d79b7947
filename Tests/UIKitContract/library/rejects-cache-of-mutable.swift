// expect: does not conform to the 'Sendable' protocol
import FutureImage
final class Box { var value = 0 }
let boxes: FutureImage.Cache<Box>? = nil
