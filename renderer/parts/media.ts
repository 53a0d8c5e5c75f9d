import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { usePreferences } from "../state/preferences.ts";

/** Under this width the rail shows icons alone and columns of the second order leave the tables. */
export const narrowQuery = "(max-width: 1099px)";

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    useCallback(
      (hear: () => void) => {
        const list = window.matchMedia(query);
        list.addEventListener("change", hear);
        return () => list.removeEventListener("change", hear);
      },
      [query],
    ),
    () => window.matchMedia(query).matches,
  );
}

export function useNarrow(): boolean {
  return useMedia(narrowQuery);
}

/** The theme that shows: the person's choice, else the system's. */
export function useTheme(): "light" | "dark" {
  const choice = usePreferences(({ theme }) => theme);
  const systemIsDark = useMedia("(prefers-color-scheme: dark)");
  if (choice !== "system") return choice;
  return systemIsDark ? "dark" : "light";
}

/** Width of an element in whole CSS pixels, kept up to date; 0 before it is known. */
export function useWidth<E extends HTMLElement>(): { readonly ref: (element: E | null) => void; readonly width: number } {
  const [width, setWidth] = useState(0);
  const observer = useRef<ResizeObserver | null>(null);
  const ref = useCallback((element: E | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    setWidth(Math.floor(element.clientWidth));
    observer.current = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.current.observe(element);
  }, []);
  useEffect(() => () => observer.current?.disconnect(), []);
  return { ref, width };
}
