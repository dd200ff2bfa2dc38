// The page's colours for canvas drawing. Read at drawing time, because light and dark share the names.
export function colourReader(element: HTMLElement): (name: string) => string {
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  return (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
}
