// Finds words for people in sources: text in elements, values of props and members that are shown or read out, arguments of
// toasts, and any other literal that reads like a sentence or a label.
import { type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast";
import {
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isJsxAttribute,
  isJsxElement,
  isJsxExpression,
  isJsxFragment,
  isJsxText,
  isLiteralTypeNode,
  isNoSubstitutionTemplateLiteral,
  isParenthesizedExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
} from "typescript/unstable/ast/is";
import { lineAt } from "./syntax.ts";

export interface Prose {
  readonly line: number;
  readonly text: string;
}

// Props, and members of the same names (a table's columns, a chart's lines).
const shownNames =
  /^(title|label|lead|hint|action|placeholder|aria-label|aria-description|alt|why|head|caption|words|text|empty)$/;
// What they hold is code, to be typed or copied as it is.
const codeElements = /^(code|kbd|pre|samp|CodeBlock)$/;
const toastCalls = /^(toast|toastFault)$/;
// Capitalised, but the same in every language: keys of a keyboard, names of programs, words of Python.
const properNames =
  /^(Enter|Escape|Tab|Home|End|Space|Backspace|Delete|Shift|Control|Meta|Python|Chrome|Chromium|Edge|Firefox|Opera|Safari|Windows|Linux|Android|Bearer|Bearer …|Atelier|None|True|False)$/;
// The value of a binary expression comes from one of its sides.
const joins: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.QuestionQuestionToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.PlusToken,
]);

export function proseIn(file: SourceFile): Prose[] {
  const found = new Map<number, Prose>();
  const keep = (node: Node, text: string): void => {
    const start = isJsxText(node) ? node.pos + (/\S/.exec(file.text.slice(node.pos))?.index ?? 0) : node.getStart(file);
    found.set(start, { line: lineAt(file, start), text: text.trim().replaceAll(/\s+/g, " ") });
  };
  const keepIf = (isProse: (text: string) => boolean, value: Node | undefined): void => {
    for (const node of literalsOf(value)) {
      const text = textOf(node);
      if (isProse(text)) keep(node, text);
    }
  };
  const visit = (node: Node): void => {
    if (isLiteralTypeNode(node)) return;
    if (isJsxElement(node) || isJsxFragment(node)) {
      const isCode = isJsxElement(node) && codeElements.test(node.openingElement.tagName.getText(file));
      for (const child of isCode ? [] : node.children) {
        if (isJsxText(child) && hasLetter(child.text)) keep(child, child.text);
        if (isJsxExpression(child)) keepIf(hasLetter, child.expression);
      }
    } else if (isJsxAttribute(node) || isPropertyAssignment(node)) {
      if (shownNames.test(node.name.getText(file).replaceAll('"', ""))) keepIf(readsAsWords, node.initializer);
    } else if (isCallExpression(node) && toastCalls.test(node.expression.getText(file)))
      for (const argument of node.arguments) keepIf(hasLetter, argument);
    else if (isLiteral(node) && (readsAsSentence(textOf(node)) || readsAsLabel(textOf(node)))) keep(node, textOf(node));
    node.forEachChild(visit);
  };
  visit(file);
  return [...found].sort(([one], [other]) => one - other).map(([, prose]) => prose);
}

// The literals that an expression can turn into: both ways of a choice, but neither its condition nor the arguments of a call.
function literalsOf(node: Node | undefined): Node[] {
  if (node === undefined) return [];
  if (isLiteral(node)) return [node];
  if (isJsxExpression(node) || isParenthesizedExpression(node)) return literalsOf(node.expression);
  if (isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (isBinaryExpression(node) && joins.has(node.operatorToken.kind))
    return [...literalsOf(node.left), ...literalsOf(node.right)];
  return [];
}

function isLiteral(node: Node): boolean {
  return isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isTemplateExpression(node);
}

// A value inside a template counts as no word, and joins what touches it.
function textOf(node: Node): string {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!isTemplateExpression(node)) return "";
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
}

const hasLetter = (text: string): boolean => /\p{L}/u.test(text);

const readsAsWords = (text: string): boolean => wordsIn(text) >= 2 || readsAsLabel(text);

const readsAsSentence = (text: string): boolean => wordsIn(text) >= 3;

// One word with a capital, or several of which the first has one.
function readsAsLabel(text: string): boolean {
  return /^[A-Z][a-z]+(?:[- ’'…][a-z…]+)*[.:]?$/.test(text.trim()) && !properNames.test(text.trim());
}

// Words of a language, as opposed to what code is made of: camelCase, paths, flags, calls.
function wordsIn(text: string): number {
  const word = /^["“(]?(?:[A-Z]?[a-z]+|[A-Z]{2,}s?|A|I)(?:[-’'][a-z]+)*[.,:;!?)”"…]*$/;
  return text.split(/\s+/).filter((part) => word.test(part)).length;
}
