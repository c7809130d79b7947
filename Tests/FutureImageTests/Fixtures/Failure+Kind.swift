@testable import FutureImage

extension FutureImage.Failure.Reason {
  var isUndecodable: Bool { if case .undecodable = self { true } else { false } }
  var isTooManyPixels: Bool { if case .tooManyPixels = self { true } else { false } }
  var isTransport: Bool { if case .transport = self { true } else { false } }
  var isRefused: Bool { if case .refused = self { true } else { false } }
  var isMalformed: Bool { if case .malformed = self { true } else { false } }
  var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
}
