// Operators on values that are known. Null means that only a run could tell.
import type { Interpreter } from "./interpreter.ts";
import { type DictValue, dict, external, isKind, isPlain, list, truthOf, type Value } from "./value.ts";

const textMax = 100_000;
const itemsMax = 20_000;

export function compare(word: string, left: Value, right: Value): boolean | null {
  if (word === "in" || word === "not in") {
    const found = contains(right, left);
    return found === null ? null : found === (word === "in");
  }
  if (word === "is" || word === "is not") {
    if (right !== null && !isPlain(left)) return null;
    if (truthOf(left) === undefined) return null;
    return (left === right) === (word === "is");
  }
  if (!isPlain(left) || !isPlain(right)) return null;
  if (word === "==") return left === right;
  if (word === "!=") return left !== right;
  if (typeof left !== typeof right || left === null || right === null) return null;
  if (word === "<") return left < right;
  if (word === ">") return left > right;
  if (word === "<=") return left <= right;
  return word === ">=" ? left >= right : null;
}

function contains(holder: Value, wanted: Value): boolean | null {
  if (!isPlain(wanted)) return null;
  // As `os.getenv` has it.
  if (isKind(holder, "external") && holder.path === "os.environ") return false;
  if (typeof holder === "string") return typeof wanted === "string" ? holder.includes(wanted) : null;
  if (isKind(holder, "list")) return holder.items.includes(wanted) || (holder.open === null ? false : null);
  if (isKind(holder, "dict")) return holder.entries.has(wanted) || (holder.open === null ? false : null);
  return null;
}

export function binary(run: Pick<Interpreter, "spend">, word: string, left: Value, right: Value): Value | null {
  if (word === "+" && (isKind(left, "list") || isKind(right, "list"))) return joined(run, left, right);
  if (word === "|" && isKind(left, "dict")) return merged(run, left, right);
  if (word === "+" && typeof left === "string" && typeof right === "string") {
    run.spend((left.length + right.length) >> 6);
    return left.length + right.length > textMax ? null : left + right;
  }
  if (word === "*" && isKind(left, "list") && typeof right === "number") return repeated(left.items, right);
  if (word === "*" && typeof left === "string" && typeof right === "number") {
    return right * left.length > textMax ? null : left.repeat(Math.max(0, right));
  }
  if (word === "%" && typeof left === "string") return percent(left, right);
  if (word === "/" && typeof left === "string" && typeof right === "string") return `${left}/${right}`;
  return arithmetic(word, left, right);
}

function joined(run: Pick<Interpreter, "spend">, left: Value, right: Value): Value {
  const [first, second] = [itemsOf(left), itemsOf(right)];
  run.spend(first.items.length + second.items.length);
  const items = [...first.items, ...second.items];
  return list(items.slice(0, itemsMax), first.open ?? second.open ?? (items.length > itemsMax ? left : null));
}

function merged(run: Pick<Interpreter, "spend">, left: DictValue, right: Value): Value {
  const more = isKind(right, "dict") ? right : dict([], right);
  run.spend(left.entries.size + more.entries.size);
  return dict([...left.entries, ...more.entries], left.open ?? more.open);
}

function repeated(items: readonly Value[], times: number): Value | null {
  if (items.length * times > itemsMax) return null;
  return list(Array.from({ length: Math.max(0, Math.floor(times)) }, () => items).flat());
}

function percent(text: string, right: Value): Value | null {
  const values = isKind(right, "list") ? [...right.items] : [right];
  if (!values.every(isPlain)) return null;
  return text.replace(/%[sd%]/g, (mark) => (mark === "%%" ? "%" : String(values.shift() ?? "")));
}

function arithmetic(word: string, left: Value, right: Value): Value | null {
  const isWhole = (value: Value) => typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
  if (word === "**" && typeof right === "number" && (right > 128 || right < -128)) return null;
  if (word === "<<" && typeof right === "number" && right > 256) return null;
  if (isWhole(left) && isWhole(right) && word !== "/") {
    const [a, b] = [BigInt(left as number), BigInt(right as number)];
    const result = wholeOf(word, a, b);
    if (result === null) return null;
    return Number.isSafeInteger(Number(result)) ? Number(result) : result;
  }
  if (typeof left !== "number" || typeof right !== "number") return null;
  if (word === "+") return left + right;
  if (word === "-") return left - right;
  if (word === "*") return left * right;
  if (word === "/") return right === 0 ? null : left / right;
  return word === "**" ? left ** right : null;
}

function wholeOf(word: string, a: bigint, b: bigint): bigint | null {
  if (a > 2n ** 2048n || b > 2n ** 2048n) return null;
  if (word === "+") return a + b;
  if (word === "-") return a - b;
  if (word === "*") return a * b;
  if (word === "**") return b < 0n ? null : a ** b;
  if (word === "<<") return b < 0n ? null : a << b;
  if (word === "//") return b === 0n || a < 0n || b < 0n ? null : a / b;
  if (word === "%") return b === 0n || a < 0n || b < 0n ? null : a % b;
  if (word === "|") return a | b;
  return word === "&" ? a & b : null;
}

// Undefined if only a run could tell.
export function subscript(of: Value, key: Value): Value | undefined {
  if (isKind(of, "dict") && isPlain(key)) return of.entries.get(key);
  // `Type[Parameter]` is still the type.
  if (isKind(of, "class")) return of;
  if (isKind(of, "call")) return of;
  if (isKind(of, "external")) return typeof key === "string" ? external(`${of.path}.${key}`) : of;
  if (typeof key !== "number") return undefined;
  if (typeof of === "string") return of.at(key);
  return isKind(of, "list") && (of.open === null || key >= 0) ? of.items.at(key) : undefined;
}

// What a loop goes over, as far as it is known.
export function itemsOf(value: Value): { readonly items: readonly Value[]; readonly open: Value | null } {
  if (isKind(value, "list")) return value;
  if (isKind(value, "dict")) return { items: [...value.entries.keys()], open: value.open };
  if (typeof value === "string") return { items: [...value].slice(0, itemsMax), open: null };
  // An enumeration: its members are what is left when methods and inner names are taken away.
  if (isKind(value, "class")) {
    const members = [...value.members].filter(([name, member]) => !name.startsWith("_") && isPlain(member));
    return { items: members.map(([, member]) => member), open: null };
  }
  return { items: [], open: value };
}
