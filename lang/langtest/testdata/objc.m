// BEGIN imports
#import <Foundation/Foundation.h>
#import "Table.h"
#include <stdio.h>
@import CoreGraphics;
@class Row, Column;
// END imports

@protocol Source;

/* A table of rows. */
#define LIMIT 64
#define LOG(fmt, ...) \
	NSLog(@"log: " fmt, __VA_ARGS__)

NSString *const TableChanged = @"TableChanged\n";
static NSUInteger capacity = 0x40u;
static double ratio = 1.5e-3f;

@protocol TableSource <NSObject>
@required
- (NSInteger)rowsOfTable:(Table *)table;
@optional
- (void)table:(Table *)table didSelect:(nullable Row *)row;
@end

@interface Table : NSObject <TableSource> {
  @private
    int _count;
  @protected
    NSMutableArray<Row *> *_rows;
}
@property (nonatomic, copy, nullable) NSString *title;
@property (weak) id<TableSource> source;
+ (instancetype)tableWithRows:(NSArray<Row *> *)rows;
@end

@implementation Table
@synthesize title = _title;
@dynamic source;

// BEGIN fragment
- (Row *)rowNamed:(NSString *)name from:(NSUInteger)start
{
    NSUInteger found = NSNotFound;
    for (Row *row in _rows) { // each
        if (row.index < start || ![row.name isEqualToString:name]) {
            continue;
        }
        found = row.index;
        break;
    }
    if (found == NSNotFound && self.source != nil) {
        return [[self.source rows] objectAtIndex:start] ?: nil;
    }
    return found >= 2 ? _rows[found] : @(found).row;
}
// END fragment

- (void)change:(void (^)(Row *row, BOOL *stop))block
{
    __block BOOL changed = NO;
    SEL action = @selector(table:didSelect:);
    NSDictionary *options = @{ @"key" : @1, @"all" : @YES, @"none" : @[ @'c', @(1 + 2) ] };
    @synchronized(self) {
        @autoreleasepool {
            [_rows enumerateObjectsUsingBlock:^(Row *row, NSUInteger i, BOOL *stop) {
                block(row, stop);
                changed = YES;
            }];
        }
    }
    @try {
        [self performSelector:action withObject:options];
    } @catch (NSException *e) {
        @throw;
    } @finally {
        NSLog(@"%s %@", @encode(typeof(self)), @protocol(TableSource));
    }
    if (changed) [[NSNotificationCenter defaultCenter] postNotificationName:TableChanged object:self];
}
@end

int main(int argc, char *argv[])
{
    Table *table = [Table tableWithRows:@[]];
    return table == NULL ? (int)LIMIT : argc % 2;
}
