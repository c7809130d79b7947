// expect: inheritance from a final class
import FutureImage
final class Mine: FutureImage, @unchecked Sendable {}
