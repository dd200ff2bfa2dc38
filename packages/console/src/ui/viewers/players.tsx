// Videos and sounds that users and models made. They have no captions.
import type { ReactNode } from "react";

interface PlayerProps {
  readonly className?: string | undefined;
  readonly src: string;
  readonly label: string;
  readonly onBroken: () => void;
}

export function Film({ className, src, label, onBroken }: PlayerProps): ReactNode {
  return (
    // biome-ignore lint/a11y/useMediaCaption: what users and models make has no captions
    <video className={className} src={src} controls loop playsInline aria-label={label} onError={onBroken} />
  );
}

export function Sound({ className, src, label, onBroken }: PlayerProps): ReactNode {
  // biome-ignore lint/a11y/useMediaCaption: what users and models make has no captions
  return <audio className={className} src={src} controls aria-label={label} onError={onBroken} />;
}
