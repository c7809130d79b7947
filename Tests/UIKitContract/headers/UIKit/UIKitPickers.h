// The pasteboard and the camera. Facts: objc2-generated: UIKit/UIPasteboard.rs (Send), UIImagePickerController.rs (MainThreadOnly); Apple docs:
// same pages. Neither is on tvOS.
#pragma once
#include "UIKitText.h"
NS_ASSUME_NONNULL_BEGIN
typedef NSString *UIPasteboardName NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(UIPasteboard.Name);
typedef NSString *UIPasteboardOption NS_TYPED_ENUM NS_SWIFT_NAME(UIPasteboard.OptionsKey);
// Sendable and not isolated, so that any thread may use it.
NOT_ON_TVOS NS_SWIFT_SENDABLE
@interface UIPasteboard : NSObject
@property (class, nonatomic, readonly) UIPasteboard *generalPasteboard NS_SWIFT_NAME(general);
+ (nullable UIPasteboard *)pasteboardWithName:(UIPasteboardName)pasteboardName create:(BOOL)create;
+ (UIPasteboard *)pasteboardWithUniqueName NS_SWIFT_NAME(withUniqueName());
@property (readonly, nonatomic) UIPasteboardName name;
@property (readonly, nonatomic) NSInteger changeCount;
@property (nonatomic, copy) NSArray<__kindof NSItemProvider *> *itemProviders;
- (void)setItemProviders:(NSArray<NSItemProvider *> *)itemProviders localOnly:(BOOL)localOnly expirationDate:(nullable NSDate *)expirationDate;
- (void)setObjects:(NSArray<id<NSItemProviderWriting>> *)objects;
@property (nonatomic, readonly) NSArray<NSString *> *pasteboardTypes NS_SWIFT_NAME(types);
- (BOOL)containsPasteboardTypes:(NSArray<NSString *> *)pasteboardTypes NS_SWIFT_NAME(contains(pasteboardTypes:));
- (nullable NSData *)dataForPasteboardType:(NSString *)pasteboardType;
- (nullable id)valueForPasteboardType:(NSString *)pasteboardType;
- (void)setValue:(id)value forPasteboardType:(NSString *)pasteboardType;
- (void)setData:(NSData *)data forPasteboardType:(NSString *)pasteboardType;
@property (readonly, nonatomic) NSInteger numberOfItems;
@property (nonatomic, copy) NSArray<NSDictionary<NSString *, id> *> *items;
- (void)addItems:(NSArray<NSDictionary<NSString *, id> *> *)items;
- (void)setItems:(NSArray<NSDictionary<NSString *, id> *> *)items options:(NSDictionary<UIPasteboardOption, id> *)options;
@property (nullable, nonatomic, copy) NSString *string;
@property (nullable, nonatomic, copy) NSArray<NSString *> *strings;
@property (nullable, nonatomic, copy) NSURL *URL;
@property (nullable, nonatomic, copy) NSArray<NSURL *> *URLs;
@property (nullable, nonatomic, copy) UIImage *image;
@property (nullable, nonatomic, copy) NSArray<UIImage *> *images;
@property (nullable, nonatomic, copy) UIColor *color;
@property (nonatomic, readonly) BOOL hasStrings;
@property (nonatomic, readonly) BOOL hasURLs;
@property (nonatomic, readonly) BOOL hasImages;
@property (nonatomic, readonly) BOOL hasColors;
@end
#ifndef CONTRACT_PLATFORM_TVOS
extern NSNotificationName const UIPasteboardChangedNotification NS_SWIFT_NAME(UIPasteboard.changedNotification) NS_SWIFT_NONISOLATED;
#endif
typedef NSString *UIImagePickerControllerInfoKey NS_TYPED_ENUM NS_SWIFT_NAME(UIImagePickerController.InfoKey);
typedef NS_ENUM(NSInteger, UIImagePickerControllerSourceType) { UIImagePickerControllerSourceTypePhotoLibrary, UIImagePickerControllerSourceTypeCamera, UIImagePickerControllerSourceTypeSavedPhotosAlbum } NS_SWIFT_NAME(UIImagePickerController.SourceType);
typedef NS_ENUM(NSInteger, UIImagePickerControllerCameraDevice) { UIImagePickerControllerCameraDeviceRear, UIImagePickerControllerCameraDeviceFront } NS_SWIFT_NAME(UIImagePickerController.CameraDevice);
@class UIImagePickerController;
NOT_ON_TVOS NS_SWIFT_UI_ACTOR
@protocol UIImagePickerControllerDelegate <NSObject>
@optional
- (void)imagePickerController:(UIImagePickerController *)picker didFinishPickingMediaWithInfo:(NSDictionary<UIImagePickerControllerInfoKey, id> *)info;
- (void)imagePickerControllerDidCancel:(UIImagePickerController *)picker;
@end
NOT_ON_TVOS NS_SWIFT_UI_ACTOR
@interface UIImagePickerController : UINavigationController <NSCoding>
+ (BOOL)isSourceTypeAvailable:(UIImagePickerControllerSourceType)sourceType;
+ (nullable NSArray<NSString *> *)availableMediaTypesForSourceType:(UIImagePickerControllerSourceType)sourceType NS_SWIFT_NAME(availableMediaTypes(for:));
+ (BOOL)isCameraDeviceAvailable:(UIImagePickerControllerCameraDevice)cameraDevice NOT_ON_VISIONOS;
@property (nullable, nonatomic, weak) id<UINavigationControllerDelegate, UIImagePickerControllerDelegate> delegate;
@property (nonatomic) UIImagePickerControllerSourceType sourceType;
@property (nonatomic, copy) NSArray<NSString *> *mediaTypes;
@property (nonatomic) BOOL allowsEditing;
@property (nonatomic) BOOL showsCameraControls NOT_ON_VISIONOS;
@property (nullable, nonatomic, strong) UIView *cameraOverlayView NOT_ON_VISIONOS;
@property (nonatomic) UIImagePickerControllerCameraDevice cameraDevice NOT_ON_VISIONOS;
- (void)takePicture NOT_ON_VISIONOS;
@end
NS_ASSUME_NONNULL_END
