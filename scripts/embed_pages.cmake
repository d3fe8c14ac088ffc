# Writes ${OUT}: the pages ${DIR}/*.html as bytes in the binary.  cmake -DDIR=... -DOUT=... -P this
# The assembler reads the files itself: a string literal of a megabyte costs the compiler seconds.
file(GLOB pages ${DIR}/*.html)
set(code "#include \"core/pages.h\"\n\n#include \"core/error.h\"\n\n")
set(table "")
foreach(page ${pages})
  get_filename_component(name ${page} NAME_WLE)
  file(SHA256 ${page} digest)  # so that a changed page is a changed source file
  string(APPEND code "// ${digest}\nasm(\".pushsection .rodata\\n.global neo_page_${name}\\nneo_page_${name}:\\n\"\n"
                     "    \".incbin \\\"${page}\\\"\\n.global neo_page_${name}_end\\nneo_page_${name}_end:\\n.byte 0\\n.popsection\\n\");\n"
                     "extern \"C\" const char neo_page_${name}[], neo_page_${name}_end[];\n\n")
  string(APPEND table "  if (name == \"${name}\") return {neo_page_${name}, static_cast<size_t>(neo_page_${name}_end - neo_page_${name})};\n")
endforeach()
string(APPEND code "namespace neo {\nstd::string_view embedded_page(std::string_view name) {\n${table}"
                   "  fail(\"this binary has no page '{}'; build it with web/dist/{}.html\", name, name);\n}\n}  // namespace neo\n")
file(WRITE ${OUT} "${code}")
