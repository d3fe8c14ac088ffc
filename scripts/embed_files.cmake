# Writes ${OUT}: ${FILES} as bytes in the binary under ${NAMES}, see core/embedded.h.
# cmake -DFILES="dir/a;dir/b" -DNAMES="a;b" -DOUT=... -P this
# The assembler reads the files itself: a string literal of a megabyte costs the compiler seconds.
set(code "#include \"core/embedded.h\"\n\n#include \"core/error.h\"\n\n")
set(table "")
set(names "")
foreach(file name IN ZIP_LISTS FILES NAMES)
  string(MAKE_C_IDENTIFIER "neo_embedded_${name}" symbol)
  file(SHA256 ${file} digest)  # so that a changed file is changed source code
  string(APPEND code "// ${digest}\nasm(\".pushsection .rodata\\n.global ${symbol}\\n${symbol}:\\n.incbin \\\"${file}\\\"\\n\"\n"
                     "    \".global ${symbol}_end\\n${symbol}_end:\\n.byte 0\\n.popsection\\n\");\n"
                     "extern \"C\" const char ${symbol}[], ${symbol}_end[];\n\n")
  string(APPEND table "  if (name == \"${name}\") return {${symbol}, static_cast<size_t>(${symbol}_end - ${symbol})};\n")
  string(APPEND names "\"${name}\", ")
endforeach()
string(APPEND code "namespace neo {\nstd::string_view embedded_file(std::string_view name) {\n${table}"
                   "  fail(\"this binary was built without {}\", name);\n}\n"
                   "std::vector<std::string> embedded_names() { return {${names}}; }\n}  // namespace neo\n")
file(WRITE ${OUT} "${code}")
