// The badge as text, with the expression's own mistakes underlined where they are. Loaded when it is first needed.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, forceLinting, linter } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { type ReactNode, useEffect, useRef } from "react";

export interface TextProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

const look = EditorView.theme({
  "&": { backgroundColor: "var(--paper)", color: "var(--ink)", fontSize: "0.85rem", height: "100%" },
  "&.cm-focused": { outline: "2.5px solid var(--accent)", outlineOffset: "-2.5px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.6rem 0" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--soft)", border: "0" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1.5px" },
});

export function BadgeEditor(props: {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly problems: readonly TextProblem[];
}): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const newest = useRef(props);
  newest.current = props;
  useEffect(() => {
    if (element.current === null) return;
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
    const made = new EditorView({
      parent: element.current,
      state: EditorState.create({
        doc: newest.current.text,
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          history(),
          bracketMatching(),
          json(),
          linter(jsonParseLinter()),
          linter(({ state }) => newest.current.problems.map((each) => diagnosticOf(each, state.doc.length)), {
            needsRefresh: () => true,
          }),
          look,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "Badge as JSON", tabindex: "0" }),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) newest.current.onChange(update.state.doc.toString());
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
  const problems = JSON.stringify(props.problems);
  // biome-ignore lint/correctness/useExhaustiveDependencies: underlined again when the problems are others
  useEffect(() => {
    if (view.current === null) return;
    view.current.dispatch({});
    forceLinting(view.current);
  }, [problems]);
  return <div ref={element} style={{ height: "100%", minHeight: 0, overflow: "hidden" }} />;
}

const diagnosticOf = ({ from, to, message }: TextProblem, length: number): Diagnostic => ({
  from: Math.min(from, length),
  to: Math.min(to, length),
  severity: "error",
  message,
});
