// The events of a campaign that runs, collected for a page.

import type { CampaignDetail, CampaignPage, LogEntry } from "../api";
import { appended, logLimit } from "./log";

/** Feed changes a page by the events of its campaign. */
export interface Feed {
  state: (data: CampaignDetail) => void;
  log: (entry: LogEntry) => void;
}

/**
 * feed returns a Feed. set changes the page, which is null until it is fetched. soon calls a function before the browser draws: log entries
 * that come together are drawn together. A page that is not drawn keeps the newest entries only.
 */
export function feed(set: (change: (old: CampaignPage | null) => CampaignPage | null) => void, soon: (f: () => void) => void): Feed {
  let waiting: LogEntry[] = [];
  return {
    // A state has no log.
    state: (data) => set((old) => (old ? { ...old, ...data, log: old.log } : null)),
    log: (entry) => {
      if (waiting.length === 0) {
        soon(() => {
          const more = waiting;
          waiting = [];
          set((old) => (old ? { ...old, log: appended(old.log, more) } : old));
        });
      }
      waiting.push(entry);
      if (waiting.length >= 2 * logLimit) waiting = waiting.slice(-logLimit);
    },
  };
}
