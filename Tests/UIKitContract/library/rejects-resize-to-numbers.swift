// expect: Write .resize(to: CGSize(width:height:)) for points, or .resize(toPixels:) for pixels.
import FutureImage

func tile(_ url: URL) -> FutureImage { FutureImage(at: url, transform: .resize(160, 120)) }
