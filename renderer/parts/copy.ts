/** Puts a text on the clipboard. The app grants pages no permission, so the old way is there for when the new one is refused. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "for-readers";
    const host = document.querySelector("[role=dialog]") ?? document.body;
    const focused = document.activeElement;
    host.append(field);
    field.select();
    // The only way left where the asynchronous clipboard is refused.
    const isCopied = document.execCommand("copy");
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}
