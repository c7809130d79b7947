// expect: 'none' has been renamed to 'modelOnly'
import FutureImage

func unstored(_ url: URL) -> FutureImage { FutureImage(at: url, cachePolicy: .none) }
