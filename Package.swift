// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "FutureImage",
  targets: [
    .target(name: "UIKitStandIn", dependencies: ["CImageCodecs"]),
    .target(name: "CImageCodecs", linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png")]),
    .testTarget(name: "UIKitStandInTests", dependencies: ["UIKitStandIn", "CImageCodecs"])
  ]
)
