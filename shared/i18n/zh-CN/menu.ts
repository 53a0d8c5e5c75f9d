import type { menu as english } from "../en/menu.ts";

/** 系统菜单。 */
export const menu: Record<keyof typeof english, string> = {
  "menu.app": "GPU Ledger",
  "menu.quit": "退出 GPU Ledger",
  "menu.edit": "编辑",
  "menu.undo": "撤销",
  "menu.redo": "重做",
  "menu.cut": "剪切",
  "menu.copy": "复制",
  "menu.paste": "粘贴",
  "menu.select-all": "全选",
  "menu.view": "视图",
  "menu.actual-size": "实际大小",
  "menu.zoom-in": "放大",
  "menu.zoom-out": "缩小",
  "menu.full-screen": "全屏",
};
