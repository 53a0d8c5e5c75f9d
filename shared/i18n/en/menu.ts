/** The system's menu of the app. */
export const menu = {
  "menu.app": "GPU Ledger",
  "menu.quit": "Quit GPU Ledger",
  "menu.edit": "Edit",
  "menu.undo": "Undo",
  "menu.redo": "Redo",
  "menu.cut": "Cut",
  "menu.copy": "Copy",
  "menu.paste": "Paste",
  "menu.select-all": "Select all",
  "menu.view": "View",
  "menu.actual-size": "Actual size",
  "menu.zoom-in": "Zoom in",
  "menu.zoom-out": "Zoom out",
  "menu.full-screen": "Full screen",
} as const;
