// No accessibility checker sees what is drawn on a canvas, so the contrast of a chart's axes is measured on its pixels.
import type { Page } from "playwright-core";

// Of the pixel with the highest contrast below the plot, against the panel it is drawn on.
export function contrastOfText(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const canvas = document.querySelector("canvas");
    const over = document.querySelector(".u-over");
    const ratio = canvas.width / canvas.clientWidth;
    const top = Math.round((over.offsetTop + over.offsetHeight + 6) * ratio);
    const pixels = canvas.getContext("2d").getImageData(0, top, canvas.width, canvas.height - top).data;
    let panel = canvas;
    while (getComputedStyle(panel).backgroundColor === "rgba(0, 0, 0, 0)") panel = panel.parentElement;
    const ground = getComputedStyle(panel).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const light = (parts) => {
      const [red, green, blue] = parts.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    let most = 1;
    for (let at = 0; at < pixels.length; at += 4) {
      const cover = pixels[at + 3] / 255;
      if (cover < 0.5) continue;
      const seen = [0, 1, 2].map((part) => pixels[at + part] * cover + ground[part] * (1 - cover));
      const [high, low] = [light(seen), light(ground)].sort((one, two) => two - one);
      most = Math.max(most, (high + 0.05) / (low + 0.05));
    }
    return most;
  })()`);
}

// How much of a few pixels just above the x axis is covered, at this share of the plot's width: 1 within a bar, less where it is
// hatched, next to nothing on the empty ground.
export function coverAt(page: Page, share: number): Promise<number> {
  return page.evaluate<number>(`(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const canvas = document.querySelector("canvas");
    const over = document.querySelector(".u-over");
    const ratio = canvas.width / canvas.clientWidth;
    const x = Math.round((over.offsetLeft + over.offsetWidth * ${share}) * ratio);
    const y = Math.round((over.offsetTop + over.offsetHeight - 14) * ratio);
    const { data } = canvas.getContext("2d").getImageData(x - 4, y, 8, 8);
    let sum = 0;
    for (let at = 3; at < data.length; at += 4) sum += data[at];
    return sum / 255 / 64;
  })()`);
}
