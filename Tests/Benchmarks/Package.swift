// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "FutureImage", path: "../..")
  ],
  targets: [
    // What the library is measured against where that is a bare system library: the same work as a plain C program does it.
    .target(
      name: "CReference",
      cSettings: [.treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp"), .linkedLibrary("gif")]
    ),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["CReference", .product(name: "FutureImage", package: "FutureImage")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
