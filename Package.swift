// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "FutureImage",
  platforms: [.iOS(.v17), .tvOS(.v17), .visionOS(.v1), .macCatalyst(.v17)],
  products: [
    .library(name: "FutureImage", targets: ["FutureImage"]),
    .library(name: "FutureImageTesting", targets: ["FutureImageTesting"])
  ],
  targets: [
    .target(
      name: "FutureImage",
      dependencies: [
        .target(name: "UIKitStandIn", condition: .when(platforms: [.linux])),
        .target(name: "CCurl", condition: .when(platforms: [.linux])),
        .target(name: "CContentCoding", condition: .when(platforms: [.linux])),
        .target(name: "CLinuxCalls", condition: .when(platforms: [.linux]))
      ]),
    .target(name: "FutureImageTesting", dependencies: ["FutureImage"]),
    .target(name: "UIKitStandIn", dependencies: ["CImageCodecs"]),
    .target(
      name: "CImageCodecs",
      linkerSettings: ["jpeg", "png", "gif", "webp", "webpdemux", "dl", "m"].map { .linkedLibrary($0) }),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CContentCoding", pkgConfig: "libbrotlidec", providers: [.apt(["zlib1g-dev", "libbrotli-dev"])]),
    .target(name: "CLinuxCalls"),
    .testTarget(name: "FutureImageTests", dependencies: ["FutureImage", "FutureImageTesting"]),
    .testTarget(name: "UIKitStandInTests", dependencies: ["UIKitStandIn", "CImageCodecs"]),
    .testTarget(name: "FutureImageTestingTests", dependencies: ["FutureImageTesting"])
  ]
)
