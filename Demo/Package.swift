// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Storefront",
  platforms: [.iOS(.v17), .tvOS(.v17), .visionOS(.v1), .macCatalyst(.v17)],
  products: [
    .library(name: "Storefront", targets: ["Storefront"]),
    .executable(name: "StorefrontGTK", targets: ["StorefrontGTK"])
  ],
  dependencies: [
    .package(name: "FutureImage", path: "..")
  ],
  targets: [
    .target(
      name: "Storefront",
      dependencies: [
        .product(name: "FutureImage", package: "FutureImage"),
        .product(name: "FutureImageTesting", package: "FutureImage")
      ],
      resources: [.copy("Photos"), .copy("placeholder.png")]
    ),
    .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .executableTarget(
      name: "StorefrontGTK",
      dependencies: ["Storefront", "CGtk", .product(name: "FutureImage", package: "FutureImage")],
      resources: [.copy("style.css")]
    ),
    // The program of the page on GTK. Its other files are links to the shop's.
    .executableTarget(name: "PictureWindow", dependencies: ["CGtk", .product(name: "FutureImage", package: "FutureImage")]),
    .testTarget(name: "StorefrontTests", dependencies: ["Storefront", .product(name: "FutureImage", package: "FutureImage")])
  ],
  swiftLanguageModes: [.v6]
)
