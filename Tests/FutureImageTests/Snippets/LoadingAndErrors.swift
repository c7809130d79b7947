import Foundation
import FutureImage
import Testing

@MainActor final class LoadingAndErrorsSnippets {
  final class LoginPage {
    var onSuccess: (() -> Void)?
  }

  let loginPage = LoginPage()
  var label = ""

  private func share(_ picture: UIImage) {}
  private func offerRetry() {}

  func show(_ item: Item) async {
    do throws(FutureImage.Failure) {
      share(try await item.photo.value)
    } catch {
      switch error.reason {
      case .status(404): label = "The image is gone."
      case .transport(.offline): offerRetry()
      default: label = error.localizedDescription
      }
    }
  }

  func watch() {
    loginPage.onSuccess = { FutureImage.Loader.shared.retryFailed() }
  }

  func spare(_ large: URL, _ small: URL, _ configuration: inout FutureImage.Loader.Configuration) -> FutureImage {
    configuration.avoidedNetworks = [.constrained, .expensive]
    let loader = FutureImage.Loader(configuration)
    let photo = FutureImage(.url(large).onAvoidedNetworks(use: .url(small)), loader: loader)
    return photo
  }

  func log(_ configuration: inout FutureImage.Loader.Configuration) {
    configuration.onEvent = { key, event in print("\(key): \(event)") }
  }
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct LoadingAndErrorsPage {
  @Test func `the default limits of a loader are the limits that the page about loading and errors states`() {
    let configuration = FutureImage.Loader.Configuration()
    #expect((configuration.maxTransfers, configuration.maxTransfersPerHost) == (24, 6))
    #expect(configuration.maxBytes == 64 << 20)
    #expect((configuration.timeout, configuration.stallTimeout) == (.seconds(60), .seconds(15)))
    let retry = configuration.retry
    #expect((retry.attempts, retry.firstDelay, retry.maxRetryAfter) == (3, .milliseconds(200), .seconds(30)))
    #expect(retry.failureMemory == .seconds(30))
  }
}
