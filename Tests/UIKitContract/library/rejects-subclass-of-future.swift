// expect: inheritance from a final class
final class Mine: FutureImage, @unchecked Sendable {}
