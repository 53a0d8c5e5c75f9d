/** What the made-up company planned to spend: a month's budget by team for each half of its year, in US dollars. */
const plan: readonly { readonly team: string; readonly owner: string; readonly firstHalf: string; readonly secondHalf: string }[] = [
  { team: "Foundation models", owner: "N. Chen", firstHalf: "44000", secondHalf: "74000" },
  { team: "Vision", owner: "H. Su", firstHalf: "38000", secondHalf: "41000" },
  { team: "Speech", owner: "Y. Zhou", firstHalf: "17000", secondHalf: "25000" },
  { team: "Search & ranking", owner: "Q. He", firstHalf: "12500", secondHalf: "16500" },
  { team: "Simulation", owner: "L. Berg", firstHalf: "18000", secondHalf: "21000" },
  { team: "Platform", owner: "A. Finch", firstHalf: "5500", secondHalf: "5500" },
];

/** The plan as a person keeps it in a spreadsheet: a row a team, a column a month, October 2025 to September 2026. */
export function planCsv(): string {
  const months = Array.from({ length: 12 }, (_, index) => `${index < 3 ? 2025 : 2026}-${String(((index + 9) % 12) + 1).padStart(2, "0")}`);
  const rows = plan.map(({ team, owner, firstHalf, secondHalf }) => [team, owner, ...months.map((_, index) => (index < 6 ? firstHalf : secondHalf))]);
  return `${[["Team", "Owner", ...months], ...rows].map((cells) => cells.join(",")).join("\n")}\n`;
}
