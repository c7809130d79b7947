// expect: does not conform to the 'Sendable' protocol
final class Box { var value = 0 }
let boxes: FutureImage.Cache<Box>? = nil
