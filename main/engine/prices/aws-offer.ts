/** AWS price list: the EC2 offer file as CSV or JSON, and what `aws pricing get-products` prints. Linux, shared tenancy, nothing pre-installed. */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Payment, PriceMode } from "../../../shared/contract/offers.ts";
import type { Reference } from "../reference/catalog.ts";
import { machineOf } from "./machines.ts";
import { BadPrice, currencyText, dayText, fieldsOf, isNothing, listOf, priceText, recordsOf, refuse, textIn, type Fields, type SheetFile, type SheetPrice } from "./sheet.ts";

export function looksLikeAwsOffer({ start, isJson }: SheetFile): boolean {
  return isJson ? /"offerCode"\s*:|"PriceList"\s*:|"priceDimensions"/.test(start) : /"?OfferTermCode"?,/.test(start) && /"?PricePerUnit"?/.test(start);
}

interface Counted {
  readonly prices: SheetPrice[];
  readonly rowsRead: number;
  readonly rowsSkipped: number;
}

export async function readAwsOfferCsv(sheet: SheetFile, reference: Reference): Promise<Counted> {
  const found = new Offer(sheet.name, reference);
  let header: ReadonlyMap<string, number> | null = null;
  for await (const { cells, line } of recordsOf(sheet)) {
    if (header === null) {
      // Five lines about the file stand before its header.
      if (cells.includes("OfferTermCode")) header = new Map(cells.map((name, index) => [name.toLowerCase(), index]));
      continue;
    }
    found.rowsRead += 1;
    const at = header;
    const cell = (name: string): string => cells[at.get(name) ?? -1] ?? "";
    if (!isPlain({ os: cell("operating system"), tenancy: cell("tenancy"), software: cell("pre installed s/w"), capacity: cell("capacitystatus"), operation: cell("operation") })) continue;
    const product = { instanceType: cell("instance type"), region: cell("region code"), location: cell("location"), gpus: cell("gpu") };
    found.take(product, {
      line,
      term: cell("termtype"),
      lease: cell("leasecontractlength"),
      purchase: cell("purchaseoption"),
      offering: cell("offeringclass"),
      unit: cell("unit"),
      price: cell("priceperunit"),
      currency: cell("currency"),
      day: cell("effectivedate"),
    });
  }
  return found.done();
}

export function readAwsOfferJson(sheet: SheetFile, root: unknown, reference: Reference): Counted {
  const found = new Offer(sheet.name, reference);
  const top = fieldsOf(root);
  const listed = listOf(top["PriceList"]).map((entry) => fieldsOf(typeof entry === "string" ? parsed(sheet.name, entry) : entry));
  if (listed.length > 0) {
    for (const { product, terms } of listed) readProduct(found, fieldsOf(product), fieldsOf(terms), (ofType) => Object.values(fieldsOf(ofType)));
  } else {
    const terms = fieldsOf(top["terms"]);
    for (const [sku, product] of Object.entries(fieldsOf(top["products"]))) readProduct(found, fieldsOf(product), terms, (ofType) => Object.values(fieldsOf(fieldsOf(ofType)[sku])));
  }
  return found.done();
}

/** `aws pricing get-products` prints each product as a text of its own. */
function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadPrice(ledgerError("prices.broken", { file }));
  }
}

function readProduct(found: Offer, product: Fields, terms: Fields, offersOf: (ofType: unknown) => readonly unknown[]): void {
  const attributes = fieldsOf(product["attributes"]);
  const isOurs = isPlain({ os: textIn(attributes, "operatingSystem"), tenancy: textIn(attributes, "tenancy"), software: textIn(attributes, "preInstalledSw"), capacity: textIn(attributes, "capacitystatus"), operation: textIn(attributes, "operation") });
  const machine = { instanceType: textIn(attributes, "instanceType"), region: textIn(attributes, "regionCode"), location: textIn(attributes, "location"), gpus: textIn(attributes, "gpu") };
  for (const [term, ofType] of Object.entries(terms)) {
    for (const offer of offersOf(ofType).map(fieldsOf)) {
      const kind = fieldsOf(offer["termAttributes"]);
      for (const dimension of Object.values(fieldsOf(offer["priceDimensions"])).map(fieldsOf)) {
        found.rowsRead += 1;
        if (!isOurs) continue;
        const perUnit = Object.entries(fieldsOf(dimension["pricePerUnit"]));
        const [currency, price] = perUnit[0] ?? ["", ""];
        found.take(machine, {
          line: 0, term, lease: textIn(kind, "LeaseContractLength"), purchase: textIn(kind, "PurchaseOption"), offering: textIn(kind, "OfferingClass"),
          unit: textIn(dimension, "unit"), price: String(price), currency, day: textIn(offer, "effectiveDate"),
        });
      }
    }
  }
}

function isPlain({ os, tenancy, software, capacity, operation }: { readonly os: string; readonly tenancy: string; readonly software: string; readonly capacity: string; readonly operation: string }): boolean {
  return os === "Linux" && tenancy === "Shared" && (software === "" || software === "NA") && (capacity === "" || capacity === "Used") && (operation === "" || operation === "RunInstances");
}

interface Dimension {
  readonly line: number;
  readonly term: string;
  readonly lease: string;
  readonly purchase: string;
  readonly offering: string;
  readonly unit: string;
  readonly price: string;
  readonly currency: string;
  readonly day: string;
}

/** A commitment is two dimensions, the hours and the upfront fee: both become one price. */
class Offer {
  rowsRead = 0;
  #rowsTaken = 0;
  readonly #prices = new Map<string, SheetPrice>();

  readonly file: string;
  readonly reference: Reference;

  constructor(file: string, reference: Reference) {
    this.file = file;
    this.reference = reference;
  }

  take(product: { readonly instanceType: string; readonly region: string; readonly location: string; readonly gpus: string }, row: Dimension): void {
    const machine = machineOf(this.reference, "aws", product.instanceType, product.gpus);
    if (machine === null) return;
    const { file } = this;
    const { line } = row;
    const region = product.region || product.location;
    if (region === "") refuse(file, line, "Region Code", "", "required");
    const isUpfront = /^quantity$/i.test(row.unit);
    if (!isUpfront && !/^(hrs|hours?)$/i.test(row.unit)) refuse(file, line, "Unit", row.unit, "price-hour");
    const amount = priceText(file, line, "PricePerUnit", row.price);
    const currency = currencyText(file, line, "Currency", row.currency);
    const { mode, payment } = termOf(file, line, row);
    // A machine that costs nothing on demand is one that the region does not sell.
    if (mode === "on-demand" && isNothing(amount)) return;
    this.#rowsTaken += 1;
    const isConvertible = /convertible/i.test(row.offering);
    const key = [product.instanceType, region, mode, payment, isConvertible].join("\n");
    const known = this.#prices.get(key);
    this.#prices.set(key, {
      line, provider: "aws", instanceType: product.instanceType, region, mode, payment, isConvertible, currency,
      pricePerHour: isUpfront ? (known?.pricePerHour ?? "0") : amount,
      upfront: isUpfront ? amount : (known?.upfront ?? "0"),
      acceleratorId: machine.acceleratorId, acceleratorCount: machine.count, scope: "machine",
      priceDate: dayText(file, line, "EffectiveDate", row.day),
    });
  }

  done(): Counted {
    return { prices: [...this.#prices.values()], rowsRead: this.rowsRead, rowsSkipped: this.rowsRead - this.#rowsTaken };
  }
}

function termOf(file: string, line: number, { term, lease, purchase }: Dimension): { readonly mode: PriceMode; readonly payment: Payment | null } {
  if (/^on ?demand$/i.test(term)) return { mode: "on-demand", payment: null };
  if (!/^reserved$/i.test(term)) refuse(file, line, "TermType", term, "purchase-mode");
  const mode = /^1 ?y/i.test(lease) ? "commit-1y" : /^3 ?y/i.test(lease) ? "commit-3y" : null;
  if (mode === null) refuse(file, line, "LeaseContractLength", lease, "purchase-mode");
  const payment = /^no/i.test(purchase) ? "none" : /^partial/i.test(purchase) ? "partial" : /^all/i.test(purchase) ? "all" : null;
  if (payment === null) refuse(file, line, "PurchaseOption", purchase, "purchase-mode");
  return { mode, payment };
}
