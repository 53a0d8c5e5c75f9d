import { useState } from "react";
import type { DragEvent, ReactNode } from "react";

/** Takes files dropped from outside the window. What is dropped elsewhere is left alone, so that the page stays. */
export function DropArea({ className, label, onDrop, children }: { readonly className: string; readonly label: string; readonly onDrop: (files: readonly File[]) => void; readonly children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  const isFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes("Files");
  return (
    <div
      className={className}
      role="group"
      aria-label={label}
      data-drop-target={isOver || undefined}
      onDragOver={(event) => {
        if (!isFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        setOver(true);
      }}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDrop={(event) => {
        if (!isFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onDrop([...event.dataTransfer.files]);
      }}
    >
      {children}
    </div>
  );
}
