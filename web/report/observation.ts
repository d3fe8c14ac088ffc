// Observations as pictures: grids and images as pixels, numbers as text.

// As everywhere in neo (src/worlds/draw.cc), but for the background, which is left to the paper.
const gridColours = ["", "#1f77b4", "#d62728", "#2ca02c", "#f7c92e", "#7f7f7f", "#e377c2", "#ff7f0e", "#17becf"];

export const isPicture = (world: string): boolean => world !== "arithmetic";

export const numberText = (observation: string): string => String(Number(observation));

const cache = new Map<string, string>();

function pixels(world: string, observation: string): ImageData {
  if (world === "gridworld") {
    const side = Math.round(Math.sqrt(observation.length));
    const image = new ImageData(side, side);
    [...observation].forEach((digit, i) => {
      if (digit === "0") return;
      const colour = parseInt(gridColours[Number(digit)]!.slice(1), 16);
      image.data.set([colour >> 16, (colour >> 8) & 255, colour & 255, 255], 4 * i);
    });
    return image;
  }
  const bytes = atob(observation);
  const side = Math.round(Math.sqrt(bytes.length / 3));
  const image = new ImageData(side, side);
  for (let i = 0; i < side * side; ++i) {
    image.data.set([bytes.charCodeAt(3 * i), bytes.charCodeAt(3 * i + 1), bytes.charCodeAt(3 * i + 2), 255], 4 * i);
  }
  return image;
}

// A PNG of the observation, enlarged without smoothing, as a data address: it can be saved with the figure.
export function pictureAddress(world: string, observation: string): string {
  const known = cache.get(observation);
  if (known) return known;
  const image = pixels(world, observation);
  const small = document.createElement("canvas");
  small.width = small.height = image.width;
  small.getContext("2d")!.putImageData(image, 0, 0);
  const scale = Math.max(1, Math.round(120 / image.width));
  const large = document.createElement("canvas");
  large.width = large.height = image.width * scale;
  const context = large.getContext("2d")!;
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  const address = large.toDataURL("image/png");
  cache.set(observation, address);
  return address;
}
