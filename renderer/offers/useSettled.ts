import { useEffect, useState } from "react";

/** A value once it has not changed for a moment, so that not every key asks. What is null for now leaves the one before in place. */
export function useSettled<T>(value: T, milliseconds = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === null) return;
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
