// How a picture is viewed: its scale, and which point is in the middle. Points are fractions of the picture, so that pictures of
// different sizes can share a view.
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";

export interface View {
  // Screen pixels per picture pixel; null to fit.
  readonly zoom: number | null;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Looking {
  readonly view: View;
  // Zooms in or out and keeps the given point of the stage in place.
  zoomBy(factor: number, at?: { readonly x: number; readonly y: number }): void;
  panBy(dx: number, dy: number): void;
  fit(): void;
  oneToOne(): void;
  readonly shown: Shown;
}

export interface Shown {
  readonly zoom: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const zoomMin = 0.02;
export const zoomMax = 16;
// From this scale on we show single pixels, and when close up with faint lines between them; any earlier the lines would veil
// the picture.
export const pixelsFrom = 2;
export const gridFrom = 12;
const wholeView: View = { zoom: null, x: 0.5, y: 0.5 };

export function fitZoom(stage: Size, picture: Size): number {
  // Do not enlarge a small picture beyond twice its size.
  return Math.min(2, stage.width / picture.width, stage.height / picture.height);
}

export function shownOf(view: View, stage: Size, picture: Size): Shown {
  const zoom = view.zoom ?? fitZoom(stage, picture);
  const [width, height] = [picture.width * zoom, picture.height * zoom];
  const x = clamped(view.x, stage.width / width);
  const y = clamped(view.y, stage.height / height);
  return { zoom, width, height, left: stage.width / 2 - x * width, top: stage.height / 2 - y * height };
}

// Keeps the picture on the stage; a smaller one stays in the middle.
function clamped(point: number, seen: number): number {
  return seen >= 1 ? 0.5 : Math.min(1 - seen / 2, Math.max(seen / 2, point));
}

export function useLooking(stage: Size, picture: Size, key: string): Looking {
  const [state, setState] = useState({ key, view: wholeView });
  const view = state.key === key ? state.view : wholeView;
  return useMemo(() => {
    const set = (next: View) => setState({ key, view: next });
    const shown = shownOf(view, stage, picture);
    const inside = {
      x: (stage.width / 2 - shown.left) / shown.width,
      y: (stage.height / 2 - shown.top) / shown.height,
    };
    return {
      view,
      shown,
      zoomBy(factor, at = { x: stage.width / 2, y: stage.height / 2 }) {
        const zoom = Math.min(zoomMax, Math.max(zoomMin, shown.zoom * factor));
        const point = { x: (at.x - shown.left) / shown.width, y: (at.y - shown.top) / shown.height };
        const dx = (stage.width / 2 - at.x) / (picture.width * zoom);
        const dy = (stage.height / 2 - at.y) / (picture.height * zoom);
        set({ zoom, x: point.x + dx, y: point.y + dy });
      },
      panBy: (dx, dy) => set({ zoom: shown.zoom, x: inside.x - dx / shown.width, y: inside.y - dy / shown.height }),
      fit: () => set(wholeView),
      oneToOne: () => set({ zoom: 1, ...inside }),
    };
  }, [view, stage, picture, key]);
}

export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 1, height: 1 });
  useEffect(() => {
    const watched = element.current;
    if (watched === null) return;
    const watcher = new ResizeObserver(([entry]) => {
      const { width = 1, height = 1 } = entry?.contentRect ?? {};
      setSize({ width: Math.max(1, width), height: Math.max(1, height) });
    });
    watcher.observe(watched);
    return () => watcher.disconnect();
  }, [element]);
  return size;
}

// Wheel, drag and pinch on a stage.
export function usePointers(element: RefObject<HTMLElement | null>, looking: Looking): void {
  const now = useRef(looking);
  now.current = looking;
  useEffect(() => {
    const stage = element.current;
    if (stage === null) return;
    const down = new Map<number, { x: number; y: number }>();
    const control = new AbortController();
    const { signal } = control;
    const on = <Name extends keyof HTMLElementEventMap>(name: Name, run: (event: HTMLElementEventMap[Name]) => void) =>
      stage.addEventListener(name, run, { signal, passive: false });
    on("wheel", (event) => {
      event.preventDefault();
      const box = stage.getBoundingClientRect();
      now.current.zoomBy(2 ** (-event.deltaY / 300), { x: event.clientX - box.left, y: event.clientY - box.top });
    });
    on("dblclick", () => (now.current.view.zoom === null ? now.current.oneToOne() : now.current.fit()));
    on("pointerdown", (event) => {
      if (event.button !== 0 || (event.target as HTMLElement).closest("button,input,a")) return;
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      stage.setPointerCapture(event.pointerId);
    });
    on("pointermove", (event) => {
      const before = down.get(event.pointerId);
      if (before === undefined) return;
      const to = { x: event.clientX, y: event.clientY };
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      down.set(event.pointerId, to);
      if (other === undefined) return now.current.panBy(to.x - before.x, to.y - before.y);
      const apart = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      const box = stage.getBoundingClientRect();
      now.current.zoomBy(apart(to) / apart(before), {
        x: (to.x + other.x) / 2 - box.left,
        y: (to.y + other.y) / 2 - box.top,
      });
    });
    for (const name of ["pointerup", "pointercancel"] as const) on(name, (event) => down.delete(event.pointerId));
    return () => control.abort();
  }, [element]);
}
