@testable import FutureImage

/// A view that checks each image that it gets.
@MainActor final class FilmView: UIImageView {
  private let decoder: FilmDecoder
  /// The film of the future that is bound to the view; nil if the app has put another image there.
  var film: Int?
  /// The frame that the view shows; nil if the view's player is at another frame. The next frame that the view shows must be the successor
  /// of this frame.
  private var last: FilmFrame?
  private(set) var fault: String?
  /// The number of times that the view changed from one frame of a film to another.
  var followed = 0

  init(width: CGFloat, _ decoder: FilmDecoder) {
    self.decoder = decoder
    super.init(frame: CGRect(x: 0, y: 0, width: width, height: width * 3 / 4))
    contentMode = .scaleAspectFit
  }

  required init?(coder: NSCoder) { nil }

  override var image: UIImage? {
    get { super.image }
    set {
      super.image = newValue
      check()
      noteBitmap()
      // The app's code in a setter may take some time.
      StressThreads.yieldTurn()
    }
  }

  /// Permits the view to show any frame next, because the view gets a new binding, or enters or leaves a window, or because a player gets a
  /// new position.
  func forget() {
    last = nil
    noteBitmap()
  }

  /// The animation that the view shows. While its frames have too few pixels for the view, the image of the view is a carrier: a private
  /// future that looks like a frame.
  var feed: AnimationFeed? { ((image as? FutureImage)?.borrowed?.original ?? image)?.feed }
  var player: FutureImage.Player? { feed?.player as? FutureImage.Player }

  /// Reports to the decoder the bitmap of the frame that it must not decode again.
  private func noteBitmap() { decoder.show(last == nil ? nil : image?.cgImage, in: Swift.ObjectIdentifier(self)) }

  private func check() {
    guard let frame = FilmFrame(image) else { return last = nil }
    StressThreads.note("a view shows frame \(frame.index) of film \(frame.film.number), version \(frame.film.version)")
    if film != frame.film.number { fault = "a view of film \(film ?? -1) shows a frame of film \(frame.film.number)" }
    guard let player, frame.index == player.index, window != nil else { return last = nil }
    if let last, last.film == frame.film, last.index != frame.index {
      followed += 1
      let isNext = frame.index == last.index + 1 || frame.index == 0 && last.index + 1 >= frame.film.playableCount
      if !isNext { fault = "frame \(frame.index) of film \(frame.film.number) follows frame \(last.index)" }
    }
    last = frame
  }
}
