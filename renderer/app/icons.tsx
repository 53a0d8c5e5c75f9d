/** Line icons of 16 px, drawn for this product. */
const paths = {
  brand: "M1 2.5h14M1 6.5h9M1 10.5h14M1 13.5h14",
  review: "M3.5 2h9v12h-9zM6 5.5h4M6 8h4M6 10.500h2.500",
  efficiency: "M2.500 2.500h3v3h-3zM6.500 2.500h3v3h-3zM10.500 2.500h3v3h-3zM2.500 6.500h3v3h-3zM6.500 10.500h3v3h-3zM10.500 6.500h3v3h-3zM2.500 10.500h3v3h-3z",
  commitments: "M2 5.500h3v-2h3v6h3v-4h3M2 12.500h12",
  carbon: "M3.500 10.500c0-4.500 3.500-7.500 9-7.500c.3 5.800-2.700 9-6.500 9c-1.500 0-2.500-.6-2.500-1.500M2.500 13.500c1.500-3.300 3.700-5.300 6.700-6.700",
  offers: "M2.500 2.500v11h11M5.500 10.500v.1M7.500 6v.1M10 8.500v.1M12 4.500v.1",
  budgets: "M2.500 2.500v11h11M4.500 4l3 3.500 2.500-1 3.500 4M4.500 11h1",
  imports: "M8 2v8M5 7.200l3 3 3-3M2.500 10.500v3h11v-3",
  settings: "M2.500 4.500h6M11.500 4.500h2M2.500 11.500h2M7.500 11.500h6M8.500 3v3h3v-3zM4.500 10v3h3v-3z",
  help: "M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12M6.300 6.400a1.700 1.700 0 1 1 2.400 1.600c-.5.25-.7.6-.7 1.150M8 11.200v.1",
  pull: "M4.500 9.500a2.700 2.700 0 0 1 .3-5.400a3.600 3.600 0 0 1 6.900.9a2.300 2.300 0 0 1-.2 4.500M8 7v6.500M5.800 11.300l2.200 2.200 2.200-2.200",
  sample: "M2.500 13.500h11M4 13.500v-6M7 13.500v-9M10 13.500v-4M13 13.500v-10",
  ledger: "M2.500 3h11v10h-11zM2.500 6.300h11M2.500 9.600h11M6.500 3v10",
} as const;
export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return <svg viewBox="0 0 16 16" aria-hidden="true"><path d={paths[name]} /></svg>;
}

export function Glass() {
  return <svg viewBox="0 0 13 13" aria-hidden="true"><circle cx="5.5" cy="5.5" r="4" /><path d="M8.5 8.5 12 12" /></svg>;
}
