// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "FutureImage", path: "../..")
  ],
  targets: [
    // A plain C program that does the same work with the system's libraries alone. The benchmarks compare the library with it.
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
