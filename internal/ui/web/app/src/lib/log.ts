// The log of a campaign.

import type { CampaignState, LogEntry } from "../api";

/** The newest log entries that a page keeps. */
export const logLimit = 500;

/**
 * appended returns a log with the entries that it does not have yet, and without the oldest ones beyond the limit. A stream that begins again
 * repeats entries.
 */
export function appended(log: readonly LogEntry[], more: readonly LogEntry[]): LogEntry[] {
  const id = (e: LogEntry) => JSON.stringify([e.at, e.event, e.target, e.text]);
  const known = new Set(log.map(id));
  const fresh = more.filter((e) => !known.has(id(e)) && known.add(id(e)));
  return fresh.length === 0 ? [...log] : [...log, ...fresh].slice(-logLimit);
}

/** whyEmpty says why a page shows no entry of a log. */
export function whyEmpty(log: readonly LogEntry[], state: CampaignState): string {
  if (log.length > 0) return "No entry matches the filter.";
  return state === "running" ? "The log is empty." : "The campaign is over. The history does not have its log.";
}
