// Bundles each page, web/<page>/{index.html,main.ts,...}, into one self-contained file, web/dist/<page>.html. The files in
// dist/ are committed: building neo itself needs no node.
//   node build.mjs           build
//   node build.mjs --check   fail when a file in dist/ is not what the sources give
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
const pages = ["report", "explorer"].filter((page) => existsSync(join(root, page, "main.ts")));

async function bundle(page) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [`${page}/main.ts`],
    outdir: "out",
    write: false,
    bundle: true,
    minify: true,
    charset: "utf8",
    format: "iife",
    target: "es2022",
    loader: { ".svg": "dataurl", ".png": "dataurl" },
    legalComments: "inline",
    logLevel: "warning",
  });
  const text = (suffix) => result.outputFiles.find((file) => file.path.endsWith(suffix))?.text.trim() ?? "";
  const template = readFileSync(join(root, page, "index.html"), "utf8");
  // Functions as replacements: minified code is full of "$&" and the like, which replace() would expand.
  const filled = template
    .replace("<!-- style -->", () => `<style>${text(".css")}</style>`)
    .replace("<!-- script -->", () => `<script>${text(".js")}</script>`);
  if (!filled.includes("<script>")) throw new Error(`${page}/index.html lacks <!-- script -->`);
  return filled;
}

const check = process.argv.includes("--check");
mkdirSync(join(root, "dist"), { recursive: true });
for (const page of pages) {
  const file = join(root, "dist", `${page}.html`);
  const html = await bundle(page);
  if (!check) {
    writeFileSync(file, html);
    console.log(`dist/${page}.html: ${Math.round(html.length / 1024)} kB`);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== html) {
    console.error(`dist/${page}.html is not current; run \`node build.mjs\` in web/ and commit it`);
    process.exitCode = 1;
  }
}
