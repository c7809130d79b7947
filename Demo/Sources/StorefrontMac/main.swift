#if canImport(AppKit) && !canImport(UIKit)
import AppKit

// A program without a bundle has no main nib, which would create the delegate. The app comes first, because the delegate has views.
let app = NSApplication.shared
let delegate = AppDelegate()
app.delegate = delegate
app.setActivationPolicy(.regular)
app.run()
#endif
