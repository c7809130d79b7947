// Facts: Apple docs: NSManagedObject ("nonisolated class", as in the SDKs of Xcode 26), init(entity:insertInto:), init(context:), managedObjectContext,
// objectID, didTurnIntoFault(), NSManagedObjectID; objc2-generated: CoreData (NSManagedObjectID is Send, NSManagedObject is not).
#pragma once
@import Foundation;
NS_ASSUME_NONNULL_BEGIN
#define NONISOLATED __attribute__((swift_attr("nonisolated")))
NONISOLATED @interface NSEntityDescription : NSObject
@end
NONISOLATED @interface NSManagedObjectContext : NSObject
@end
NS_SWIFT_SENDABLE NONISOLATED @interface NSManagedObjectID : NSObject <NSCopying>
@end
NONISOLATED @interface NSManagedObject : NSObject
- (instancetype)initWithEntity:(NSEntityDescription *)entity insertIntoManagedObjectContext:(nullable NSManagedObjectContext *)context NS_SWIFT_NAME(init(entity:insertInto:)) NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithContext:(NSManagedObjectContext *)context;
@property (nonatomic, readonly, nullable, assign) NSManagedObjectContext *managedObjectContext;
@property (nonatomic, readonly, strong) NSManagedObjectID *objectID;
- (void)didTurnIntoFault;
@end
NS_ASSUME_NONNULL_END
