import { create } from "zustand";

/** Which job, or which host's minutes, a person looks at closely, from wherever they came. */
interface JobsStore {
  readonly job: string | null;
  readonly host: { readonly host: string; readonly at: number } | null;
  readonly openJob: (job: string) => void;
  /** `at`: Unix milliseconds. */
  readonly openHost: (host: string, at: number) => void;
  readonly close: () => void;
}
export const useJobs = create<JobsStore>()((set) => ({
  job: null,
  host: null,
  openJob: (job) => set({ job, host: null }),
  openHost: (host, at) => set({ job: null, host: { host, at } }),
  close: () => set({ job: null, host: null }),
}));
