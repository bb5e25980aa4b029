// BEGIN imports
#import "Renderer.h"
#include <vector>
using std::vector;
@class Layer;
// END imports

/* Draws
   layers. */
#define SQUARE(x) ((x) * (x))

namespace drawing {

template <typename T, int N = 3>
struct Buffer final {
  explicit Buffer(T x) : x_(x) {}
  virtual ~Buffer() = default;
  T x_;
};

}  // namespace drawing

static const char *name = u8"layer";
static NSString *const key = @"key";

@interface Renderer ()
@property (nonatomic) BOOL ready;
@end

@implementation Renderer {
  std::vector<Layer *> _layers;
  unsigned long _count;
}

// BEGIN fragment
- (CGFloat)widthOfLayers:(NSArray<Layer *> *)layers scale:(CGFloat)scale
{
  CGFloat width = 0.5f;
  for (Layer *layer in layers) {
    if (layer.hidden || layer == nil) {
      continue;  // nothing to draw
    }
    width += SQUARE(layer.frame.size.width) * scale;
  }
  auto last = std::max_element(_layers.begin(), _layers.end(), [](Layer *a, Layer *b) { return a.width < b.width; });
  return last != _layers.end() && width > 10 ? width : [*last width];
}
// END fragment

- (void)draw
{
  auto *buffer = new drawing::Buffer<int>(1 << 4);
  dispatch_async(dispatch_get_main_queue(), ^{
    self.ready = YES;
    delete buffer;
  });
  if (this_is_not_set == nullptr || _count != 0x10) {
    @throw [NSException exceptionWithName:key reason:@"no layers" userInfo:nil];
  }
}
@end
