/** The Help screen. Its pages are in resources/help. */
export const help = {
  "screen.help": "Help",
  "help.pages": "Pages of the help",
  "help.sections": "On this page",
  "help.back": "Back",
  "help.worked-out": "How this is worked out",
} as const;
