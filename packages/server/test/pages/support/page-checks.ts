// What can be measured on a page: does it fit its window, is its text readable, do its controls have names. The scripts
// are strings because they run in the page, not here.
import type { Page } from "playwright-core";

export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

export interface Unreadable {
  readonly text: string;
  readonly ratio: number;
}

// Text whose contrast with its background is below 4.5 : 1 (WCAG 2.2, 1.4.3; large text counts as text).
export function unreadableText(page: Page): Promise<Unreadable[]> {
  return page.evaluate<Unreadable[]>(contrastScript);
}

// Controls without a name for keyboard and screen reader users.
export function namelessControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll("input:not([type=hidden]), select, button, a, summary")]
      .filter((it) => !(it.labels?.length > 0) && it.textContent.trim() === "" && !it.getAttribute("aria-label"))
      .map((it) => it.outerHTML.slice(0, 120))`);
}

const contrastScript = `(() => {
  const parse = (text) => {
    const numbers = (text.match(/[\\d.]+/g) ?? []).map(Number);
    // color(srgb r g b / a) counts from 0 to 1, rgb() from 0 to 255.
    const scale = text.startsWith("color(") ? 255 : 1;
    return { rgb: numbers.slice(0, 3).map((value) => value * scale), alpha: numbers[3] ?? 1 };
  };
  const over = (top, below) => top.rgb.map((value, index) => value * top.alpha + below[index] * (1 - top.alpha));
  // The canvas below everything: what color-scheme gives a page without a background.
  const canvas = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
  const ground = (element) => {
    if (!element) return canvas;
    const own = parse(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.rgb : over(own, ground(element.parentElement));
  };
  const light = (rgb) => {
    const [red, green, blue] = rgb.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (text === "" || element.getClientRects().length === 0) continue;
    const below = ground(element);
    const [a, b] = [light(over(parse(getComputedStyle(element).color), below)), light(below)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push({ text: text.slice(0, 60), ratio: Math.round(ratio * 100) / 100 });
  }
  return found;
})()`;
