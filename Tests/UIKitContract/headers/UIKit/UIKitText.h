// Text with images. Facts: objc2-generated: UIKit/NSTextAttachment.rs, NSTextStorage.rs, NSLayoutManager.rs, NSTextContainer.rs (neither
// isolated nor Sendable), UITextView.rs (MainThreadOnly); Apple docs: same pages.
#pragma once
#include "UIKitControllers.h"
NS_ASSUME_NONNULL_BEGIN
@class NSLayoutManager, NSTextContainer, NSTextStorage, UITextView;
@interface NSTextContainer : NSObject
- (instancetype)initWithSize:(CGSize)size NS_DESIGNATED_INITIALIZER;
@property (nullable, nonatomic, assign) NSLayoutManager *layoutManager;
@property (nonatomic) CGSize size;
@property (nonatomic, copy) NSArray<UIBezierPath *> *exclusionPaths;
@property (nonatomic) NSLineBreakMode lineBreakMode;
@property (nonatomic) CGFloat lineFragmentPadding;
@property (nonatomic) NSUInteger maximumNumberOfLines;
@end
@interface NSLayoutManager : NSObject
- (instancetype)init NS_DESIGNATED_INITIALIZER;
@property (nullable, assign) NSTextStorage *textStorage;
@property (readonly, nonatomic) NSArray<NSTextContainer *> *textContainers;
- (void)addTextContainer:(NSTextContainer *)container;
- (void)invalidateLayoutForCharacterRange:(NSRange)charRange actualCharacterRange:(nullable NSRange *)actualCharRange;
- (void)invalidateDisplayForCharacterRange:(NSRange)charRange;
- (void)ensureLayoutForTextContainer:(NSTextContainer *)container NS_SWIFT_NAME(ensureLayout(for:));
- (CGRect)usedRectForTextContainer:(NSTextContainer *)container NS_SWIFT_NAME(usedRect(for:));
@end
@interface NSTextStorage : NSMutableAttributedString
@property (readonly, copy, nonatomic) NSArray<NSLayoutManager *> *layoutManagers;
- (void)addLayoutManager:(NSLayoutManager *)aLayoutManager;
- (void)removeLayoutManager:(NSLayoutManager *)aLayoutManager;
@end
@protocol NSTextAttachmentContainer <NSObject>
- (nullable UIImage *)imageForBounds:(CGRect)imageBounds textContainer:(nullable NSTextContainer *)textContainer characterIndex:(NSUInteger)charIndex NS_SWIFT_NAME(image(forBounds:textContainer:characterIndex:));
- (CGRect)attachmentBoundsForTextContainer:(nullable NSTextContainer *)textContainer proposedLineFragment:(CGRect)lineFrag glyphPosition:(CGPoint)position characterIndex:(NSUInteger)charIndex NS_SWIFT_NAME(attachmentBounds(for:proposedLineFragment:glyphPosition:characterIndex:));
@end
@interface NSTextAttachment : NSObject <NSTextAttachmentContainer, NSSecureCoding>
- (instancetype)initWithData:(nullable NSData *)contentData ofType:(nullable NSString *)uti NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
+ (instancetype)textAttachmentWithImage:(UIImage *)image NS_SWIFT_NAME(init(image:));
@property (nullable, copy, nonatomic) NSData *contents;
@property (nullable, copy, nonatomic) NSString *fileType;
@property (nullable, strong, nonatomic) UIImage *image;
@property (nonatomic) CGRect bounds;
@property (nonatomic) CGFloat lineLayoutPadding;
@property (nonatomic) BOOL allowsTextAttachmentView;
@end
@interface NSAttributedString (NSAttributedStringAttachmentConveniences)
+ (NSAttributedString *)attributedStringWithAttachment:(NSTextAttachment *)attachment NS_SWIFT_NAME(init(attachment:));
@end
NS_SWIFT_UI_ACTOR
@protocol UITextViewDelegate <NSObject, UIScrollViewDelegate>
@optional
- (BOOL)textViewShouldBeginEditing:(UITextView *)textView;
- (void)textViewDidBeginEditing:(UITextView *)textView;
- (void)textViewDidEndEditing:(UITextView *)textView;
- (BOOL)textView:(UITextView *)textView shouldChangeTextInRange:(NSRange)range replacementText:(NSString *)text;
- (void)textViewDidChange:(UITextView *)textView;
- (void)textViewDidChangeSelection:(UITextView *)textView;
@end
NS_SWIFT_UI_ACTOR
@interface UITextView : UIScrollView
- (instancetype)initWithFrame:(CGRect)frame textContainer:(nullable NSTextContainer *)textContainer NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
+ (instancetype)textViewUsingTextLayoutManager:(BOOL)usingTextLayoutManager NS_SWIFT_NAME(init(usingTextLayoutManager:));
@property (nullable, nonatomic, weak) id<UITextViewDelegate> delegate;
@property (null_resettable, nonatomic, copy) NSString *text;
@property (nullable, nonatomic, strong) UIFont *font;
@property (nullable, nonatomic, strong) UIColor *textColor;
@property (nonatomic) NSTextAlignment textAlignment;
@property (nonatomic) NSRange selectedRange;
@property (nonatomic, getter=isEditable) BOOL editable NOT_ON_TVOS;
@property (nonatomic, getter=isSelectable) BOOL selectable;
@property (nonatomic) BOOL allowsEditingTextAttributes;
@property (nonatomic) BOOL adjustsFontForContentSizeCategory;
@property (null_resettable, copy) NSAttributedString *attributedText;
@property (nonatomic, copy) NSDictionary<NSAttributedStringKey, id> *typingAttributes;
@property (null_resettable, nonatomic, copy) NSDictionary<NSAttributedStringKey, id> *linkTextAttributes;
- (void)scrollRangeToVisible:(NSRange)range;
@property (nonatomic, readonly) NSTextContainer *textContainer;
@property (nonatomic) UIEdgeInsets textContainerInset;
@property (nonatomic, readonly) NSLayoutManager *layoutManager;
@property (nonatomic, readonly, strong) NSTextStorage *textStorage;
@end
NS_ASSUME_NONNULL_END
