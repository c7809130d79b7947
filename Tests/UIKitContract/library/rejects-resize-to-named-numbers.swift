// expect: Write .resize(to: CGSize(width:height:)) for points, or .resize(toPixels:) for pixels.
import FutureImage

func wideTile(_ url: URL) -> FutureImage { FutureImage(at: url, transform: .resize(width: 160, height: 120, .fill)) }
