import { allocation } from "./en/allocation.ts";
import { app } from "./en/app.ts";
import { budgets } from "./en/budgets.ts";
import { teamsWindow } from "./en/budgets-window.ts";
import { errors } from "./en/errors.ts";
import { esg } from "./en/esg.ts";
import { explain } from "./en/explain.ts";
import { help } from "./en/help.ts";
import { imports } from "./en/imports.ts";
import { menu } from "./en/menu.ts";
import { metrics } from "./en/metrics.ts";
import { reports } from "./en/reports.ts";
import { settings } from "./en/settings.ts";
import { carbon } from "./en/carbon.ts";
import { plan } from "./en/plan.ts";
import { offers } from "./en/offers.ts";
import { calculators } from "./en/calculators.ts";
import { findings } from "./en/findings.ts";
import { connect } from "./en/connect.ts";
import { jobs } from "./en/jobs.ts";
import { ledger } from "./en/ledger.ts";
import { terminal } from "./en/terminal.ts";

/** Every English text of the product under one flat key each. zh-CN has the same keys, checked by the compiler. */
export const en = { ...app, ...menu, ...reports, ...metrics, ...explain, ...help, ...imports, ...settings, ...terminal, ...errors, ...budgets, ...allocation, ...teamsWindow, ...carbon, ...esg, ...plan, ...offers, ...calculators, ...findings, ...connect, ...ledger, ...jobs } as const;

/**
 * A key of the catalogs. Plural forms are i18next's: `x_one` and `x_other` are asked for as `x` with a `count`;
 * Chinese has the same keys, both forms alike.
 */
export type TextKey = keyof typeof en;
