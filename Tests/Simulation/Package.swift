// swift-tools-version: 6.2
import PackageDescription

// Build this package only with `Tests/Simulation/run`, which also compiles the library for a simulation.
let package = Package(
  name: "Simulation",
  dependencies: [.package(name: "FutureImage", path: "../..")],
  targets: [
    .target(name: "CMainQueue"),
    .target(name: "CServer"),
    .executableTarget(
      name: "Simulation",
      dependencies: [
        "CMainQueue",
        "CServer",
        .product(name: "FutureImage", package: "FutureImage"),
        .product(name: "FutureImageCache", package: "FutureImage"),
        .product(name: "FutureImageTesting", package: "FutureImage")
      ])
  ],
  swiftLanguageModes: [.v6]
)
