// Learning from a user's own file, as the server tells of it: what was understood, how the training goes on, how it is stopped.
import type { Space } from "../shared/observations";
import { api, type Vocabulary } from "./api";

export interface DataLimits {
  enabled: boolean;
  minutes: number;
  bytes: number;
  endings: string[];
}
export interface ReceivedData {
  data: string;
  space: Space;
  description: string;
  pairs: number;
  held_out: number;
  unchanged: number;
  duplicates: number;
  notes: string[];
  warnings: string[];
  samples: { x: string; y: string }[];
}
export interface LearnResult {
  theory: boolean;
  structure: string;
  codes: number;
  explained: number;
  error: number;
  length: number;
  pairs: number;
  held_out: boolean;
  trials: { structure: string; codes: number; explained: number; bits: number }[];
}
export interface Progress {
  state: "ready" | "counting" | "training" | "stopping" | "stopped" | "finished" | "failed";
  seconds: number;
  minutes: number;
  step: number;
  points: [number, number, number][]; // step, loss, share explained
  message: string;
  result: Partial<LearnResult>;
}

/** One file's learning. Forgotten by the server when the page closes. */
export class Learning {
  progress: Progress | null = null;
  vocabulary: Vocabulary | null = null;
  private readonly events: EventSource;

  constructor(
    readonly received: ReceivedData,
    onChange: (error?: string) => void,
  ) {
    this.events = new EventSource(`/api/data/events?data=${received.data}`);
    this.events.addEventListener("progress", (event) => {
      this.progress = JSON.parse(event.data);
      onChange();
    });
    this.events.addEventListener("vocabulary", (event) => {
      this.vocabulary = JSON.parse(event.data);
      onChange();
    });
    this.events.addEventListener("error", () => {
      if (this.events.readyState === EventSource.CLOSED) onChange("The server has forgotten these data. Send the file again.");
    });
    addEventListener("pagehide", this.forget);
  }

  get theoryAddress(): string {
    return `/api/data/theory?data=${this.received.data}`;
  }

  learn = (minutes: number) => api.learn(this.received.data, minutes);
  stop = () => api.stopLearning(this.received.data);
  save = (name: string) => api.saveLearned(this.received.data, name);
  forget = (): void => {
    this.events.close();
    removeEventListener("pagehide", this.forget);
    api.forgetData(this.received.data);
  };
}

/** The bytes of a file as the server takes them. */
export async function base64Of(file: Blob): Promise<string> {
  const url = await new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => failed(new Error("The browser cannot read this file."));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}

/** Pairs to try it with where no file is at hand: small grids that are moved, mirrored and repainted, one or two steps at a time. */
export function examplePairs(): File {
  const size = 5;
  const at = (grid: number[][], row: number, column: number) => grid[(row + size) % size]![(column + size) % size]!;
  const made = (from: (row: number, column: number) => number) => Array.from({ length: size }, (_, r) => Array.from({ length: size }, (_, c) => from(r, c)));
  const operations = [
    (grid: number[][]) => made((r, c) => at(grid, r, c - 1)),
    (grid: number[][]) => made((r, c) => at(grid, r - 1, c)),
    (grid: number[][]) => made((r, c) => grid[r]![size - 1 - c]!),
    (grid: number[][]) => made((r, c) => (grid[r]![c] === 0 ? 0 : (grid[r]![c]! % 3) + 1)),
  ];
  const random = (below: number) => Math.floor(Math.random() * below);
  const lines = Array.from({ length: 1000 }, () => {
    const x = made(() => Math.max(0, random(7) - 3));
    let y = x;
    for (let step = random(2); step >= 0; --step) y = operations[random(operations.length)]!(y);
    return JSON.stringify({ x, y });
  });
  return new File([lines.join("\n") + "\n"], "example.jsonl");
}
