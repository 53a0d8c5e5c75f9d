import { useId, useState } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { type BookPrice, type Discount, type OwnPriceInput, type PriceFilter, type PriceList, type PriceOrigin, priceModes, priceOrigins, type PriceSheetImport } from "../../shared/contract/offers.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { useNarrow } from "../parts/media.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused, Skeleton } from "../parts/states.tsx";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { DiscountForm, OwnPriceForm } from "./PriceForms.tsx";
import { comma, modeText, moneyOf, providerText } from "./shown.ts";
import { useSettled } from "./useSettled.ts";

const ALL = " all";
const PAGE = 25;

/** Every price that holds today, who states it and how old it is; the person's own, discounts and sheets over the lists of the app. */
export function PriceBook({ status }: { readonly status: LedgerStatus }) {
  const speech = useSpeech();
  const { say, words, error } = speech;
  const [filter, setFilter] = useState<{ readonly text: string; readonly provider: string; readonly mode: PriceFilter["mode"] | typeof ALL; readonly origin: PriceOrigin | typeof ALL }>({ text: "", provider: ALL, mode: ALL, origin: ALL });
  const [limit, setLimit] = useState(PAGE);
  const text = useSettled(filter.text);
  const input: PriceFilter = { text, provider: filter.provider === ALL ? null : filter.provider, mode: filter.mode === ALL ? null : filter.mode, origin: filter.origin === ALL ? null : filter.origin, on: null, offset: 0, limit };
  const asked = useAsk("prices.list", input);
  const [form, setForm] = useState<{ readonly kind: "price"; readonly price: (OwnPriceInput & { readonly id: number }) | BookPrice | null } | { readonly kind: "discount"; readonly discount: Discount | null } | null>(null);
  const [taking, setTaking] = useState<{ readonly token: string; readonly preview: PriceSheetImport } | null>(null);
  const choose = useTell("files.choose");
  const read = useTell("prices.import");
  const tell = useNotice((store) => store.tell);
  const open = async (): Promise<void> => {
    const chosen = await choose.tell({ kind: "import" });
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    const [file] = chosen.value;
    if (file === undefined) return;
    const preview = await read.tell({ file: file.token, isPreview: true, by: null });
    if (!preview.ok) return tell({ text: error(preview.error).what, detail: error(preview.error).todo });
    setTaking({ token: file.token, preview: preview.value });
  };
  const take = async (): Promise<void> => {
    if (taking === null) return;
    const done = await read.tell({ file: taking.token, isPreview: false, by: null });
    if (!done.ok) return;
    tell({ text: sheetWords(done.value, speech, "prices.sheet.taken") });
    setTaking(null);
  };
  if (asked.state === "asking") return <Skeleton label={say("state.asking")} />;
  if (asked.state === "refused") return <Refused error={asked.error} />;
  const list = asked.value;
  return (
    <div aria-busy={asked.isOld}>
      <div className="page-head">
        <h1>{say("offers.tab.prices")}</h1>
        {!status.isReadOnly && (
          <span className="actions">
            <button type="button" className="link" onClick={() => setForm({ kind: "price", price: null })}>{say("prices.add")}</button>
            <button type="button" className="link" onClick={() => setForm({ kind: "discount", discount: null })}>{say("prices.add-discount")}</button>
            <Act className="link main" isBusy={read.isBusy} onPress={() => void open()}>{say(read.isBusy ? "prices.reading" : "prices.import")}</Act>
          </span>
        )}
      </div>
      <p className="answer">{say("prices.answer", { prices: words.count(list.counts.all), own: words.count(list.counts.own), sheets: words.count(list.counts.sheet), discounted: words.count(list.counts.discounted) })}</p>
      <p className="context">{say("prices.context")}</p>
      <div className="offers-page">
        <Prices list={list} filter={filter} onFilter={(change) => { setFilter((before) => ({ ...before, ...change })); setLimit(PAGE); }} onMore={() => setLimit(limit + PAGE * 8)} onOwn={status.isReadOnly ? null : (price) => setForm({ kind: "price", price })} />
        <div className="pair">
          <Discounts list={list} onEdit={status.isReadOnly ? null : (discount) => setForm({ kind: "discount", discount })} />
          <Sheets list={list} isReadOnly={status.isReadOnly} />
        </div>
        <Lists list={list} />
      </div>
      {form?.kind === "price" && <OwnPriceForm price={form.price} own={list.own} onClose={() => setForm(null)} />}
      {form?.kind === "discount" && <DiscountForm discount={form.discount} onClose={() => setForm(null)} />}
      {taking !== null && (
        <FormDialog title={say("prices.import.title", { file: taking.preview.file })} isWide onClose={() => setTaking(null)} onSave={() => void take()} saveLabel={say("prices.import.take")} isBusy={read.isBusy} error={read.error}>
          <p className="prose">{sheetWords(taking.preview, speech, "prices.sheet.preview")}</p>
          <p className="prose">{say("prices.sheet.compared", { added: words.count(taking.preview.added), cheaper: words.count(taking.preview.cheaper), dearer: words.count(taking.preview.dearer), same: words.count(taking.preview.same) })}</p>
          <table className="statement dense" aria-label={say("prices.import.title", { file: taking.preview.file })}>
            <thead><tr><th scope="col">{say("prices.import.machine")}</th><th scope="col">{say("prices.column.region")}</th><th scope="col">{say("prices.column.mode")}</th><th scope="col" className="n">{say("prices.import.before")}</th><th scope="col" className="n">{say("prices.import.now")}</th></tr></thead>
            <tbody>
              {taking.preview.sample.map((line) => (
                <tr key={[line.provider, line.instanceType, line.region, line.mode, line.now].join(" ")}>
                  <th scope="row">{providerText(speech, line.provider)} {line.instanceType}</th>
                  <td>{regionText(line.region, speech)}</td>
                  <td>{say(`prices.mode.${line.mode}`)}</td>
                  <td className="n">{line.before === null ? <span className="muted">{say("prices.import.new")}</span> : moneyOf(speech, line.before, line.currency, { digits: 4 })}</td>
                  <td className="n">{moneyOf(speech, line.now, line.currency, { digits: 4 })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </FormDialog>
      )}
    </div>
  );
}

interface PricesProps {
  readonly list: PriceList;
  readonly filter: { readonly text: string; readonly provider: string; readonly mode: PriceFilter["mode"] | typeof ALL; readonly origin: PriceOrigin | typeof ALL };
  readonly onFilter: (change: Partial<PricesProps["filter"]>) => void;
  readonly onMore: () => void;
  readonly onOwn: ((price: BookPrice) => void) | null;
}

function Prices({ list, filter, onFilter, onMore, onOwn }: PricesProps) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const isNarrow = useNarrow();
  const all = { id: ALL, text: say("prices.filter.all") } as const;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("prices.title")} note={say("prices.note", { total: words.count(list.total) })} />
      <div className="price-filter">
        <TextLine label={say("prices.search")} value={filter.text} onChange={(text) => onFilter({ text })} />
        <Choice label={say("prices.filter.provider")} value={filter.provider} choices={[all, ...list.providers.map((provider) => ({ id: provider, text: providerText(speech, provider) }))]} onChoose={(provider) => onFilter({ provider })} />
        <Choice label={say("prices.filter.mode")} value={filter.mode ?? ALL} choices={[all, ...priceModes.map((mode) => ({ id: mode, text: say(`prices.mode.${mode}`) }))]} onChoose={(mode) => onFilter({ mode })} />
        <Choice label={say("prices.filter.origin")} value={filter.origin} choices={[all, ...priceOrigins.map((origin) => ({ id: origin, text: say(`prices.origin.${origin}`) }))]} onChoose={(origin) => onFilter({ origin })} />
      </div>
      {list.prices.length === 0 ? <p className="context">{say("prices.none")}</p> : (
        <table className="statement dense price-table" aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{say("prices.column.machine")}</th>
              <th scope="col">{say("prices.column.region")}</th>
              <th scope="col">{say("prices.column.mode")}</th>
              <th scope="col" className="n">{say("prices.column.price")}</th>
              <th scope="col">{say("prices.column.currency")}</th>
              <th scope="col">{say("prices.column.from")}</th>
              <th scope="col">{say("prices.column.date")}</th>
              <th scope="col" className="n">{say("prices.column.age")}</th>
              {!isNarrow && <th scope="col">{say("prices.column.beats")}</th>}
            </tr>
          </thead>
          <tbody>
            {list.prices.map((price) => {
              const [beaten] = price.beaten;
              const name = `${providerText(speech, price.provider)} ${price.instanceType}`;
              return (
                <tr key={[price.provider, price.instanceType, price.region, price.mode, price.payment, price.isConvertible, price.scope].join(" ")}>
                  <th scope="row">{onOwn === null ? name : <button type="button" className="row-toggle" title={say("prices.override")} onClick={() => onOwn(price)}>{name}</button>}</th>
                  <td>{regionText(price.region, speech)}</td>
                  <td>{modeText(speech, price)}</td>
                  <td className="n">{moneyOf(speech, price.effectivePerHour, price.currency, { bare: true, digits: 4 })}</td>
                  <td>{price.currency}</td>
                  <td className={price.origin === "list" ? "clip muted" : "clip"} title={words.reference(price.source)}>{price.origin === "list" ? (price.isSuperseded ? say("offers.superseded") : say("prices.origin.list")) : `${say(`prices.origin.${price.origin}`)} ${price.source}`}{price.discount !== null && `${comma(speech)}${price.discount.name} −${price.discount.percent} %`}</td>
                  <td>{words.instant(`${price.priceDate}T00:00:00Z`, "day")}</td>
                  <td className="n">{say("prices.age", { count: price.ageDays })}</td>
                  {!isNarrow && <td className="beaten">{beaten === undefined ? "" : say("prices.beats", { price: moneyOf(speech, beaten.pricePerHour, beaten.currency, { digits: 4 }), date: beaten.priceDate, origin: say(`prices.origin.${beaten.origin}`) })}</td>}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {list.prices.length < list.total && <p className="actions after-table"><button type="button" className="link" onClick={onMore}>{say("prices.more")}</button></p>}
    </section>
  );
}

function Discounts({ list, onEdit }: { readonly list: PriceList; readonly onEdit: ((discount: Discount) => void) | null }) {
  const speech = useSpeech();
  const { say } = speech;
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("prices.discounts.title")} />
      {list.discounts.length === 0 ? <p className="context">{say("prices.discounts.none")}</p> : (
        <table className="statement dense" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("prices.form.name")}</th><th scope="col">{say("prices.discounts.for")}</th><th scope="col" className="n">{say("prices.discounts.percent")}</th><th scope="col">{say("prices.discounts.days")}</th></tr></thead>
          <tbody>
            {list.discounts.map((discount) => (
              <tr key={discount.id}>
                <th scope="row">{onEdit === null ? discount.name : <button type="button" className="row-toggle" onClick={() => onEdit(discount)}>{discount.name}</button>}</th>
                <td>{[providerText(speech, discount.provider), discount.instanceType, discount.region, discount.mode === null ? null : say(`prices.mode.${discount.mode}`)].filter((part) => part !== null).join(comma(speech))}</td>
                <td className="n">{discount.percent} %</td>
                <td>{discount.untilDay === null ? say("prices.discounts.open", { from: discount.fromDay }) : say("prices.discounts.span", { from: discount.fromDay, until: discount.untilDay })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Sheets({ list, isReadOnly }: { readonly list: PriceList; readonly isReadOnly: boolean }) {
  const { say, words, error } = useSpeech();
  const id = useId();
  const remove = useTell("prices.remove-sheet");
  const tell = useNotice((store) => store.tell);
  const throwAway = async (sheet: number): Promise<void> => {
    const done = await remove.tell({ id: sheet, by: null });
    tell(done.ok ? { text: say("prices.removed") } : { text: error(done.error).what, detail: error(done.error).todo });
  };
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("prices.sheets.title")} />
      {list.sheets.length === 0 ? <p className="context">{say("prices.sheets.none")}</p> : (
        <table className="statement dense" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("prices.sheets.file")}</th><th scope="col">{say("prices.sheets.format")}</th><th scope="col" className="n">{say("prices.lists.prices")}</th><th scope="col">{say("prices.column.date")}</th><th scope="col"><span className="for-readers">{say("field.remove")}</span></th></tr></thead>
          <tbody>
            {list.sheets.map((sheet) => (
              <tr key={sheet.id}>
                <th scope="row" title={`${say("prices.sheets.by")} ${words.instant(sheet.importedAt, "minute")}, ${sheet.importedBy}`}>{sheet.file}</th>
                <td>{say(`prices.format.${sheet.format}`)}</td>
                <td className="n">{words.count(sheet.prices)}</td>
                <td>{words.instant(`${sheet.priceDate}T00:00:00Z`, "day")}</td>
                <td>{!isReadOnly && <button type="button" className="link small" onClick={() => void throwAway(sheet.id)}>{say("field.remove")}</button>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Lists({ list }: { readonly list: PriceList }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("prices.lists.title")} note={say("prices.lists.note")} />
      <table className="statement dense" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("prices.filter.provider")}</th><th scope="col" className="n">{say("prices.lists.prices")}</th><th scope="col">{say("prices.lists.dates")}</th><th scope="col">{say("prices.lists.source")}</th></tr></thead>
        <tbody>
          {list.lists.map(({ provider, prices, oldest, newest, source }) => (
            <tr key={provider}>
              <th scope="row">{providerText(speech, provider)}</th>
              <td className="n">{words.count(prices)}</td>
              <td>{oldest === newest ? words.instant(`${newest}T00:00:00Z`, "day") : say("prices.discounts.span", { from: words.instant(`${oldest}T00:00:00Z`, "day"), until: words.instant(`${newest}T00:00:00Z`, "day") })}</td>
              <td className="clip muted" title={words.reference(source)}>{words.reference(source)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function regionText(region: string, { say }: Pick<ReturnType<typeof useSpeech>, "say">): string {
  return region === "*" ? say("prices.every-region") : region;
}

function sheetWords({ file, format, prices, rowsRead, rowsSkipped, priceDate }: PriceSheetImport, { say, words }: ReturnType<typeof useSpeech>, key: "prices.sheet.preview" | "prices.sheet.taken"): string {
  return say(key, { file, format: say(`prices.format.${format}`), prices: words.count(prices), rows: words.count(rowsRead), skipped: words.count(rowsSkipped), date: words.instant(`${priceDate}T00:00:00Z`, "day") });
}
