// swift-tools-version: 6.0
import PackageDescription

// To be built by `Tests/Simulation/run` only: the library, too, is compiled for a simulation then.
let package = Package(
  name: "Simulation",
  dependencies: [.package(name: "FutureImage", path: "../..")],
  targets: [
    .target(name: "CMainQueue"),
    .executableTarget(
      name: "Simulation",
      dependencies: [
        "CMainQueue",
        .product(name: "FutureImage", package: "FutureImage"),
        .product(name: "FutureImageTesting", package: "FutureImage")
      ])
  ],
  swiftLanguageModes: [.v6]
)
