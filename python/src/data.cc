#include "data.h"

#include <nanobind/operators.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "arrays.h"
#include "benchmark/split_files.h"
#include "core/error.h"
#include "data/import.h"
#include "long_call.h"
#include "view/panels.h"
#include "view/predictions.h"
#include "view/view.h"

namespace neo::python {
namespace {

ImportOptions import_options(const std::string& layout, int64_t values, int64_t least_lag, int64_t most_lag,
                             const std::string& group, const std::string& field, double hold_out) {
  ImportOptions options{.values = values,
                        .least_lag = least_lag,
                        .most_lag = most_lag,
                        .group = group,
                        .field = field,
                        .hold_out = hold_out,
                        .is_quiet = true};
  if (!layout.empty()) options.as = layout_named(layout);
  return options;
}

std::string import_from(const std::vector<std::filesystem::path>& sources, const std::filesystem::path& out,
                        uint64_t seed, ImportOptions options, nb::object progress) {
  options.sources = sources;
  options.out = out;
  options.seed = seed;
  LongCall call(std::move(progress));
  return call.run([&] { return import_pairs(options).json().dump(); });
}

// (x, y, group, program, description): the pairs of one part of a file.
nb::tuple read_pairs(const std::filesystem::path& path, bool held_out) {
  PairReader reader(path);
  const PairFileInfo info = reader.info();
  const Part part = held_out ? Part::held_out : Part::main;
  PairBlock block = [&] {
    nb::gil_scoped_release unlocked;
    return reader.read(part, 0, reader.count(part));
  }();
  const auto count = static_cast<size_t>(block.count);
  const nlohmann::json about{{"split", info.split},  {"source", info.source},   {"benchmark", info.benchmark},
                             {"alpha", info.alpha},  {"grouped", info.grouped}, {"programs", info.programs},
                             {"digest", info.digest}};
  return nb::make_tuple(info.space, to_numpy(info.space, std::move(block.x), count),
                        to_numpy(info.space, std::move(block.y), count), to_numpy(std::move(block.group)),
                        to_numpy(std::move(block.program)), about.dump());
}

void write_pairs(const std::filesystem::path& path, const Space& space, const Numbers& x, const Numbers& y,
                 const std::vector<int32_t>& group, const std::vector<std::string>& program,
                 const std::vector<bool>& held_out, const std::string& source) {
  check_space(space, path.string());
  const auto before = observations_of(space, x), after = observations_of(space, y);
  if (before.size() != after.size())
    fail_usage("pairs need as many x as y; here are {} and {}", before.size(), after.size());
  nb::gil_scoped_release unlocked;
  PairWriter writer(path, {.space = space, .source = source, .grouped = !group.empty()});
  for (size_t i = 0; i < before.size(); ++i)
    writer.add({before[i], after[i], group.empty() ? -1 : group.at(i), program.empty() ? "" : program.at(i)},
               !held_out.empty() && held_out.at(i) ? Part::held_out : Part::main);
  writer.finish();
}

// An observation in a form other than the space's own: of another type, or smaller where the space is padded.
nb::object encode(const Space& space, const Numbers& numbers) {
  const Observation observation = make_view(space)->from_numbers(to_array(numbers));
  return to_numpy(space, observation, 0);
}

nb::object parse(const Space& space, const std::string& text) {
  return to_numpy(space, make_view(space)->parse(text), 0);
}

std::string text_of(const Space& space, const Numbers& numbers) {
  const auto observations = observations_of(space, numbers);
  const nlohmann::json json = make_view(space)->json(observations.at(0));
  return json.is_string() ? json.get<std::string>() : json.dump();
}

std::string score(const Space& space, const Numbers& predictions, const Numbers& truth) {
  return to_json(score_predictions(space, observations_of(space, predictions), observations_of(space, truth)))
      .dump();
}

// One row per entry: its title, then each x with the y that it became.
std::string draw_pairs(const Space& space, const std::vector<std::string>& titles,
                       const std::vector<Numbers>& before, const std::vector<Numbers>& after) {
  std::vector<PanelRow> rows;
  for (size_t i = 0; i < titles.size(); ++i) {
    const auto x = observations_of(space, before.at(i)), y = observations_of(space, after.at(i));
    PanelRow row{titles[i], {}};
    for (size_t k = 0; k < x.size(); ++k) {
      row.panels.push_back({.caption = "x", .observation = x[k], .apart = k > 0});
      row.panels.push_back({.caption = "y", .observation = y.at(k), .arrow = true});
    }
    rows.push_back(std::move(row));
  }
  return draw_panels_svg(*make_view(space), rows).svg();
}

std::string make_split(const std::string& benchmark, double alpha, const std::string& split, int64_t episodes,
                       const std::filesystem::path& folder, const std::filesystem::path& pictures,
                       nb::object progress) {
  const Benchmark* found = find_benchmark(benchmark);
  if (!found) fail_usage("there is no benchmark '{}'", benchmark);
  DataRequest request{.alpha = alpha, .profile = profile_of(split), .episodes = episodes};
  if (!pictures.empty()) request.pictures = pictures;
  LongCall call(std::move(progress));
  return call.run([&] {
    make_splits(*found, request, folder, [](const MadeSplit&) {});
    return (folder / (split + ".h5")).string();
  });
}

}  // namespace

void bind_data(nb::module_& m) {
  nb::class_<Space>(m, "Space", "What an observation is.")
      .def_prop_ro(
          "kind", [](const Space& s) { return std::string(kind_name(s.kind)); },
          "categorical, pixels or real")
      .def_prop_ro(
          "layout", [](const Space& s) { return std::string(layout_name(s.layout)); },
          "grid, sequence, number, image or vector")
      .def_ro("values", &Space::values, "how many values an element has: one number, or one per channel")
      .def_ro("padded", &Space::padded, "the last value stands for \"nothing here\"")
      .def_ro("symbols", &Space::symbols, "how values are written, where that is not their number")
      .def_prop_ro("shape", [](const Space& s) { return nb::tuple(nb::cast(s.shape)); })
      .def_prop_ro("size", &Space::size, "number of elements")
      .def_prop_ro("json", [](const Space& s) { return to_json(s).dump(); })
      .def_static("from_json",
                  [](const std::string& text) {
                    return space_from_json(nlohmann::json::parse(text, nullptr, false), "the space");
                  })
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__str__", [](const Space& s) { return describe(s); })
      .def("__repr__", [](const Space& s) { return fmt::format("<Space: {}>", describe(s)); });
  nb::class_<ImportOptions>(m, "ImportOptions")
      .def(
          "__init__",
          [](ImportOptions* self, const std::string& layout, int64_t values, int64_t least_lag,
             int64_t most_lag, const std::string& group, const std::string& field, double hold_out) {
            new (self)
                ImportOptions(import_options(layout, values, least_lag, most_lag, group, field, hold_out));
          },
          nb::arg("layout"), nb::arg("values"), nb::arg("least_lag"), nb::arg("most_lag"), nb::arg("group"),
          nb::arg("field"), nb::arg("hold_out"));
  m.def("import_pairs", &import_from, nb::arg("sources"), nb::arg("out"), nb::arg("seed"), nb::arg("options"),
        nb::arg("progress").none());
  m.def("read_pairs", &read_pairs, nb::arg("path"), nb::arg("held_out"));
  m.def("write_pairs", &write_pairs, nb::arg("path"), nb::arg("space"), nb::arg("x"), nb::arg("y"),
        nb::arg("group"), nb::arg("program"), nb::arg("held_out"), nb::arg("source"));
  m.def("encode", &encode, nb::arg("space"), nb::arg("numbers"));
  m.def("parse", &parse, nb::arg("space"), nb::arg("text"));
  m.def("text", &text_of, nb::arg("space"), nb::arg("numbers"));
  m.def("score_predictions", &score, nb::arg("space"), nb::arg("predictions"), nb::arg("truth"));
  m.def("draw_pairs", &draw_pairs, nb::arg("space"), nb::arg("titles"), nb::arg("before"), nb::arg("after"));
  m.def("make_split", &make_split, nb::arg("benchmark"), nb::arg("alpha"), nb::arg("split"),
        nb::arg("episodes"), nb::arg("folder"), nb::arg("pictures"), nb::arg("progress").none());
}

}  // namespace neo::python
