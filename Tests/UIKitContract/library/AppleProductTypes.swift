import PackageDescription

// Declarations of the module AppleProductTypes, which the manifest of the demo's app imports. Only Apple's toolchains have this module.
// Bodies are dummies. The declarations come from SwiftPM (Sources/AppleProductTypes/Product.swift, Sources/PackageModel/Product.swift) and
// from manifests that Xcode writes.
public enum ProductSetting {
  public enum IOSAppInfo {
    public struct AppIcon: Sendable {
      public struct PlaceholderIcon: Sendable { public static let images = PlaceholderIcon() }
      public static func placeholder(icon: PlaceholderIcon) -> AppIcon { AppIcon() }
      public static func asset(_ name: String) -> AppIcon { AppIcon() }
    }
    public struct AccentColor: Sendable {
      public struct PresetColor: Sendable { public static let orange = PresetColor() }
      public static func presetColor(_ color: PresetColor) -> AccentColor { AccentColor() }
      public static func asset(_ name: String) -> AccentColor { AccentColor() }
    }
    public enum DeviceFamily: Sendable { case phone, pad, mac }
    public struct DeviceFamilyCondition: Sendable {
      public static func when(deviceFamilies: [DeviceFamily]) -> DeviceFamilyCondition { DeviceFamilyCondition() }
    }
    public struct InterfaceOrientation: Sendable {
      public static let portrait = InterfaceOrientation(), landscapeLeft = portrait, landscapeRight = portrait
      public static func portraitUpsideDown(_ condition: DeviceFamilyCondition? = nil) -> InterfaceOrientation { portrait }
    }
    public struct Capability: Sendable {}
    public struct AppCategory: Sendable {}
  }
}
extension Product {
  public static func iOSApplication(
    name: String, targets: [String], bundleIdentifier: String? = nil, teamIdentifier: String? = nil, displayVersion: String? = nil,
    bundleVersion: String? = nil, appIcon: ProductSetting.IOSAppInfo.AppIcon? = nil,
    accentColor: ProductSetting.IOSAppInfo.AccentColor? = nil, supportedDeviceFamilies: [ProductSetting.IOSAppInfo.DeviceFamily],
    supportedInterfaceOrientations: [ProductSetting.IOSAppInfo.InterfaceOrientation],
    capabilities: [ProductSetting.IOSAppInfo.Capability] = [], appCategory: ProductSetting.IOSAppInfo.AppCategory? = nil,
    additionalInfoPlistContentFilePath: String? = nil
  ) -> Product { .executable(name: name, targets: targets) }
}
