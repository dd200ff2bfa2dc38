// What a person types into a form: the draft, what is wrong with it, and the props that tie a field to one of its texts. What is
// wrong is shown from the first try to submit on.
import { useState } from "react";

type TextName<Draft> = {
  [Name in keyof Draft]: string extends Draft[Name] ? Name : never;
}[keyof Draft];

type Wrong<Draft> = { readonly [Name in keyof Draft]?: string | null };

interface Typed {
  readonly target: { readonly value: string };
}

// For a form with one text, or none that can be wrong.
export function useField(first: string) {
  const [value, setValue] = useState(first);
  return [value, { value, onChange: ({ target }: Typed) => setValue(target.value) }] as const;
}

export function useDraft<Draft extends object>(
  first: Draft | (() => Draft),
  wrongIn: (draft: Draft) => Wrong<Draft> = () => ({}),
) {
  const [draft, setDraft] = useState(first);
  const [isAsked, setAsked] = useState(false);
  const found = wrongIn(draft);
  const wrong: Wrong<Draft> = isAsked ? found : {};
  const tied = (name: TextName<Draft>, read = (text: string) => text) => ({
    value: draft[name] as string,
    wrong: wrong[name],
    onChange: ({ target }: Typed) => setDraft({ ...draft, [name]: read(target.value) }),
  });
  return {
    draft,
    change: (more: Partial<Draft>) => setDraft({ ...draft, ...more }),
    wrong,
    field: (name: TextName<Draft>) => tied(name),
    // Without what the browser would suggest.
    text: (name: TextName<Draft>) => ({ ...tied(name), autoComplete: "off" }),
    // Also without spaces around it: a name or an amount.
    word: (name: TextName<Draft>) => ({ ...tied(name, (typed) => typed.trim()), autoComplete: "off" }),
    canSubmit: () => {
      setAsked(true);
      return Object.values(found).every((each) => each === null);
    },
  };
}
