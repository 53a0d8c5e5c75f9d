/** The frame of the window: navigation, top bar, status bar, common words. */
export const app = {
  "app.name": "GPU Ledger",
} as const;
