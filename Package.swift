// swift-tools-version: 6.2
import PackageDescription

// The manifest is compiled for the machine on which the build runs, so `os(Linux)` is true if that machine runs Linux. To build for Linux
// on another system, set FUTUREIMAGE_FOR_LINUX in the environment.
#if os(Linux)
let isForLinux = true
#else
let isForLinux = Context.environment["FUTUREIMAGE_FOR_LINUX"] != nil
#endif
// On Linux, the Mac's code can be tested with a model of AppKit in place of the stand-in for UIKit. `Tests/AppKitModel/run` sets
// FUTUREIMAGE_APPKIT_MODEL to the name of the test target that it runs, or to `all`.
let modelTests = isForLinux ? Context.environment["FUTUREIMAGE_APPKIT_MODEL"] : nil
let modelsAppKit = modelTests != nil

// Xcode builds all targets of a package. So on other systems, the package does not have the targets that only Linux can build.
let linuxTargets: [Target] = [
  .target(name: "LinuxCodecs", dependencies: ["CImageCodecs"], path: "Sources/Linux/LinuxCodecs"),
  .target(
    name: "CImageCodecs",
    path: "Sources/Linux/CImageCodecs",
    linkerSettings: ["jpeg", "png", "gif", "webp", "webpdemux", "webpmux", "z", "dl", "m"].map { .linkedLibrary($0) }),
  .systemLibrary(
    name: "CCurl", path: "Sources/Linux/CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
  .systemLibrary(
    name: "CContentCoding", path: "Sources/Linux/CContentCoding", pkgConfig: "libbrotlidec",
    providers: [.apt(["zlib1g-dev", "libbrotli-dev"])]),
  .systemLibrary(name: "CCrypto", path: "Sources/Linux/CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
  .target(name: "CLinuxCalls", path: "Sources/Linux/CLinuxCalls")
]

// The modules that provide views on Linux.
let kitTargets: [Target] =
  modelsAppKit
  ? [.target(name: "AppKit", dependencies: ["LinuxCodecs"], path: "Tests/AppKitModel", exclude: ["run"])]
  : [
    .target(name: "UIKitStandIn", dependencies: ["ImageShape"], path: "Sources/Linux/UIKitStandIn"),
    .target(name: "CJPEGReference", path: "Tests/CJPEGReference", linkerSettings: [.linkedLibrary("jpeg")]),
    .testTarget(name: "UIKitStandInTests", dependencies: ["UIKitStandIn", "ImageShape", "LinuxCodecs", "CImageCodecs", "CJPEGReference"])
  ]

let tests: [Target] = [
  .testTarget(name: "FutureImageTests", dependencies: ["FutureImage", "FutureImageCache", "FutureImageTesting"]),
  .testTarget(name: "FutureImageTestingTests", dependencies: ["FutureImageCache", "FutureImageTesting"]),
  .testTarget(name: "UIKitTests", dependencies: ["FutureImage", "FutureImageTesting"]),
  .testTarget(name: "AppKitTests", dependencies: ["FutureImage", "FutureImageTesting"])
].filter { modelTests == nil || modelTests == "all" || modelTests == $0.name }

let package = Package(
  name: "FutureImage",
  platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .visionOS(.v1), .macCatalyst(.v17)],
  products: [
    .library(name: "FutureImage", targets: ["FutureImage"]),
    .library(name: "FutureImageCache", targets: ["FutureImageCache"]),
    .library(name: "FutureImageTesting", targets: ["FutureImageTesting"])
  ],
  targets: [
    .target(
      name: "FutureImage",
      dependencies: isForLinux
        ? [modelsAppKit ? "AppKit" : "UIKitStandIn", "ImageShape", "CCurl", "CContentCoding", "CCrypto", "CLinuxCalls"]
        : [.target(name: "ImageShape", condition: .when(platforms: [.macOS]))]),
    // The class of images on platforms without UIKit.
    .target(name: "ImageShape", dependencies: isForLinux ? ["LinuxCodecs"] + (modelsAppKit ? ["AppKit"] : []) : []),
    .target(name: "FutureImageCache", dependencies: ["FutureImage"]),
    .target(name: "FutureImageTesting", dependencies: ["FutureImage"])
  ] + tests + (isForLinux ? linuxTargets + kitTargets : [])
)
