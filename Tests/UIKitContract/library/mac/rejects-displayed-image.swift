// expect: 'display' is unavailable: assign an NSImage to `image`
import FutureImage
@MainActor func displayed(_ image: NSImage, _ button: NSButton) { button.display(image) }
