#if canImport(AppKit) && !canImport(UIKit)
import AppKit

// In an app with a bundle, the main nib creates the delegate. This program has no bundle, so it creates the delegate here. It creates the
// app first, because the delegate creates views.
let app = NSApplication.shared
let delegate = AppDelegate()
app.delegate = delegate
app.setActivationPolicy(.regular)
app.run()
#endif
