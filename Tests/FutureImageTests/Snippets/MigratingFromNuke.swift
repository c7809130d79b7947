import Foundation
import FutureImage

enum MigratingFromNukeSnippets {
  enum CoverPhoto: FutureImage.Recipe {
    static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { "vinyl" }
    static var transform: FutureImage.Transform? { .resize(to: CGSize(width: 80, height: 80), .fill).then(.roundedCorners(6)) }
  }

  struct Track: Decodable {
    let title: String
    @FutureImage.From<CoverPhoto, FutureImage?> var cover: FutureImage?
  }

  @MainActor final class TrackCell {
    let coverView = UIImageView()
  }

  @MainActor final class TrackList {
    func show(_ track: Track, in cell: TrackCell) {
      cell.coverView.display(track.cover, .init(transition: .fade(seconds: 0.2)))
    }
  }

  struct Slide {
    let photo: FutureImage
  }

  @MainActor final class Ring {
    var fraction = 0.0
  }

  @MainActor static func show(_ slide: Slide, _ ring: Ring, _ canvas: UIImageView) async {
    for await phase in slide.photo.phases(fitting: .full) {
      switch phase {
      case .loading(let fraction): ring.fraction = fraction ?? 0
      case .ready(let picture): canvas.image = picture
      default: break
      }
    }
  }
}
