// The explorer's API without any learning: what `neo serve` answers, for small theories of every layout (mock_models.mjs), so that
// the page is tested in all of them wherever node and a browser are. By hand: node test/mock_server.mjs [port]
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { kModels, observations } from "./mock_models.mjs";

const { difference, parse, serialize } = observations;
const here = dirname(fileURLToPath(import.meta.url));
const openapi = readFileSync(resolve(here, "../../src/serve/openapi.json"));
const kSteps = 4; // longest program that is looked for
const kStates = 400; // and in how many states
const kTolerance = 0.001;
let samples = 0; // so many were asked for

class Refused extends Error {
  constructor(message, status = 400) {
    super(message);
    this.status = status;
  }
}

// Small numbers from a seed, the same every time.
function randomOf(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const modelOf = ({ model }, models) => models.find((entry) => entry.info.id === model) ?? refuse(`there is no model '${model}'`, 404);
function refuse(message, status) {
  throw new Refused(message, status);
}
function valuesIn(model, text, field) {
  return parse(model.info.space, text) ?? refuse(`${field}: this is no observation of ${model.info.id}: ${String(text).slice(0, 60)}`);
}
function codeIn(model, code) {
  if (!(code < model.codes.length)) refuse(`there is no code ${code}`);
  return code;
}

const isMet = (space, text, y) => text === y || (space.kind !== "categorical" && difference(space, text, y) <= kTolerance);

function runOf(model, codes, x, y) {
  const { space } = model.info;
  const states = [x];
  for (const code of codes) states.push(model.codes[code](states.at(-1)));
  const trace = states.map((state) => serialize(space, state));
  const gap = (text) => (y === undefined ? 0 : difference(space, text, y));
  const exact = y !== undefined && trace.at(-1) === y;
  return {
    codes,
    trace,
    losses: y === undefined ? [] : trace.slice(1).map(gap),
    exact,
    explained: y !== undefined && isMet(space, trace.at(-1), y),
    log_probability: -codes.length,
  };
}

// Every state that a few codes lead to, in the order of discovery.
function exploration(model, x, y, calls, exhaustCalls) {
  const { space } = model.info;
  const nodes = [{ parent: -1, code: -1, depth: 0, observation: serialize(space, x), exact: serialize(space, x) === y, log_probability: 0 }];
  const values = [x];
  const known = new Map([[nodes[0].observation, 0]]);
  const edges = [];
  let found = nodes[0].exact;
  for (let at = 0; at < nodes.length && (exhaustCalls || !found); ++at) {
    if (nodes[at].depth === kSteps) break;
    for (let code = 0; code < model.codes.length && edges.length < calls && (exhaustCalls || !found); ++code) {
      const next = model.codes[code](values[at]);
      const observation = serialize(space, next);
      if (!known.has(observation)) {
        known.set(observation, nodes.length);
        values.push(next);
        nodes.push({ parent: at, code, depth: nodes[at].depth + 1, observation, loss: difference(space, observation, y), exact: observation === y, explained: isMet(space, observation, y), log_probability: -nodes[at].depth - 1 });
      }
      edges.push([at, code, known.get(observation)]);
      found ||= isMet(space, observation, y);
    }
  }
  return { nodes, edges, found };
}

function bestProgram({ nodes }) {
  let best = 0;
  nodes.forEach((node, i) => {
    if (i > 0 && (best === 0 || (node.loss ?? 1) < (nodes[best].loss ?? 1))) best = i;
  });
  const codes = [];
  for (let at = best; at > 0; at = nodes[at].parent) codes.unshift(nodes[at].code);
  return codes;
}

const routes = {
  "/api/sample": (body, models) => {
    const model = modelOf(body, models);
    if (!model.hasExamples) refuse(`no examples are kept with ${body.model}; give x and y yourself`, 404);
    const { space, longest } = model.info;
    const seed = body.seed ?? ++samples;
    const random = randomOf(seed);
    const length = longest > 0 ? (body.length ?? 2) : 1 + random(2);
    if (longest > 0 && length > longest) refuse(`length: ${length} is more than ${longest}`);
    let codes;
    const pair = () => {
      const x = model.example(random);
      return [serialize(space, x), runOf(model, codes, x).trace.at(-1)];
    };
    let [x, y] = [];
    do {
      codes = Array.from({ length }, () => random(model.codes.length));
      [x, y] = pair();
    } while (x === y); // nothing to explain
    const [query_x, query_y] = pair();
    return { x, y, seed, ...(model.hasQuery ? { query_x, query_y } : {}), ...(longest > 0 ? { program: codes.map((code) => model.names[code]) } : {}) };
  },
  "/api/apply": (body, models) => {
    const model = modelOf(body, models);
    if (model.info.benchmark === "") refuse("there are no true primitives to apply");
    const codes = body.program.map((name) => model.names.indexOf(name));
    return { output: runOf(model, codes, valuesIn(model, body.input, "input")).trace.at(-1) };
  },
  "/api/explain": (body, models) => {
    const model = modelOf(body, models);
    const [x, y] = [valuesIn(model, body.x, "x"), body.y];
    valuesIn(model, y, "y");
    const codes = bestProgram(exploration(model, x, y, x.length > 2000 ? kStates / 10 : kStates, false));
    const run = runOf(model, codes, x, y);
    const other = runOf(model, [0], x, y);
    const answer = {
      floor: 0,
      explanation: {
        run,
        mass: 0.8,
        reason: run.exact ? "the shortest program that explains y exactly" : "nothing that was tried explains y",
        lengths: run.losses.map((loss, i) => ({ length: i + 1, loss, weighted: loss + 0.01 * i, exact: loss === 0 })),
        explained: run.explained,
        alternatives: (body.alternatives ?? 0) > 0 ? [{ run: other, mass: 0.2 }] : [],
      },
    };
    if (body.override?.length > 0) {
      const changed = [...codes];
      for (const { step, code } of body.override) {
        if (step > codes.length) refuse(`override: there is no step ${step}`);
        changed[step - 1] = codeIn(model, code);
      }
      answer.counterfactual = runOf(model, changed, x, y);
    }
    return answer;
  },
  "/api/transfer": (body, models) => {
    const model = modelOf(body, models);
    body.program.forEach((code) => codeIn(model, code));
    return { runs: body.inputs.map((input) => runOf(model, body.program, valuesIn(model, input, "inputs"))) };
  },
  "/api/search": (body, models) => {
    const model = modelOf(body, models);
    if (body.calls > model.info.most_calls) refuse(`calls: ${body.calls} is more than ${model.info.most_calls}`);
    const x = valuesIn(model, body.x, "x");
    const found = exploration(model, x, body.y, body.calls, body.exhaust_calls ?? false);
    return { ...found, calls: found.edges.length, best: runOf(model, bestProgram(found), x, body.y) };
  },
  "/api/training": (body, models) => ({ points: modelOf(body, models).info.id === "toy" ? Array.from({ length: 50 }, (_, i) => [i + 1, 2 / (i + 1), i / 49]) : [] }),
  "/api/vocabulary": (body, models) => {
    const model = modelOf(body, models);
    const { space, primitives } = model.info;
    const random = randomOf(7);
    const codes = model.names.map((name, code) => {
      const examples = Array.from({ length: 3 }, () => model.example(random)).map((x) => ({ before: serialize(space, x), after: serialize(space, model.codes[code](x)) }));
      return { code, name, primitive: primitives[code] ?? "", agreement: primitives.length > 0 ? 1 : 0, unchanged: 0, usage: 1 / model.codes.length, programs: 0.5, examples };
    });
    return {
      codes,
      relations: { no_ops: [], duplicates: [], inverses: [], commuting: [{ code: 0, others: [1], share: 1 }], composites: [] },
      primitives,
      alignment: primitives.map((_, i) => primitives.map((__, k) => Number(i === k))),
      primitiveness: primitives.length > 0 ? 1 : 0,
      purity: primitives.length > 0 ? 1 : 0,
      inputs: 200,
      pairs: 200,
    };
  },
};

// What a page sees of a training: every look at it is a step on.
const jobs = new Map();
const kLimits = { enabled: true, minutes: 5, bytes: 1 << 20, endings: [".jsonl", ".npz"] };

function progressOf(job) {
  if (job.state === "training" && ++job.step >= job.last) job.state = "finished";
  const points = Array.from({ length: job.step }, (_, i) => [i + 1, 1 / (i + 1), i / job.last]);
  const result = job.state === "finished" ? { theory: true, structure: "mock", codes: 4, explained: 0.97, error: 0, length: 1.5, pairs: 10, held_out: true, trials: [{ structure: "none", codes: 0, explained: 0, bits: 20 }] } : {};
  return { state: job.state, seconds: job.step, minutes: 1, step: job.step, points, message: "", result };
}

const jobOf = ({ data }) => jobs.get(data) ?? refuse("these data have been forgotten; send them again", 404);
Object.assign(routes, {
  "/api/data/receive": ({ name, content }) => {
    const text = Buffer.from(content, "base64").toString();
    if (!text.startsWith("{")) refuse(`${name}: this is no JSON`);
    const data = `job${jobs.size + 1}`;
    const { info, example, codes } = kModels.toy;
    jobs.set(data, { state: "ready", step: 0, last: 8 });
    const random = randomOf(jobs.size);
    const samples = Array.from({ length: 12 }, () => example(random)).map((x) => ({ x: serialize(info.space, x), y: serialize(info.space, codes[0](x)) }));
    return { data, space: info.space, description: "grids of 6 × 6 cells", pairs: 100, held_out: 10, held_out_by: "different pairs", unchanged: 0, duplicates: 2, notes: ["rows became grids"], warnings: [], samples };
  },
  "/api/data/learn": (body) => {
    jobOf(body).state = "training";
    return {};
  },
  "/api/data/stop": (body) => {
    jobOf(body).state = "stopped";
    return {};
  },
  "/api/data/save": ({ data, name }) => (jobOf({ data }), { run: `runs/${name}` }),
  "/api/data/forget": ({ data }) => (jobs.delete(data), {}),
});

function streamEvents(url, request, response) {
  const data = new URL(url, "http://localhost").searchParams.get("data");
  if (!jobs.has(data)) return response.writeHead(404, { "Content-Type": "application/json" }).end(JSON.stringify({ error: "forgotten" }));
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const tell = () => {
    const job = jobs.get(data);
    if (!job) return response.end();
    response.write(`event: progress\ndata: ${JSON.stringify(progressOf(job))}\n\n`);
    if (job.step === 2) response.write(`event: vocabulary\ndata: ${JSON.stringify(routes["/api/vocabulary"]({ model: "toy" }, Object.values(kModels)))}\n\n`);
  };
  tell();
  const timer = setInterval(tell, 150);
  request.on("close", () => clearInterval(timer));
}

// As the real server: nothing inline but what is known.
function policyOf(page) {
  const digests = (tag) => [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))].map(([, text]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`).join(" ");
  return `default-src 'none'; script-src ${digests("script")}; style-src ${digests("style")}; img-src data: blob:; connect-src 'self'; base-uri 'none'`;
}

function answer(path, body, models) {
  if (path === "/api/data") return kLimits;
  if (path === "/api/models") return { models: models.map((model) => model.info) };
  if (!routes[path]) refuse("there is nothing here", 404);
  return { ...routes[path](JSON.parse(body), models), milliseconds: 1.5 };
}

/** Serves some of the models, or all. Resolves to {url, close}. */
export function serveMock({ port = 0, ids = Object.keys(kModels) } = {}) {
  const models = ids.map((id) => kModels[id]);
  const server = createServer((request, response) => {
    const send = (status, type, content, headers = {}) => response.writeHead(status, { "Content-Type": type, ...headers }).end(content);
    if (request.url === "/") {
      const page = readFileSync(resolve(here, "../dist/explorer.html"), "utf8");
      return send(200, "text/html; charset=utf-8", page, { "Content-Security-Policy": policyOf(page) });
    }
    if (request.url === "/api/openapi.json") return send(200, "application/json", openapi);
    if (request.url.startsWith("/api/data/events")) return streamEvents(request.url, request, response);
    let body = "";
    request.on("data", (block) => (body += block));
    request.on("end", () => {
      try {
        send(200, "application/json", JSON.stringify(answer(request.url, body, models)));
      } catch (error) {
        send(error.status ?? 500, "application/json", JSON.stringify({ error: error.message }));
      }
    });
  });
  return new Promise((ready) =>
    server.listen(port, "127.0.0.1", () =>
      ready({
        url: `http://127.0.0.1:${server.address().port}/`,
        close: () => {
          server.closeAllConnections();
          server.close();
        },
      }),
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await serveMock({ port: Number(process.argv[2] ?? 8764) })).url);
