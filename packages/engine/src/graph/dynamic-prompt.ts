// Resolves a text in which `{a|b}` is a choice, made again for each run, and removes its comments. The application never sees
// either: its editor resolves them when a graph is queued, and so must any reader of the editor's file.
const depthMax = 100;

// `random` returns a number from 0 up to, but not including, 1.
export function chooseTexts(text: string, random: () => number): string {
  return resolved(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""), random, 0);
}

function resolved(text: string, random: () => number, depth: number): string {
  if (depth > depthMax) return text;
  let out = "";
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") {
      out += text.slice(at, at + 2);
      at += 1;
    } else if (character === "{") {
      const { choices, end } = readChoices(text, at + 1);
      const chosen = choices[Math.floor(random() * choices.length)] ?? "";
      out += resolved(chosen.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""), random, depth + 1);
      at = end;
    } else out += character;
  }
  return out.replace(/\\([{}|])/g, "$1");
}

// Starts after the opening bracket; `end` is the closing one, or the end of the text if there is none.
function readChoices(text: string, start: number): { readonly choices: readonly string[]; readonly end: number } {
  const choices: string[] = [];
  let from = start;
  let depth = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === "{") depth += 1;
    else if (character === "}" && depth > 0) depth -= 1;
    else if (character === "}") break;
    else if (character === "|" && depth === 0) {
      choices.push(text.slice(from, at));
      from = at + 1;
    }
  }
  choices.push(text.slice(from, at));
  return { choices, end: at };
}
