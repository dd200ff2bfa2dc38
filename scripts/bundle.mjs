// Makes one file of a built program and every module of ours that it imports: Node takes about half a millisecond to find,
// read and link a module, and a short command would load fifty. Each module becomes a function that runs when it is first
// needed, so that a command still evaluates only what it uses. Modules of Node are taken without the list of exports that
// an import makes of them, which loads what nobody asked for.
// It reads what our compiler writes and nothing else: imports and exports stand at the beginning of a line, by name, never
// reassigned and never in a circle. Whatever it does not know ends the build.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";

// `inside` names the package that is taken along. Every other one must be imported where it is used, and stays outside.
export function bundle(entry, inside) {
  const modules = new Map();

  function take(file, importers) {
    if (importers.includes(file)) refuse(file, `imports itself by way of ${importers.at(-1)}`);
    const known = modules.get(file);
    if (known !== undefined) return known.name;
    const module = { name: `module${modules.size}`, text: "" };
    modules.set(file, module);
    module.text = rewritten(file, (from, isLater) => {
      if (!from.startsWith(".") && from !== inside && !from.startsWith(`${inside}/`)) return null;
      const target = from.startsWith(".") ? join(dirname(file), from) : createRequire(file).resolve(from);
      return take(target, isLater ? [] : [...importers, file]);
    });
    return module.name;
  }

  // Where a module stood, seen from where the bundle stands.
  function rewritten(file, nameOf) {
    const place = relative(dirname(entry), dirname(file)).split(sep).join("/");
    return asFunctionBody(file, nameOf).replaceAll(
      "import.meta.dirname",
      place === "" ? "import.meta.dirname" : `(import.meta.dirname + ${JSON.stringify(`/${place}`)})`,
    );
  }

  take(entry, []);
  const [program, ...others] = [...modules.values()].map(({ name, text }) => ({ name, text }));
  if (/^return \{/m.test(program.text)) refuse(entry, "exports something, and is a program");
  const functions = others.map(({ name, text }) => `const ${name} = once(() => {\n${text}\n});\n`);
  return inAscii(entry, `${once}${functions.join("")}${program.text}`);
}

const once = "const once = (make) => {\n    let made;\n    return () => (made ??= make());\n};\n";

// A text with a single other character is decoded more slowly and kept in twice the bytes: two milliseconds of a start.
// Escapes mean the same in strings, templates and patterns; in names and behind a backslash they would not.
function inAscii(entry, text) {
  const escaped = /\\[^\0-\x7f]/.exec(text);
  if (escaped) refuse(entry, `escapes what must not be escaped: ${escaped[0]}`);
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// `nameOf` says what one of our modules is called here; null for all others.
function asFunctionBody(file, nameOf) {
  const exported = [];
  const text = readFileSync(file, "utf8")
    .replace(/^import \{([^}]*)\} from "([^"]+)";$/gm, (_, names, from) => binding(file, pairs(names), from, nameOf))
    .replace(/^export \{([^}]*)\} from "([^"]+)";$/gm, (_, names, from) => {
      const passedOn = pairs(names).map(([theirs, ours]) => [theirs, `${ours}$`, ours]);
      exported.push(...passedOn.map(([, local, ours]) => `${ours}: ${local}`));
      return binding(file, passedOn, from, nameOf);
    })
    .replace(/^export \{([^}]*)\};$/gm, (_, names) => {
      exported.push(...pairs(names).map(([local, ours]) => `${ours}: ${local}`));
      return "";
    })
    .replace(/^export (?=(?:async function\*?|function\*?|class|const) ([\w$]+))/gm, (_, name) => {
      exported.push(name);
      return "";
    })
    .replace(/\bimport\("([^"]+)"\)/g, (whole, from) => {
      const name = nameOf(from, true);
      return name === null ? whole : `Promise.resolve().then(${name})`;
    });
  const unknown = /^(?:import|export)\b.*/m.exec(text);
  if (unknown) refuse(file, `says what is not understood: ${unknown[0]}`);
  return exported.length === 0 ? text : `${text}\nreturn { ${exported.join(", ")} };`;
}

function binding(file, names, from, nameOf) {
  const module = nameOf(from, false);
  const isNodes = from.startsWith("node:");
  if (module === null && !isNodes) refuse(file, `imports ${from} at once; import it where it is used`);
  const pattern = names.map(([theirs, ours]) => (theirs === ours ? ours : `${theirs}: ${ours}`)).join(", ");
  return `const { ${pattern} } = ${isNodes ? `process.getBuiltinModule("${from}")` : `${module}()`};`;
}

// "a, b as c" → [["a", "a"], ["b", "c"]]
function pairs(names) {
  return names
    .split(",")
    .map((name) => name.trim().split(/\s+as\s+/))
    .filter(([name]) => name !== "")
    .map(([theirs, ours = theirs]) => [theirs, ours]);
}

function refuse(file, why) {
  throw new Error(`${file} cannot be bundled: it ${why}`);
}
