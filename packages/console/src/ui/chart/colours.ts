// Colours of the page for what is drawn on a canvas: read when it is drawn, since light and dark share their names.
export function colourReader(element: HTMLElement): (name: string) => string {
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  return (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
}
