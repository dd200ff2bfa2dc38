// A JSON editor that underlines mistakes. Loaded on first use. Tab leaves it, as it leaves every field.
import {
  deleteLine,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  moveLineDown,
  moveLineUp,
  standardKeymap,
} from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, type KeyBinding, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type ReactNode, useEffect, useRef } from "react";
import { lookAgain, mistakes, type TextProblem } from "./mistakes.ts";

const unreadable = jsonParseLinter();

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--info)" },
  { tag: tags.string, color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

const keys: readonly KeyBinding[] = [
  ...standardKeymap,
  ...historyKeymap,
  { key: "Mod-[", run: indentLess },
  { key: "Mod-]", run: indentMore },
  { key: "Alt-ArrowUp", run: moveLineUp },
  { key: "Alt-ArrowDown", run: moveLineDown },
  { key: "Shift-Mod-k", run: deleteLine },
];

const look = EditorView.theme({
  "&": { backgroundColor: "var(--paper)", color: "var(--ink)", fontSize: "0.85rem", height: "100%" },
  "&.cm-focused": { outline: "2.5px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.6rem 0" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--soft)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in oklab, var(--accent-soft) 40%, transparent)",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-soft) !important" },
});

export function JsonEditor(props: {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  // Further problems: it is JSON, but not what is wanted.
  readonly problems?: readonly TextProblem[];
  // Puts the cursor there and shows it; again with each new value.
  readonly reveal?: { readonly offset: number } | null;
}): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (element.current === null) return;
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
    const made = new EditorView({
      parent: element.current,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          history(),
          highlightActiveLine(),
          bracketMatching(),
          json(),
          mistakes((shown) => [...unreadable(shown), ...(latest.current.problems ?? [])]),
          syntaxHighlighting(colours),
          look,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": latest.current.label, tabindex: "0" }),
          keymap.of(keys),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  const { text } = props;
  useEffect(() => {
    const now = view.current;
    if (now === null || now.state.doc.toString() === text) return;
    now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: text } });
  }, [text]);
  const { reveal } = props;
  useEffect(() => {
    const now = view.current;
    if (now === null || !reveal) return;
    const anchor = Math.min(reveal.offset, now.state.doc.length);
    now.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    now.focus();
  }, [reveal]);
  const problems = JSON.stringify(props.problems);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at a change of what it does not read
  useEffect(() => {
    if (view.current !== null) lookAgain(view.current);
  }, [problems]);
  return <div ref={element} style={{ height: "100%", minHeight: 0, overflow: "hidden", borderRadius: "inherit" }} />;
}
