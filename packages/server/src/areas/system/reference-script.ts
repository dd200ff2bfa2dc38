// The two scripts of the API reference, each named in the policy by its hash. The page is complete without them: they add the
// console's choice of colours, search, copying, and highlighting of the current section. They make no network requests.

// In the head, before anything is drawn.
export const themeScript = `{const [,t]=/(?:^|; )atelier_theme=(light|dark)(?:;|$)/.exec(document.cookie)??[];if(t)document.documentElement.dataset.theme=t}`;

// At the end of the body. Texts are set as text; nothing becomes markup.
export const referenceScript = `
"use strict";
const root = document.documentElement, one = (what, of = document) => of.querySelector(what), all = (what, of = document) => [...of.querySelectorAll(what)];
const make = (tag, className, text = "") => { const made = document.createElement(tag); if (className) made.className = className; made.textContent = text; return made; };

// Collapsed where it would stand before the page, open where it stands beside it.
const menu = one("#navigation"), wide = matchMedia("(min-width: 62.01rem)"), fold = () => { menu.open = wide.matches; };
fold(); wide.addEventListener("change", fold);
menu.addEventListener("click", (event) => { if (event.target.closest("a") && !wide.matches) menu.open = false; });

// As the system has it, light, dark: the same choice as in the console.
const themes = ["system", "light", "dark"], themeButton = one("#theme");
const chosen = () => root.dataset.theme ?? "system", tell = () => { themeButton.textContent = { system: "Auto", light: "Light", dark: "Dark" }[chosen()]; themeButton.title = "Colours: as the system has them, light, or dark"; };
themeButton.hidden = false; tell();
themeButton.addEventListener("click", () => {
  const next = themes[(themes.indexOf(chosen()) + 1) % 3];
  if (next === "system") delete root.dataset.theme; else root.dataset.theme = next;
  document.cookie = "atelier_theme=" + next + "; path=/; samesite=lax; max-age=" + (next === "system" ? 0 : 31536000);
  tell();
});

for (const code of all(".code")) {
  const button = make("button", "button copy", "Copy");
  button.type = "button";
  button.setAttribute("aria-label", "Copy " + one("pre", code).getAttribute("aria-label"));
  button.addEventListener("click", async () => {
    const text = one("pre", code).textContent;
    const done = await (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(() => true, () => false);
    if (!done) { const field = make("textarea"); field.value = text; document.body.append(field); field.select(); document.execCommand("copy"); field.remove(); }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  code.append(button);
}

// A link to a part opens it; so does the address the page was opened with.
const reveal = () => { const part = document.getElementById(decodeURIComponent(location.hash.slice(1))); if (part?.localName === "details") part.open = true; };
addEventListener("hashchange", reveal); reveal();

// What is being read: the last part that began above the upper third of the window.
const parts = all("main > section > h2, main > section > details"), links = new Map(all("#navigation a").map((link) => [link.hash.slice(1), link]));
let marked = null, asked = false;
const mark = () => {
  asked = false;
  let low = 0, high = parts.length;
  while (low < high) { const middle = (low + high) >> 1; if (parts[middle].getBoundingClientRect().top < innerHeight / 3) low = middle + 1; else high = middle; }
  const link = links.get(parts[Math.max(0, low - 1)]?.id);
  if (link === undefined || link === marked) return;
  marked?.removeAttribute("aria-current"); marked = link; link.setAttribute("aria-current", "location");
  const area = link.closest(".area");
  for (const other of all(".area.here")) if (other !== area) { other.classList.remove("here"); if (other.dataset.opened) { other.open = false; delete other.dataset.opened; } }
  if (area) { area.classList.add("here"); if (!area.open) { area.open = true; area.dataset.opened = "1"; } }
  if (wide.matches) { const side = one(".side"), at = link.getBoundingClientRect(), frame = side.getBoundingClientRect(); if (at.top < frame.top + 40 || at.bottom > frame.bottom - 40) side.scrollTop += at.top - frame.top - frame.height / 3; }
};
addEventListener("scroll", () => { if (!asked) { asked = true; requestAnimationFrame(mark); } }, { passive: true }); mark();

// Search: every word must occur; where it occurs says how high it stands.
const find = one(".find"), field = one("#find"), list = one("#found"), count = one("#count");
find.hidden = false;
let entries = null, at = 0, shown = [];
const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, " ");
const read = () => all("main > section > details").map((part) => {
  const summary = one("summary", part), method = one(".m", summary)?.textContent ?? "", name = one("code", summary).textContent;
  const inside = all("td:first-child > code", part).map((code) => code.textContent).join(" ");
  const words = one("span", summary).textContent, area = part.closest("section").dataset.area;
  return { part, method, name, words, area, fields: [[method + " " + name, 8], [part.id.replace("schema-", "").replace(/([a-z])([A-Z])/g, "$1 $2") + " " + part.id, 7], [words, 4], [area, 2], [inside, 1]].map(([text, weight]) => [" " + plain(text), weight]) };
});
const rank = (entry, words) => { let sum = 0; for (const word of words) { let best = 0; for (const [text, weight] of entry.fields) { const where = text.indexOf(word); if (where < 0) continue; best = Math.max(best, weight + (text[where - 1] === " " ? weight / 2 : 0)); } if (best === 0) return 0; sum += best; } return sum + (entry.method ? 1 : 0); };
const pick = (entry) => { close(); field.value = ""; entry.part.open = true; if (location.hash === "#" + entry.part.id) entry.part.scrollIntoView(); else location.hash = entry.part.id; one("summary", entry.part).focus({ preventScroll: true }); };
const close = () => { list.hidden = true; field.setAttribute("aria-expanded", "false"); field.removeAttribute("aria-activedescendant"); };
const choose = (next) => { at = next; all("li[role=option]", list).forEach((item, index) => { item.setAttribute("aria-selected", String(index === at)); if (index === at) { field.setAttribute("aria-activedescendant", item.id); item.scrollIntoView({ block: "nearest" }); } }); };
const show = () => {
  const words = plain(field.value).split(" ").filter(Boolean);
  if (words.length === 0) { count.textContent = ""; return close(); }
  entries ??= read();
  shown = entries.map((entry) => [rank(entry, words), entry]).filter(([score]) => score > 0).sort((a, b) => b[0] - a[0]).slice(0, 40).map(([, entry]) => entry);
  list.replaceChildren(...shown.map((entry, index) => {
    const item = make("li"), name = make("span");
    item.id = "found-" + index; item.setAttribute("role", "option");
    name.append(make("code", "", entry.name));
    item.append(entry.method ? make("b", "m m-" + entry.method.toLowerCase(), entry.method) : make("span", "quiet", "Schema"), name, make("small", "", entry.area + (entry.words ? " · " + entry.words : "")));
    item.addEventListener("mousedown", (event) => { event.preventDefault(); pick(entry); });
    return item;
  }));
  if (shown.length === 0) { const none = make("li", "none", "Nothing has all of these words."); none.setAttribute("role", "option"); none.setAttribute("aria-disabled", "true"); list.append(none); }
  count.textContent = shown.length + (shown.length === 1 ? " result" : " results");
  list.hidden = false; field.setAttribute("aria-expanded", "true");
  choose(0);
};
field.addEventListener("input", show); field.addEventListener("focus", show); field.addEventListener("blur", close);
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { if (list.hidden) field.blur(); field.value = ""; close(); }
  if (list.hidden || shown.length === 0) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); choose((at + (event.key === "ArrowDown" ? 1 : shown.length - 1)) % shown.length); }
  if (event.key === "Enter") { event.preventDefault(); pick(shown[at]); }
});
addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");
  const isFind = (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) || (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey));
  if (isFind) { event.preventDefault(); field.focus(); field.select(); }
});
`;
