import type { help as en } from "../en/help.ts";

export const help: Record<keyof typeof en, string> = {
  "screen.help": "帮助",
  "help.pages": "帮助目录",
  "help.sections": "本页内容",
  "help.back": "返回",
  "help.worked-out": "这个数字如何得出",
};
