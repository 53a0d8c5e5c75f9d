import { useEffect } from "react";
import { useView } from "../state/view.ts";

/** F1 opens the help. */
export function useHelpKey(): void {
  const look = useView((view) => view.look);
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.key !== "F1") return;
      event.preventDefault();
      look({ screen: "help" });
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, [look]);
}
