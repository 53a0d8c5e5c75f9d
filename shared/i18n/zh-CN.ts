import type { TextKey } from "./en.ts";
import { allocation } from "./zh-CN/allocation.ts";
import { app } from "./zh-CN/app.ts";
import { budgets } from "./zh-CN/budgets.ts";
import { teamsWindow } from "./zh-CN/budgets-window.ts";
import { errors } from "./zh-CN/errors.ts";
import { esg } from "./zh-CN/esg.ts";
import { explain } from "./zh-CN/explain.ts";
import { help } from "./zh-CN/help.ts";
import { imports } from "./zh-CN/imports.ts";
import { menu } from "./zh-CN/menu.ts";
import { metrics } from "./zh-CN/metrics.ts";
import { reports } from "./zh-CN/reports.ts";
import { settings } from "./zh-CN/settings.ts";
import { carbon } from "./zh-CN/carbon.ts";
import { plan } from "./zh-CN/plan.ts";
import { offers } from "./zh-CN/offers.ts";
import { calculators } from "./zh-CN/calculators.ts";
import { findings } from "./zh-CN/findings.ts";
import { connect } from "./zh-CN/connect.ts";
import { jobs } from "./zh-CN/jobs.ts";
import { ledger } from "./zh-CN/ledger.ts";
import { terminal } from "./zh-CN/terminal.ts";

/** Simplified Chinese; the same keys as English or it does not compile. */
export const zhCN: Record<TextKey, string> = { ...app, ...menu, ...reports, ...metrics, ...explain, ...help, ...imports, ...settings, ...terminal, ...errors, ...budgets, ...allocation, ...teamsWindow, ...carbon, ...esg, ...plan, ...offers, ...calculators, ...findings, ...connect, ...ledger, ...jobs };
