import Foundation
import FutureImage
import FutureImageCache

enum MigratingFromHanekeSnippets {
  enum BadgePhoto: FutureImage.Recipe {
    static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { "nobody" }
    static var transform: FutureImage.Transform? { .circle }
  }

  struct Member: Decodable {
    let name: String
    @FutureImage.From<BadgePhoto, FutureImage> var badge: FutureImage
  }

  @MainActor static func show(_ member: Member, in badgeView: UIImageView) {
    badgeView.futureImage = member.badge
  }

  struct Story: Codable, Sendable {
    let title: String
  }

  private static func show(_ stories: [Story]) {}

  static func load(_ feedURL: URL) async throws {
    let feed = Cache<[Story]>(named: "stories", as: .json)
    show(try await feed.value(from: feedURL))
  }
}
