// One way to change an observation, whatever the world.
import type { World } from "./api";
import { gridEditor } from "./grid_editor";
import { imageEditor } from "./image_editor";
import { numberEditor } from "./number_editor";
import { kindOf } from "./observations";

export interface Editor {
  element: HTMLElement;
  set(text: string): void; // from outside; does not call onChange
}

export interface EditorOptions {
  label: string; // "Before (x)"
  onChange: (text: string) => void; // once per stroke, number or picture
}

export function makeEditor(world: World, options: EditorOptions): Editor {
  const make = { grid: gridEditor, number: numberEditor, image: imageEditor }[kindOf(world)];
  return make(world, options);
}
