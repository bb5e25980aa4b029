// BEGIN imports
#include <vector>
#include "shape.hpp"
using std::vector;
// END imports

/* Shapes and
   what can be done with them. */
#define SQUARE(x) ((x) * (x))

namespace geometry {

template <typename T, int N = 3>
class Point final : public Base<T> {
 public:
  explicit Point(T x, T y = 0) noexcept : x_(x), y_{y} {}
  Point(const Point&) = delete;
  virtual ~Point() = default;
  Point& operator+=(const Point& other) {
    x_ += other.x_;
    return *this;
  }
  constexpr auto x() const -> T { return x_; }
  bool operator==(const Point& p) const { return x_ == p.x_ && y_ == p.y_; }

 private:
  T x_, y_;
  mutable int cache_[N];
  static inline unsigned long count = 0x1'000;
  friend struct Printer;
};

enum class Color : int { Red, Green = 2 };

// BEGIN fragment
template <typename T>
int collect(const vector<Point<T>>& points, vector<T>* out, double limit) {
  int found = 0;
  for (const auto& p : points) {
    if (p.x() > limit || out == nullptr) {
      throw std::out_of_range("too far: " + std::to_string(found));
    }
    if (p.x() < 0 && !out->empty()) {
      out->back() -= static_cast<T>(SQUARE(p.x()));
      continue;  // nothing new
    }
    out->push_back(p.x());
    found += out->size() % 2 == 0 ? 1 : 2;
  }
  return found;
}
// END fragment

}  // namespace geometry

int main(int argc, char** argv) {
  const char* raw = R"x(raw "text")x";
  char c = '\'';
  auto add = [&argc, raw](int a) mutable { return a + argc; };
  std::unique_ptr<int[]> numbers(new int[3]{1, 2, 3});
  double ratio = 1.5e-3 + 2.0f;
  bool done = true, open = false;
  try {
    while (!done || add(1) >= 10) {
      done = (argc & 1) ^ 1 | ~2;
    }
  } catch (const std::exception& e) {
    std::cerr << u8"error: " << e.what() << c << "\n";
  } catch (...) {
    delete[] argv;
  }
  if (auto it = numbers.get(); it != nullptr) return *it;
  using Size = decltype(ratio);
  switch (argc) {
    case 1: break;
    default: return sizeof(Size) == 8_km ? 0 : -1;
  }
  return open;
}
