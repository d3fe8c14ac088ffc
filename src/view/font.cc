#include "view/font.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <cmath>
#include <map>

#include "core/embedded.h"
#include "core/error.h"

namespace neo {
namespace {

// FreeType's objects are for one thread.
class Face {
 public:
  Face() {
    const std::string_view file = embedded_file("DejaVuSansMono.ttf");
    if (FT_Init_FreeType(&library_) != 0 ||
        FT_New_Memory_Face(library_, reinterpret_cast<const FT_Byte*>(file.data()), static_cast<FT_Long>(file.size()), 0, &face_) != 0)
      fail("cannot open the font that this binary was built with; build neo again");
  }
  ~Face() { FT_Done_FreeType(library_); }  // and its face
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;

  Glyph render(char32_t character, double size) {
    constexpr double kUnits = 64;  // of a pixel
    Glyph glyph;
    FT_Set_Char_Size(face_, 0, std::lround(kUnits * size), /*dots per inch=*/72, 72);
    if (FT_Load_Char(face_, character, FT_LOAD_RENDER) != 0) return glyph;
    const FT_GlyphSlot slot = face_->glyph;
    glyph.left = slot->bitmap_left;
    glyph.top = slot->bitmap_top;
    glyph.width = static_cast<int>(slot->bitmap.width);
    for (unsigned row = 0; row < slot->bitmap.rows; ++row) {
      const uint8_t* line = slot->bitmap.buffer + static_cast<ptrdiff_t>(row) * slot->bitmap.pitch;
      glyph.cover.insert(glyph.cover.end(), line, line + slot->bitmap.width);
    }
    return glyph;
  }

 private:
  FT_Library library_ = nullptr;
  FT_Face face_ = nullptr;
};

}  // namespace

const Glyph& glyph_of(char32_t character, double size) {
  thread_local Face face;
  thread_local std::map<std::pair<char32_t, double>, Glyph> known;
  const auto [entry, is_new] = known.try_emplace({character, size});
  if (is_new) entry->second = face.render(character, size);
  return entry->second;
}

}  // namespace neo
