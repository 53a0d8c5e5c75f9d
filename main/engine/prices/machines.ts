import type { ProviderId, Reference } from "../reference/catalog.ts";
import { recognizeGpuCharge } from "../reference/charge.ts";
import { typeKey } from "../reference/type-names.ts";

/** What is in a machine of a price list; null where it holds no accelerator. `stated`: the count that the list itself gives. */
export function machineOf(reference: Reference, provider: ProviderId, instanceType: string, stated: string): { readonly acceleratorId: string | null; readonly count: number | null } | null {
  const known = reference.lookups.typeByKey.get(typeKey(provider, instanceType));
  if (known !== undefined) return { acceleratorId: known.acceleratorId, count: known.acceleratorCount };
  const count = /^\d+(\.\d+)?$/.test(stated.trim()) && Number(stated) > 0 ? Number(stated) : null;
  const found = recognizeGpuCharge(reference, { provider, instanceType });
  if (found === null && count === null) return null;
  return { acceleratorId: found?.acceleratorId ?? null, count: found?.gpuCount ?? count };
}
