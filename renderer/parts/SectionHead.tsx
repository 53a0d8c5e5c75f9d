import type { ReactNode } from "react";

/** Head of a section: what it is, in which unit and how to read it, and at the right end what can be done with it. A note cut short for want of room is whole in its title. */
export function SectionHead({ id, title, note, tone, children }: { readonly id?: string | undefined; readonly title: string; readonly note?: string | null | undefined; readonly tone?: string | undefined; readonly children?: ReactNode }) {
  return (
    <div className="section-head">
      <h2 id={id} data-tone={tone}>{title}</h2>
      {note !== null && note !== undefined && note !== "" && <small title={note}>{note}</small>}
      {children !== undefined && <span className="at-end">{children}</span>}
    </div>
  );
}
