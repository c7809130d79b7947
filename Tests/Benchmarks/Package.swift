// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "FutureImage", path: "../..")
  ],
  targets: [
    // The reference if the library is compared with a bare system library: a plain C program that does the same work.
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
