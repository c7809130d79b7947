// Declarations that load a picked photo. Facts: Apple docs: CoreTransferable (each declaration's page). SwiftUI exports it.
import Foundation
import UniformTypeIdentifiers

public protocol TransferRepresentation<Item>: Sendable { associatedtype Item: Transferable }
@preconcurrency public protocol Transferable: Sendable {
  associatedtype Representation: TransferRepresentation
  @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}
@resultBuilder public struct TransferRepresentationBuilder<Item: Transferable> {
  public static func buildExpression<Content: TransferRepresentation>(_ content: Content) -> Content where Content.Item == Item { content }
  public static func buildBlock<Content: TransferRepresentation>(_ content: Content) -> Content where Content.Item == Item { content }
}
public struct DataRepresentation<Item: Transferable>: TransferRepresentation {
  public init(contentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data, importing: @escaping @Sendable (Data) async throws -> Item) {}
  public init(exportedContentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data) {}
  public init(importedContentType: UTType, importing: @escaping @Sendable (Data) async throws -> Item) {}
}
extension Data: Transferable { public static var transferRepresentation: DataRepresentation<Data> { fatalError() } }
extension String: Transferable { public static var transferRepresentation: DataRepresentation<String> { fatalError() } }
extension URL: Transferable { public static var transferRepresentation: DataRepresentation<URL> { fatalError() } }
