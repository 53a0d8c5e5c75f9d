import { useId } from "react";
import { Input, NumberField } from "react-aria-components";

interface RuleNumberProps {
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  /** Stored value of one unit shown: a share is shown in percent, seconds in minutes. */
  readonly factor: number;
  /** In the unit shown. */
  readonly min?: number;
  readonly max: number;
  readonly isDisabled?: boolean;
  readonly onChange: (value: number) => void;
}

/** One number of a rule with its unit. */
export function RuleNumber({ label, unit, value, factor, min = 0, max, isDisabled = false, onChange }: RuleNumberProps) {
  const id = useId();
  return (
    <div>
      <span id={id}>{label}</span>
      <NumberField
        className="field"
        aria-labelledby={`${id} ${id}-unit`}
        value={Math.round((value / factor) * 1000) / 1000}
        minValue={min}
        maxValue={max}
        isDisabled={isDisabled}
        formatOptions={{ maximumFractionDigits: 1 }}
        onChange={(shown) => !Number.isNaN(shown) && onChange(factor >= 1 ? Math.round(shown * factor) : Math.round(shown * factor * 1e6) / 1e6)}
      >
        <Input />
        <span id={`${id}-unit`}>{unit}</span>
      </NumberField>
    </div>
  );
}
