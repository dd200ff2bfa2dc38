// A charge that counts up to what it is, once. With less motion it is there at once.
import { type ReactNode, useEffect, useState } from "react";
import { formatCredits } from "../amounts.ts";
import { stepOf } from "./credit-steps.ts";

const lastsMs = 600;

export function CreditsUp(props: { readonly to: string; readonly say: (credits: string) => string }): ReactNode {
  const [share, setShare] = useState(() => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 0));
  useEffect(() => {
    const begun = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const passed = Math.min(1, Math.max(0, now - begun) / lastsMs);
      setShare((old) => Math.max(old, 1 - (1 - passed) ** 3));
      if (passed < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return props.say(formatCredits(share === 1 ? props.to : stepOf(props.to, share)));
}
