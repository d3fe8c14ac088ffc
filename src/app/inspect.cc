#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/execute.h"
#include "app/inputs.h"
#include "core/terminal.h"
#include "explain/present.h"
#include "explain/program_text.h"

namespace neo {
namespace {

void print_summary(const Theory& theory, const Inspection& i) {
  const auto used = std::ranges::count_if(i.codes, [](const CodeReport& r) { return r.usage > 0; });
  fmt::print("a theory of {} ({}{}) with {} of {} codes in use\n", printable(theory.info().source, 200),
             describe(theory.space()), theory.info().grouped ? "; trained with groups" : "", used,
             theory.codes());
  if (!i.vocabulary.primitives.empty())
    fmt::print("primitiveness {:.4f}, purity {:.4f} on {} inputs\n", i.vocabulary.primitiveness,
               i.vocabulary.purity, i.vocabulary.inputs);
  fmt::print("{} of {} pairs in {:.2f} steps on average\n\n",
             theory.space().is_categorical() ? fmt::format("explains {:.1f} %", 100 * i.self)
                                             : fmt::format("mean error {:.4f}", i.self),
             i.pairs, i.mean_length);
}

size_t widest(const std::vector<std::string>& texts, size_t least) {
  for (const std::string& text : texts) least = std::max(least, text.size());
  return least;
}

void print_codes(const std::vector<CodeReport>& codes) {
  std::vector<std::string> names, primitives;
  for (const CodeReport& r : codes) {
    names.push_back(r.name.empty() ? "-" : r.name);
    primitives.push_back(r.primitive.empty() ? "-" : printable(r.primitive, 40));
  }
  const size_t name = widest(names, 4), primitive = widest(primitives, 7);
  fmt::print("{:<5} {:<{}}  {:<{}} {:>9} {:>7} {:>7} {:>9}\n", "code", "name", name, "acts as", primitive,
             "agreement", "no-op", "usage", "programs");
  for (size_t i = 0; i < codes.size(); ++i) {
    const CodeReport& r = codes[i];
    fmt::print("{:<5} {:<{}}  {:<{}} {:>9} {:>7.3f} {:>7.3f} {:>9.3f}\n", code_name(r.code), names[i], name,
               primitives[i], primitive, r.primitive.empty() ? "-" : fmt::format("{:.3f}", r.agreement),
               r.unchanged, r.usage, r.programs);
  }
}

// "none", or the relations with the share of inputs on which they hold.
template <typename Text>
void print_relations(const char* title, const std::vector<CodeRelation>& relations, Text&& text) {
  std::string list;
  for (const CodeRelation& r : relations)
    list += fmt::format("{}{} ({:.2f})", list.empty() ? "" : ", ", text(r), r.share);
  fmt::print("{:<15} {}\n", title, list.empty() ? "none" : list);
}

// Where most pairs commute, those that do not are the shorter list.
void print_commuting(const Inspection& i) {
  std::set<std::pair<int64_t, int64_t>> other;
  for (const CodeReport& a : i.codes)
    for (const CodeReport& b : i.codes)
      if (a.code < b.code) other.emplace(a.code, b.code);
  const size_t all = other.size();
  for (const CodeRelation& r : i.relations.commuting) other.erase({r.code, r.others[0]});
  if (2 * other.size() > all) {
    print_relations("commute", i.relations.commuting, [](const CodeRelation& r) {
      return program_text({r.code, r.others[0]});
    });
    return;
  }
  std::string list;
  for (const auto& [a, b] : other) list += (list.empty() ? " but " : ", ") + program_text({a, b});
  fmt::print("{:<15} all pairs{}\n", "commute", list);
}

void print_relations(const Inspection& i) {
  const Relations& r = i.relations;
  const auto joined = [](const char* by) {
    return [by](const CodeRelation& relation) {
      return code_name(relation.code) + by + program_text(relation.others);
    };
  };
  fmt::print("\non {} inputs, with the share of those on which it holds:\n", i.inputs);
  fmt::print("{:<15} {}\n", "no-ops", r.no_ops.empty() ? "none" : program_text(r.no_ops));
  print_relations("duplicates", r.duplicates, joined(" = "));
  print_relations("inverses", r.inverses, [](const CodeRelation& relation) {
    return relation.code == relation.others[0] ? code_name(relation.code) + " of itself"
                                               : program_text({relation.code, relation.others[0]});
  });
  print_commuting(i);
  print_relations("composites", r.composites, joined(" = "));
}

void print_alignment(const Vocabulary& v, const std::vector<CodeReport>& codes) {
  if (v.primitives.empty()) return;
  fmt::print("\nshare of a primitive's inputs on which a code acts as it:\n{:<5}", "");
  for (const std::string& name : v.primitives) fmt::print(" {:>{}}", name, widest({name}, 6));
  fmt::print("\n");
  for (const CodeReport& r : codes) {
    fmt::print("{:<5}", code_name(r.code));
    const auto& row = v.alignment[static_cast<size_t>(r.code)];
    for (size_t p = 0; p < row.size(); ++p) fmt::print(" {:>{}.3f}", row[p], widest({v.primitives[p]}, 6));
    fmt::print("\n");
  }
}

void print_examples(const View& view, const std::vector<CodeReport>& codes) {
  const int width = is_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0;
  for (const CodeReport& report : codes) {
    if (report.examples.empty()) continue;
    fmt::print("\n{}\n", title_of(report));
    fmt::print("{}", terminal_panels(view, panels_of(report).panels, wants_colour(), width));
  }
}

}  // namespace

void execute(const InspectCommand& command) {
  const Theory theory = Theory::open(command.model);
  const View& view = theory.view();
  const Inspection inspection = theory.vocabulary(inspected_pairs(theory, command.data, command.options), command.options);
  if (command.json) {
    fmt::print("{}\n", to_json(inspection, [&](ObservationView o) { return view.json(o); }).dump(2));
  } else {
    print_summary(theory, inspection);
    print_codes(inspection.codes);
    print_relations(inspection);
    print_alignment(inspection.vocabulary, inspection.codes);
    if (!command.pictures.wanted()) print_examples(view, inspection.codes);
  }
  std::vector<PanelRow> rows;
  for (const CodeReport& report : inspection.codes) rows.push_back(panels_of(report));
  write_pictures(command.pictures, view, rows, command.json);
}

}  // namespace neo
