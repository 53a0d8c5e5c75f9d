import type { ReactNode } from "react";
import { ComboBox, Dialog, Heading, Input, Label, ListBox, ListBoxItem, Modal, ModalOverlay, Popover, TextArea, TextField } from "react-aria-components";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { Refused } from "../parts/states.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isInvalid?: boolean;
  readonly isLong?: boolean;
  readonly hint?: string;
  readonly isDisabled?: boolean;
  readonly isFirst?: boolean;
}

/** A labelled line of text, or several lines. */
export function TextLine({ label, value, onChange, isInvalid = false, isLong = false, hint, isDisabled = false, isFirst = false }: TextProps) {
  return (
    <TextField className="form-field" value={value} onChange={onChange} isInvalid={isInvalid} isDisabled={isDisabled} autoFocus={isFirst}>
      <Label>{label}</Label>
      {isLong ? <TextArea className="text-input" rows={3} /> : <Input className="text-input" {...(hint === undefined ? {} : { placeholder: hint })} />}
    </TextField>
  );
}

/** A name that may be one of those known, or another. */
export function NameField({ label, value, names, onChange }: { readonly label: string; readonly value: string; readonly names: readonly string[]; readonly onChange: (value: string) => void }) {
  return (
    <ComboBox className="form-field" allowsCustomValue inputValue={value} onInputChange={onChange} menuTrigger="focus" defaultItems={names.map((id) => ({ id }))}>
      <Label>{label}</Label>
      <Input className="text-input" />
      <Popover className="popover"><ListBox<{ id: string }>>{({ id }) => <ListBoxItem id={id} textValue={id} className="option">{id}</ListBoxItem>}</ListBox></Popover>
    </ComboBox>
  );
}

interface FormDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onSave: () => void;
  readonly saveLabel?: string;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** What is wrong with the fields, in words. */
  readonly wrong?: string | null;
  readonly error?: LedgerError | null;
  /** At the left of the foot. */
  readonly aside?: ReactNode;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** Fields over the page with one main action; Escape leaves without it. */
export function FormDialog({ title, onClose, onSave, saveLabel, isBusy = false, isDisabled = false, wrong = null, error = null, aside, isWide = false, children }: FormDialogProps) {
  const { say } = useSpeech();
  return (
    <ModalOverlay className="veil whole" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className={isWide ? "form-dialog wide" : "form-dialog"}>
        <Dialog>
          <form onSubmit={(event) => { event.preventDefault(); onSave(); }} noValidate>
            <header><Heading slot="title" level={2}>{title}</Heading></header>
            <div className="form-body">{children}</div>
            {wrong !== null && <p className="form-wrong" role="alert"><span aria-hidden="true" className="alert-mark">▲</span> {wrong}</p>}
            {error !== null && <div className="form-wrong"><Refused error={error} /></div>}
            <footer>
              <span>{aside}</span>
              <button type="button" className="link" onClick={onClose}>{say("action.cancel")}</button>
              <button type="submit" className="link main" disabled={isBusy || isDisabled}>{isBusy ? say("field.saving") : (saveLabel ?? say("field.save"))}</button>
            </footer>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
