#include "data/infer_space.h"

#include "core/error.h"
#include "core/text.h"

namespace neo {
namespace {

constexpr size_t kMostSymbols = 1024;

std::string remedy_for_digits(int largest) {
  for (int base : {10, 16, 36})
    if (largest < base) return fmt::format("--values {}", base);
  return "another --as";
}

Encoding digits_encoding(const TextProfile& seen, const SpaceWishes& wishes) {
  const int64_t base = wishes.values > 0 ? wishes.values : 10;
  if (!seen.all_based)
    fail("{} is no number in base {}; leave it out, or give {}", seen.no_digits_where, base,
         remedy_for_digits(seen.largest_digit));
  Encoding encoding{.space = {.layout = Layout::number, .shape = {seen.most_digits}, .values = {base}},
                    .text = TextForm::digits};
  check_space(encoding.space, seen.longest_where.empty() ? "these numbers" : seen.longest_where);
  return encoding;
}

Encoding characters_encoding(const TextProfile& seen, const SpaceWishes& wishes, Remarks& remarks) {
  const size_t most = wishes.values > 0 ? static_cast<size_t>(wishes.values) : kMostSymbols;
  if (seen.alphabet.size() > most)
    fail("{} brings the number of different symbols to over {}; {}", seen.alphabet_where, most,
         wishes.values > 0 ? "give a larger --values" : "a sequence has up to 1024");
  Encoding encoding{.text = TextForm::characters};
  Space& space = encoding.space;
  space.layout = Layout::sequence;
  space.shape = {seen.most_tokens};
  space.symbols.assign(seen.alphabet.begin(), seen.alphabet.end());
  for (size_t i = 0; i < space.symbols.size(); ++i)
    encoding.token_of[space.symbols[i]] = static_cast<int64_t>(i);
  if (seen.least_tokens != seen.most_tokens) {
    space.padded = true;
    space.symbols.emplace_back();
    remarks.notes.push_back(
        fmt::format("shorter sequences were padded to {} at their end", seen.most_tokens));
  }
  space.values = {static_cast<int64_t>(space.symbols.size())};
  check_space(space, seen.most_tokens_where);
  return encoding;
}

Encoding list_encoding(const TextProfile& seen, SpaceWishes wishes, Layout layout, Remarks& remarks) {
  wishes.as = layout;
  Encoding encoding = infer_from_arrays(seen.lists, wishes, remarks);
  encoding.text = TextForm::list;
  return encoding;
}

}  // namespace

Encoding infer_from_texts(const TextProfile& seen, const SpaceWishes& wishes, Remarks& remarks) {
  if (!seen.not_finite_where.empty() && seen.others_are_numbers && wishes.as != Layout::sequence)
    fail("{} is no finite number; leave the row out", seen.not_finite_where);
  if (const std::string where = seen.stray_text(); !wishes.as && !where.empty())
    fail("{} is no number, and most others are; correct the row, or give --as sequence", where);
  const bool are_lists = seen.all_lists && !seen.all_numbers;
  const bool are_token_lists = are_lists && !seen.lists.is_stored_real && seen.lists.is_category();
  if (wishes.as) {
    switch (*wishes.as) {
      case Layout::number:
        return digits_encoding(seen, wishes);
      case Layout::vector:
        if (!seen.all_lists)
          fail("{} is no list of numbers; leave it out, or give another --as", seen.no_list_where);
        return list_encoding(seen, wishes, Layout::vector, remarks);
      case Layout::sequence:
        if (are_token_lists) return list_encoding(seen, wishes, Layout::sequence, remarks);
        return characters_encoding(seen, wishes, remarks);
      default:
        fail("text cannot be read as {} {}; give nested lists of numbers",
             *wishes.as == Layout::image ? "an" : "a", layout_name(*wishes.as));
    }
  }
  if (seen.all_digits) return digits_encoding(seen, wishes);
  if (seen.all_numbers) {
    remarks.notes.push_back("numbers with a sign or a fraction were taken as vectors of one real number");
    return list_encoding(seen, wishes, Layout::vector, remarks);
  }
  if (are_lists && !seen.comma_text.empty())
    remarks.notes.push_back(fmt::format("texts like '{}' were taken as lists; write single numbers without a comma",
                                        printable(seen.comma_text, 20)));
  if (are_lists)
    return list_encoding(seen, wishes, are_token_lists ? Layout::sequence : Layout::vector, remarks);
  return characters_encoding(seen, wishes, remarks);
}

void SpaceInference::add(const RawValue& value, const char* side) {
  std::string& first = value.is_text() ? first_text_ : first_array_;
  if (first.empty()) first = place_of(value, side);
  if (!first_text_.empty() && !first_array_.empty())
    fail("{} is a list of numbers and {} is not; give all in one form", first_array_, first_text_);
  if (value.is_text())
    texts_.add(value, side, wishes_.values > 0 ? wishes_.values : 10,
               wishes_.values > 0 ? static_cast<size_t>(wishes_.values) : kMostSymbols);
  else
    arrays_.add(value.shape, value.values, value, side);
}

Encoding SpaceInference::finish(Remarks& remarks) const {
  return first_text_.empty() ? infer_from_arrays(arrays_, wishes_, remarks)
                             : infer_from_texts(texts_, wishes_, remarks);
}

}  // namespace neo
