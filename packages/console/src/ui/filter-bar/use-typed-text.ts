// What a field that filters contains. It is passed on when typing pauses, so that a word is one search, and at once when the field
// is left: a filter that reached the address after a click on a link would call the person back from where the link leads.
import { type ChangeEventHandler, useEffect, useEffectEvent, useRef, useState } from "react";

interface TypedText {
  readonly value: string;
  readonly onChange: ChangeEventHandler<HTMLInputElement>;
  readonly onBlur: () => void;
}

const pauseMs = 250;

export function useTypedText(text: string, onText: (text: string) => void): TypedText {
  const [typed, setTyped] = useState(text);
  const passed = useRef(text);
  useEffect(() => {
    if (text === passed.current) return;
    passed.current = text;
    setTyped(text);
  }, [text]);
  const pass = (written: string) => {
    if (written === passed.current) return;
    passed.current = written;
    onText(written);
  };
  const passLater = useEffectEvent(pass);
  useEffect(() => {
    const timer = setTimeout(() => passLater(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return { value: typed, onChange: ({ target }) => setTyped(target.value), onBlur: () => pass(typed.trim()) };
}
