// swift-tools-version: 6.2
import PackageDescription

// The same condition as in the library's manifest.
#if os(Linux)
let isForLinux = true
#else
let isForLinux = Context.environment["FUTUREIMAGE_FOR_LINUX"] != nil
#endif

// Xcode builds all targets of a package, including those of its dependencies, so only Linux has the targets that need GTK.
let linuxProducts: [Product] = [.executable(name: "StorefrontGTK", targets: ["StorefrontGTK"])]
let linuxTargets: [Target] = [
  .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
  .executableTarget(
    name: "StorefrontGTK",
    dependencies: ["Storefront", "CGtk", .product(name: "FutureImage", package: "FutureImage")],
    resources: [.copy("style.css")]
  ),
  // The program on the documentation page about GTK. All its files except `main.swift` are links to files of StorefrontGTK.
  .executableTarget(name: "PictureWindow", dependencies: ["CGtk", .product(name: "FutureImage", package: "FutureImage")])
]

// Xcode also builds this target for iOS. There, the condition around each file excludes its whole content, except in the folder `SwiftUI`,
// whose files have no such condition. That folder is a link to the SwiftUI screens of the app.
let appleTargets: [Target] = [
  .executableTarget(name: "StorefrontMac", dependencies: ["Storefront", .product(name: "FutureImage", package: "FutureImage")])
]

let package = Package(
  name: "Storefront",
  platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .visionOS(.v1), .macCatalyst(.v17)],
  products: [
    .library(name: "Storefront", targets: ["Storefront"])
  ] + (isForLinux ? linuxProducts : []),
  dependencies: [
    .package(name: "FutureImage", path: "..")
  ],
  targets: [
    .target(
      name: "Storefront",
      dependencies: [
        .product(name: "FutureImage", package: "FutureImage"),
        .product(name: "FutureImageCache", package: "FutureImage"),
        .product(name: "FutureImageTesting", package: "FutureImage")
      ],
      resources: [.copy("Photos"), .copy("placeholder.png")]
    ),
    .testTarget(
      name: "StorefrontTests",
      dependencies: [
        "Storefront", .product(name: "FutureImage", package: "FutureImage"), .product(name: "FutureImageCache", package: "FutureImage")
      ])
  ] + (isForLinux ? linuxTargets : appleTargets),
  swiftLanguageModes: [.v6]
)
