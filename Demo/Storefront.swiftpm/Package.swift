// swift-tools-version: 6.2
import AppleProductTypes
import PackageDescription

// The shop as an app, with UIKit screens and SwiftUI screens. Open this folder in Xcode and run it.
let package = Package(
  name: "StorefrontApp",
  platforms: [.iOS(.v17)],
  products: [
    .iOSApplication(
      name: "Storefront",
      targets: ["StorefrontUIKit"],
      bundleIdentifier: "demo.storefront",
      displayVersion: "1.0",
      bundleVersion: "1",
      appIcon: .placeholder(icon: .images),
      accentColor: .presetColor(.orange),
      supportedDeviceFamilies: [.pad, .phone],
      supportedInterfaceOrientations: [
        .portrait, .landscapeRight, .landscapeLeft, .portraitUpsideDown(.when(deviceFamilies: [.pad]))
      ],
      additionalInfoPlistContentFilePath: "AppInfo.plist"
    )
  ],
  dependencies: [
    .package(name: "FutureImage", path: "../.."),
    .package(name: "Storefront", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "StorefrontUIKit",
      dependencies: [
        .product(name: "FutureImage", package: "FutureImage"), .product(name: "Storefront", package: "Storefront")
      ],
      path: "App",
      resources: [.process("placeholder.png")]
    )
  ],
  swiftLanguageModes: [.v6]
)
