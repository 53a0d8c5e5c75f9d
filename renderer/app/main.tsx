import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@fontsource-variable/source-sans-3/index.css";
import "@fontsource-variable/jetbrains-mono/index.css";
import "@fontsource-variable/noto-sans-sc/index.css";
import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/frame.css";
import "../styles/parts.css";
import "../styles/reports.css";
import "../styles/pivot.css";
import "../styles/findings.css";
import "../styles/imports.css";
import "../styles/help.css";
import "../styles/teams.css";
import "../styles/carbon.css";
import "../styles/commitments.css";
import "../styles/offers.css";
import "../styles/calculators.css";
import { clientOfThisPage } from "../ledger/client.ts";
import { LedgerProvider } from "../ledger/LedgerProvider.tsx";
import { followAddress } from "../state/view.ts";
import { createI18n, WordsProvider } from "../words/WordsProvider.tsx";
import { App } from "./App.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";

followAddress();
const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <WordsProvider i18n={createI18n((key) => console.error(`missing words: ${key}`))}>
        <ErrorBoundary>
          <LedgerProvider client={clientOfThisPage()}>
            <App />
          </LedgerProvider>
        </ErrorBoundary>
      </WordsProvider>
    </StrictMode>,
  );
}
