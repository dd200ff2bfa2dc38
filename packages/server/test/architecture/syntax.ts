// Sources as syntax trees, for laws that a pattern over the text cannot check: in a page's text, "//" is not a comment
// and an apostrophe does not open a string. Only the files passed in are parsed: no types, no libraries, nothing that
// they import.
import assert from "node:assert/strict";
import type { Node, SourceFile } from "typescript/unstable/ast";
import {
  isIdentifier,
  isJsxText,
  isNoSubstitutionTemplateLiteral,
  isPrivateIdentifier,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTemplateHead,
  isTemplateMiddle,
  isTemplateTail,
} from "typescript/unstable/ast/is";
import { createVirtualFileSystem } from "typescript/unstable/fs";
import { API } from "typescript/unstable/sync";
import type { Sources } from "./sources.ts";

export function eachTree<T>(sources: Sources, look: (path: string, file: SourceFile) => readonly T[]): T[] {
  if (sources.size === 0) return [];
  const options = { noLib: true, noResolve: true, types: [], allowJs: true, noEmit: true, jsx: "preserve" };
  const config = JSON.stringify({ compilerOptions: options, files: [...sources.keys()] });
  const files = Object.fromEntries([...sources].map(([path, text]) => [`/${path}`, text]));
  const api = new API({ cwd: "/", fs: createVirtualFileSystem({ ...files, "/tsconfig.json": config }) });
  try {
    const [project] = api.updateSnapshot({ openProject: "/tsconfig.json" }).getProjects();
    return [...sources.keys()].flatMap((path) => {
      const file = project?.program.getSourceFile(`/${path}`);
      assert.ok(file, path);
      return look(path, file);
    });
  } finally {
    api.close();
  }
}

export interface Piece {
  readonly text: string;
  // Counted on demand, which is rare.
  line(): number;
}

export function namesIn(file: SourceFile): Piece[] {
  return nodesOf(file, [isIdentifier, isPrivateIdentifier]).map((node) => ({
    text: node.getText(file),
    line: () => lineAt(file, node.getStart(file)),
  }));
}

// Line by line, leaving out strings, patterns and the text of pages.
export function commentsIn(file: SourceFile): Piece[] {
  const covering = [isStringLiteral, isRegularExpressionLiteral, isNoSubstitutionTemplateLiteral, isJsxText];
  const pieces: string[] = [];
  let done = 0;
  for (const node of nodesOf(file, [...covering, isTemplateHead, isTemplateMiddle, isTemplateTail])) {
    const start = isJsxText(node) ? node.pos : node.getStart(file);
    pieces.push(file.text.slice(done, start), file.text.slice(start, node.end).replaceAll(/[^\n]/g, "_"));
    done = node.end;
  }
  const uncovered = [...pieces, file.text.slice(done)].join("");
  return [...uncovered.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].flatMap(({ 0: comment, index }) =>
    comment.split("\n").map((text, at) => ({ text, line: () => lineAt(file, index) + at })),
  );
}

export function lineAt(file: SourceFile, position: number): number {
  return file.text.slice(0, position).split("\n").length;
}

// Of a file or a part of it, in source order.
export function nodesOf(root: Node, kinds: readonly ((node: Node) => boolean)[]): Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (kinds.some((is) => is(node))) found.push(node);
    node.forEachChild(visit);
  };
  visit(root);
  return found;
}
