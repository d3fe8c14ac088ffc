// One way to change an observation, whatever its layout.
import type { Drawable } from "../shared/pixels";
import { gridEditor } from "./grid_editor";
import { imageEditor } from "./image_editor";
import { numberEditor } from "./number_editor";
import { sequenceEditor } from "./sequence_editor";
import { vectorEditor } from "./vector_editor";

export interface Editor {
  element: HTMLElement;
  set(text: string): void; // from outside; does not call onChange
}

export interface EditorOptions {
  label: string; // "Before (x)"
  onChange: (text: string) => void; // once per stroke, number or picture
  onProblem?: (message: string) => void; // what is typed means nothing; "" once it does
}

const kEditors = { grid: gridEditor, sequence: sequenceEditor, number: numberEditor, image: imageEditor, vector: vectorEditor };

export function makeEditor(model: Drawable, options: EditorOptions): Editor {
  return kEditors[model.space.layout](model, options);
}
