// Underlines mistakes in a text and explains them on hover. Waits until typing pauses.
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

export interface TextProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

// After the last change of the text.
const waitMs = 400;

const found = StateEffect.define<DecorationSet>();
const look = StateEffect.define<null>();

const underlined = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (set, { changes, effects }) =>
    effects.reduce((now, effect) => (effect.is(found) ? effect.value : now), set.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
});

export function mistakes(find: (view: EditorView) => readonly TextProblem[]): Extension {
  const watcher = ViewPlugin.define((view) => {
    const show = () => view.dispatch({ effects: found.of(decorationsOf(view, find(view))) });
    // Deferred, because a view cannot be changed while it is being created or updated.
    let timer = setTimeout(show);
    const showIn = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(show, ms);
    };
    return {
      update({ docChanged, transactions }: ViewUpdate) {
        if (docChanged) showIn(waitMs);
        else if (transactions.some(({ effects }) => effects.some((effect) => effect.is(look)))) showIn(0);
      },
      destroy: () => clearTimeout(timer),
    };
  });
  return [
    underlined,
    watcher,
    EditorView.theme({ ".cm-mistake": { textDecoration: "underline wavy var(--bad) 1.5px" } }),
  ];
}

// The problems have changed, but not the text.
export function lookAgain(view: EditorView): void {
  view.dispatch({ effects: look.of(null) });
}

function decorationsOf({ state: { doc } }: EditorView, problems: readonly TextProblem[]): DecorationSet {
  const ranges = problems.flatMap(({ from, to, message }) => {
    // A point becomes the character there, or the last one before the end.
    const start = Math.max(0, Math.min(from, doc.length - 1));
    const end = Math.min(Math.max(to, start + 1), doc.length);
    return end > start
      ? [Decoration.mark({ class: "cm-mistake", attributes: { title: message } }).range(start, end)]
      : [];
  });
  return Decoration.set(ranges, true);
}
