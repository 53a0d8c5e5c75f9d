import { Menu } from "electron";
import type { MenuItemConstructorOptions } from "electron";
import type { TextKey } from "../../shared/i18n/en.ts";
import { catalogs } from "../../shared/i18n/index.ts";

/**
 * Copy and paste, zoom, quit: what the system expects of every window; all that is ours is in the window itself.
 * In the system's language, since the menu is there before the person has chosen one.
 */
export function setMenu(locale: string, isMac: boolean): void {
  const catalog = catalogs[locale.toLowerCase().startsWith("zh") ? "zh-CN" : "en"];
  const word = (key: TextKey) => catalog[key] ?? key;
  const edit: MenuItemConstructorOptions[] = [
    { role: "undo", label: word("menu.undo") },
    { role: "redo", label: word("menu.redo") },
    { type: "separator" },
    { role: "cut", label: word("menu.cut") },
    { role: "copy", label: word("menu.copy") },
    { role: "paste", label: word("menu.paste") },
    { role: "selectAll", label: word("menu.select-all") },
  ];
  const view: MenuItemConstructorOptions[] = [
    { role: "resetZoom", label: word("menu.actual-size") },
    { role: "zoomIn", label: word("menu.zoom-in") },
    { role: "zoomOut", label: word("menu.zoom-out") },
    { type: "separator" },
    { role: "togglefullscreen", label: word("menu.full-screen") },
  ];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      isMac ? { role: "appMenu" } : { label: word("menu.app"), submenu: [{ role: "quit", label: word("menu.quit") }] },
      { label: word("menu.edit"), submenu: edit },
      { label: word("menu.view"), submenu: view },
    ]),
  );
}
