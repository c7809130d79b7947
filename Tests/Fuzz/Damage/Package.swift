// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Damage",
  dependencies: [.package(name: "FutureImage", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Damage", dependencies: [.product(name: "FutureImage", package: "FutureImage")], path: ".", sources: ["main.swift"],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
