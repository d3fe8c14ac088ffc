// The tree of visited states: x in the middle, one ring per step, nearer to y in stronger colour.
import { parse } from "../shared/observations";
import { drawPixels, type Drawable, extentOf } from "../shared/pixels";
import type { SearchAnswer, SearchNode } from "./api";
import { h, svg } from "./dom";
import { barShapes, brief, describe, isText, scaleOf } from "./pictures";
import { columnLayout, type Layout, leafCounts, radialLayout } from "./tree_layout";

const kMargin = 34;
const kFewLeaves = 40; // few enough for columns, whose edges are labelled
const kSomeNodes = 140; // few enough for a small picture of every state
const kColumn = { pictures: 170, texts: 220 };
const kRow = { pictures: 52, texts: 32 };
const kSide = { pictures: 40, texts: 72 }; // left and right of the columns

const kLabel = 18; // characters at most
const kAlong = 0.58; // of an edge, where edges have parted

type Place = Layout["places"][number];

/** What a node is drawn as; in columns, where there is room, with labels at the edges. */
interface Style {
  columns: boolean;
  size: number; // of pictures; 0: a dot
}

function styleOf({ nodes }: SearchAnswer, texts: boolean): Style {
  const columns = leafCounts(nodes.map((node) => node.parent)).leaves[0] <= kFewLeaves;
  return { columns, size: columns ? 38 : !texts && nodes.length <= kSomeNodes ? 18 : 0 };
}

function layoutOf({ nodes }: SearchAnswer, { columns, size }: Style, texts: boolean): Layout {
  const parents = nodes.map((node) => node.parent);
  const depths = nodes.map((node) => node.depth);
  const kind = texts ? "texts" : "pictures";
  return columns ? columnLayout(parents, depths, kColumn[kind], kRow[kind], kSide[kind]) : radialLayout(parents, depths, size === 0 ? 16 : 44, kMargin);
}

// Whether it is y, or as near as the theory asks for.
const met = (node: SearchNode): boolean => node.exact || node.explained === true;

export class TreeView {
  readonly element: HTMLElement;
  private readonly places: Place[];
  private readonly discovered: number[]; // call that led to each node first
  private readonly groups: SVGGElement[] = [];
  private readonly lines: (SVGElement | null)[] = [];
  private readonly onPath: Set<number>;
  private readonly current = svg("line", { class: "current" });
  private readonly style: Style;
  private readonly labels: { code: number; title: SVGElement; label: SVGElement }[] = [];
  private selected = 0;

  constructor(
    private readonly model: Drawable,
    private readonly answer: SearchAnswer,
    private readonly onSelect: (node: number) => void,
  ) {
    const { nodes, edges } = answer;
    this.discovered = nodes.map(() => 0);
    edges.forEach(([, , to], call) => {
      if (to > 0 && this.discovered[to] === 0) this.discovered[to] = call + 1;
    });
    const texts = isText(model.space);
    this.style = styleOf(answer, texts);
    const layout = layoutOf(answer, this.style, texts);
    this.places = layout.places;
    this.onPath = this.solution();
    const lines = svg("g", { class: "lines" });
    const states = svg("g", {});
    nodes.forEach((_, i) => {
      const line = i === 0 ? null : this.line(i);
      this.lines.push(line);
      if (line) lines.append(line);
      this.groups.push(this.node(i));
      states.append(this.groups[i]);
    });
    const { left, top, width, height } = layout;
    const picture = svg("svg", { viewBox: `${left} ${top} ${width} ${height}`, "aria-hidden": "true" }, lines, this.current, states);
    // Columns scroll, so that their labels can be read; rings are seen as a whole.
    if (this.style.columns) picture.style.cssText = `width:${width}px;height:${height}px`;
    else picture.style.cssText = `width:100%;max-width:${width}px;max-height:68vh`;
    this.element = h(
      "div",
      { class: "tree", tabindex: 0, role: "application", "aria-label": "Tree of visited states; arrow keys walk along it" },
      picture,
    );
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.select(0);
  }

  /** Shows what had been visited after the given number of calls. */
  showUntil(call: number): void {
    const { edges } = this.answer;
    this.groups.forEach((group, i) => group.classList.toggle("hidden", this.discovered[i] > call));
    this.lines.forEach((line, i) => line?.classList.toggle("hidden", this.discovered[i] > call));
    const done = call >= edges.length;
    this.element.classList.toggle("done", done);
    const edge = done || call === 0 ? null : edges[call - 1];
    this.current.classList.toggle("hidden", edge === null);
    if (edge) this.connect(this.current, this.places[edge[0]], this.places[edge[2]]);
  }

  // The nodes on the way to y.
  private solution(): Set<number> {
    const { nodes } = this.answer;
    const path = new Set<number>();
    for (let at = nodes.findIndex((node, i) => i > 0 && met(node)); at >= 0; at = nodes[at].parent) path.add(at);
    return path;
  }

  private connect(line: SVGElement, from: Place, to: Place): void {
    for (const [name, value] of Object.entries({ x1: from.x, y1: from.y, x2: to.x, y2: to.y })) line.setAttribute(name, value.toFixed(1));
  }

  private line(i: number): SVGElement {
    const line = svg("line", {});
    const [from, to] = [this.places[this.answer.nodes[i].parent], this.places[i]];
    this.connect(line, from, to);
    const title = svg("title", {});
    const label = svg("text", { x: from.x + kAlong * (to.x - from.x), y: from.y + kAlong * (to.y - from.y) - 3, "text-anchor": "middle" });
    this.labels.push({ code: this.answer.nodes[i].code, title, label });
    return svg("g", { class: this.onPath.has(i) ? "edge path" : "edge" }, line, title, this.style.columns && label);
  }

  /** Writes what the codes are called at the edges; again when more is known. */
  name(nameOf: (code: number) => string): void {
    for (const { code, title, label } of this.labels) {
      const name = nameOf(code);
      title.textContent = name;
      label.textContent = name.length > kLabel ? name.slice(0, kLabel - 1) + "…" : name;
    }
  }

  /** Puts x into the middle of what can be seen. */
  centre(): void {
    this.element.scrollTop = this.places[0].y - this.element.clientHeight / 2;
  }

  private node(i: number): SVGGElement {
    const { nodes } = this.answer;
    const { x, y } = this.places[i];
    const large = i === 0 || this.onPath.has(i);
    const size = this.style.size === 18 && large ? 28 : this.style.size;
    const classes = ["node", met(nodes[i]) && i > 0 && "exact", large && "large"].filter(Boolean).join(" ");
    const group = svg("g", { class: classes, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, svg("title", {}, describe(this.model.space, nodes[i].observation)));
    if (size === 0) group.append(svg("circle", { r: 6, style: `--near:${this.nearness(i)}` }));
    else group.append(...this.picture(nodes[i].observation, size));
    group.addEventListener("click", () => this.select(i));
    return group;
  }

  // 1: at y; 0: as far as any.
  private nearness(i: number): number {
    const { nodes } = this.answer;
    const worst = Math.max(...nodes.map((node) => node.loss ?? 0), 1e-9);
    return met(nodes[i]) ? 1 : 1 - (nodes[i].loss ?? worst) / worst;
  }

  private picture(observation: string, size: number): SVGElement[] {
    const { space } = this.model;
    if (isText(space)) {
      const text = brief(space, observation, 13);
      const width = text.length * 8 + 12;
      return [
        svg("rect", { x: -width / 2, y: -11, width, height: 22, rx: 11, class: "pill" }),
        svg("text", { "text-anchor": "middle", y: 4 }, text),
      ];
    }
    const [width, height] = space.layout === "vector" ? [1.4 * size, size] : this.fitted(size);
    const frame = svg("rect", { x: -width / 2 - 2, y: -height / 2 - 2, width: width + 4, height: height + 4, rx: 4, class: "frame" });
    if (space.layout === "vector") {
      const shapes = barShapes(parse(space, observation) ?? [], scaleOf(space, [this.answer.nodes[0].observation, observation])!, width, height);
      return [frame, svg("g", { class: "vector", transform: `translate(${-width / 2} ${-height / 2})` }, ...shapes)];
    }
    const canvas = h("canvas");
    drawPixels(canvas, this.model, observation, /* lines= */ false);
    return [frame, svg("image", { x: -width / 2, y: -height / 2, width, height, href: canvas.toDataURL() })];
  }

  // As large as a square of that size, in the observation's proportions.
  private fitted(size: number): [number, number] {
    const [width, height] = extentOf(this.model.space);
    const ratio = Math.min(2, Math.max(0.5, Math.sqrt(width / height)));
    return [size * ratio, (size * ratio * height) / width];
  }

  private select(i: number): void {
    this.groups[this.selected].classList.remove("selected");
    this.selected = i;
    this.groups[i].classList.add("selected");
    this.onSelect(i);
  }

  private key(event: KeyboardEvent): void {
    const { nodes } = this.answer;
    const siblings = nodes.flatMap((node, i) => (i > 0 && node.parent === nodes[this.selected].parent ? [i] : []));
    const place = siblings.indexOf(this.selected);
    const next = {
      ArrowLeft: nodes[this.selected].parent,
      ArrowRight: nodes.findIndex((node, i) => i > 0 && node.parent === this.selected),
      ArrowUp: siblings[place - 1] ?? -1,
      ArrowDown: siblings[place + 1] ?? -1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (next >= 0) this.select(next);
  }
}
