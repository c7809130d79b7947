@_exported import CoreData
@_exported import Foundation
