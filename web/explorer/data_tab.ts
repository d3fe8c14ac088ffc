// A user's own data: a file is dropped, looked at, learned from, and watched while a theory of it forms.
import { api } from "./api";
import { type Context, readable } from "./context";
import { trainingCharts } from "./curves";
import { h, replace } from "./dom";
import { base64Of, type DataLimits, examplePairs, Learning, type Progress, type ReceivedData } from "./learning";
import { announce, attempt } from "./notices";
import { isText, isWide, picture, scaleOf } from "./pictures";
import { exampleOf } from "./vocabulary_tab";

export function dataTab(context: Context): HTMLElement {
  const tab = h("div", { class: "data" });
  let begun = false;
  const begin = () => {
    if (begun || context.store.state.tab !== "data") return;
    begun = true;
    void api.dataLimits().then(
      (limits) => new DataView(tab, limits).open(),
      (error: Error) => replace(tab, h("p", { class: "failure" }, error.message)),
    );
  };
  begin();
  context.store.subscribe(begin);
  return tab;
}

class DataView {
  private readonly status = h("div", { class: "status", "aria-live": "polite" });
  private readonly understood = h("div");
  private readonly live = h("div", { class: "live" });
  private learning: Learning | null = null;
  private drawnVocabulary: unknown = null;
  private readonly codes = h("div", { class: "cards" });

  constructor(
    private readonly tab: HTMLElement,
    private readonly limits: DataLimits,
  ) {}

  open(): void {
    if (!this.limits.enabled) {
      replace(this.tab, h("section", { class: "panel" }, h("h2", {}, "Your data"), h("p", {}, "Learning is off on this server. ", h("code", {}, "neo learn FILE"), " does it on the command line; ", h("code", {}, "neo serve --train-minutes"), " and ", h("code", {}, "--allow-training"), " turn it on here.")));
      return;
    }
    replace(this.tab, this.door(), this.understood, this.live);
  }

  private door(): HTMLElement {
    const input = h("input", { type: "file", id: "data-file", accept: this.limits.endings.join(","), hidden: true, onchange: () => input.files?.[0] && void this.send(input.files[0]) });
    const zone = h(
      "section",
      { class: "panel door", "aria-labelledby": "data-title" },
      h("h2", { id: "data-title" }, "Your data"),
      h("p", {}, "Pairs of before and after, or recordings: drop a file, and watch a theory of it form."),
      h(
        "p",
        { class: "hint" },
        `${this.limits.endings.join(" ")}, up to ${Math.floor(this.limits.bytes / 2 ** 20)} MB: arrays x and y, or a line {"x": …, "y": …} for each pair. The file goes to this server alone, which forgets it when you close the page, unless you save what was learned.`,
      ),
      h(
        "div",
        { class: "toolbar" },
        input,
        h("button", { type: "button", class: "primary", onclick: () => input.click() }, "Choose a file"),
        h("button", { type: "button", id: "example-data", onclick: () => void this.send(examplePairs()) }, "Try it with example pairs"),
      ),
      this.status,
    );
    zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      const [file] = event.dataTransfer?.files ?? [];
      if (file) void this.send(file);
    });
    return zone;
  }

  private async send(file: File): Promise<void> {
    this.learning?.forget();
    this.learning = null;
    replace(this.understood);
    replace(this.live);
    replace(this.status, h("p", {}, h("span", { class: "spinner", "aria-hidden": "true" }), ` Reading ${file.name} …`));
    try {
      if (file.size > this.limits.bytes) throw new Error(`${file.name} is larger than ${Math.floor(this.limits.bytes / 2 ** 20)} MB; neo learn on the command line takes files of any size.`);
      const received = await api.sendData(file.name, await base64Of(file));
      replace(this.status);
      this.receive(file.name, received);
    } catch (error) {
      replace(this.status, h("p", { class: "failure" }, (error as Error).message));
    }
  }

  private receive(name: string, received: ReceivedData): void {
    const { space } = received;
    const model = { space, palette: [] };
    const facts = [`${received.pairs} pairs`, received.held_out > 0 && `${received.held_out} of them held out to judge the theory`, received.duplicates > 0 && `${received.duplicates} occur twice`];
    replace(
      this.understood,
      h(
        "section",
        { class: "panel", "aria-label": "What was understood" },
        h("h2", {}, `${name}: ${received.description}`),
        h("p", { class: "hint" }, `${facts.filter(Boolean).join(", ")}.`),
        ...[...received.notes, ...received.warnings].map((text) => h("p", { class: "hint" }, text)),
        h(
          "div",
          { class: `sheet ${space.layout}s`, role: "group", "aria-label": "Some of the pairs" },
          ...received.samples.slice(0, isText(space) && isWide(space) ? 8 : 24).map(({ x, y }) => {
            const scale = scaleOf(space, [x, y]);
            return h("div", { class: "pairing" }, picture(model, x, "x", scale), h("span", { "aria-hidden": "true" }, "→"), picture(model, y, "y", scale));
          }),
        ),
      ),
    );
    this.drawnVocabulary = null;
    replace(this.codes);
    this.learning = new Learning(received, (error) => (error ? replace(this.live, h("p", { class: "failure" }, error)) : this.draw()));
  }

  private draw(): void {
    const { learning } = this;
    if (!learning?.progress) return;
    const { progress, vocabulary } = learning;
    const focused = (document.activeElement as HTMLElement | null)?.id ?? "";
    const minutes = (this.live.querySelector("#learn-minutes") as HTMLInputElement | null)?.value;
    const name = (this.live.querySelector("#run-name") as HTMLInputElement | null)?.value;
    if (vocabulary && vocabulary !== this.drawnVocabulary) {
      this.drawnVocabulary = vocabulary;
      replace(this.codes, ...vocabulary.codes.filter(({ usage }) => usage > 0).map((code) => this.card(code)));
    }
    replace(
      this.live,
      h(
        "section",
        { class: "panel", "aria-label": "Learning" },
        h("header", {}, h("h2", {}, "Learning"), h("span", { class: "verdict" }, kStates[progress.state])),
        this.controls(learning, progress, minutes, name),
        h("p", { class: "hint" }, sentenceOf(progress)),
        progress.points.length > 1 && trainingCharts(progress.points),
        vocabulary && h("h3", {}, "The vocabulary as it is now: what each code does to some inputs"),
        vocabulary && this.codes,
      ),
    );
    if (focused) document.getElementById(focused)?.focus();
    if (progress.state === "finished" || progress.state === "failed") announce(sentenceOf(progress));
  }

  private controls(learning: Learning, { state }: Progress, minutes?: string, name?: string): HTMLElement {
    const limit = this.limits.minutes;
    const time = h("input", { type: "number", id: "learn-minutes", class: "short", min: 0.1, max: limit, step: "any", value: minutes ?? Math.min(2, limit) });
    const act = (id: string, text: string, action: () => Promise<unknown>, primary = false) =>
      h("button", { type: "button", id, class: primary ? "primary" : "", onclick: () => void attempt(async () => void (await action())) }, text);
    if (state === "counting" || state === "training" || state === "stopping") return h("div", { class: "toolbar" }, act("stop-learning", "Stop", learning.stop));
    const begin = (state === "ready" || state === "stopped" || state === "failed") && [
      act("learn", state === "stopped" ? "Resume" : "Learn", () => learning.learn(Number(time.value)), true),
      h("label", { class: "inline", for: time.id }, "for about ", time, " minutes"),
    ];
    const field = h("input", { type: "text", id: "run-name", class: "whole", value: name ?? "mine", maxlength: 40, "aria-label": "Name to save it under" });
    const keep = (state === "finished" || state === "stopped") && [
      h("a", { class: "button", href: learning.theoryAddress, download: "theory.safetensors" }, "Download the theory"),
      field,
      act("save-run", "Save on the server", async () => {
        const { run } = await learning.save(field.value);
        replace(this.status, h("p", {}, "Saved. Open it with ", h("code", {}, `neo serve ${run}`)));
      }),
    ];
    return h("div", { class: "toolbar" }, ...(begin || []), ...(keep || []));
  }

  private card(code: { code: number; name: string; usage: number; examples: { before: string; after: string }[] }): HTMLElement {
    const { space } = this.learning!.received;
    const model = { space, palette: [] };
    const name = code.name === "" || code.name === `z${code.code}` ? `code ${code.code}` : readable(code.name);
    return h(
      "article",
      { class: "card" },
      h("h3", {}, name),
      h("div", { class: `examples ${isText(space) ? "texts" : "pictures"} ${space.layout}s` }, ...code.examples.map((example) => exampleOf(model, example))),
      h("p", { class: "fact" }, `${Math.round(100 * code.usage)} % of all steps`),
    );
  }
}

const kStates: Record<Progress["state"], string> = {
  ready: "ready",
  counting: "looking for what the pairs have in common",
  training: "learning",
  stopping: "stopping",
  stopped: "stopped",
  finished: "finished",
  failed: "failed",
};

function sentenceOf({ state, seconds, minutes, step, message, result }: Progress): string {
  const time = `${Math.round(seconds)} s of about ${Math.round(60 * minutes)}`;
  switch (state) {
    case "ready":
      return "Nothing has been learned yet.";
    case "counting":
      return `${time}. First it counts: which transformations many pairs share, and the smallest vocabulary that describes them all. Curves appear when the training begins.`;
    case "training":
      return `Step ${step}, ${time}.`;
    case "stopping":
      return "It finishes its step and writes down where it is.";
    case "stopped":
      return `Stopped at step ${step}. Resume goes on where it was.`;
    case "failed":
      return `It failed: ${message}`;
    case "finished":
      return resultSentence(result, seconds);
  }
}

function resultSentence(result: Progress["result"], seconds: number): string {
  const percent = (100 * (result.explained ?? 0)).toFixed(1);
  const which = result.held_out ? "pairs that it was never shown" : "pairs";
  const bits = (result.trials ?? []).map(({ structure, bits }) => `${structure === "none" ? "without a theory" : structure} ${bits.toFixed(1)}`);
  const found = result.theory ? `explains ${percent} % of ${result.pairs} ${which}, with ${result.codes} codes and ${(result.length ?? 0).toFixed(2)} steps on average` : `found nothing that carries over to ${which}. Does y follow from x? More pairs may help`;
  return `Learned in ${Math.round(seconds)} s: it ${found}.${bits.length > 0 ? ` Bits to describe a pair: ${bits.join(", ")}.` : ""}`;
}
