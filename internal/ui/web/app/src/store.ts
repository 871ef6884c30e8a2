// The connection to the server, and data that pages fetch from it.

import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, request, type CampaignDetail, type CampaignPage, type Info, type LogEntry } from "./api";
import { feed } from "./lib/feed";

/** Connection is the state of the connection. When it is restored, the epoch grows, and pages fetch all data again. */
export interface Connection {
  state: "starting" | "ok" | "lost" | "refused";
  epoch: number;
  info: Info | null;
}

let connection: Connection = { state: "starting", epoch: 0, info: null };
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
const probeEvery = 2000; // while the server does not answer
const checkEvery = 5000; // while it answers, so that a page that fetches nothing more notices when the server stops

function setConnection(next: Partial<Connection>): void {
  connection = { ...connection, ...next };
  for (const f of listeners) f();
}

/** probe requests /api/info, and again after a while. */
export async function probe(): Promise<void> {
  clearTimeout(timer);
  try {
    const info = await request<Info>("/api/info");
    const restored = connection.state === "lost" || connection.state === "refused";
    if (connection.state !== "ok" || JSON.stringify(info) !== JSON.stringify(connection.info)) {
      setConnection({ info, state: "ok", epoch: connection.epoch + (restored ? 1 : 0) });
    }
  } catch (e) {
    const state = e instanceof ApiError && e.status === 401 ? "refused" : "lost";
    if (connection.state !== state) setConnection({ state });
  }
  later();
}

/** later calls probe after a while. A hidden page does not call it while the server answers. */
function later(): void {
  clearTimeout(timer);
  const answers = connection.state === "ok";
  timer = setTimeout(() => (answers && document.hidden ? later() : void probe()), answers ? checkEvery : probeEvery);
}

/** failed tells the connection about an error of a request. */
function failed(e: unknown): void {
  if (e instanceof ApiError && (e.status === 0 || e.status === 401) && (connection.state === "ok" || connection.state === "starting")) {
    setConnection({ state: e.status === 401 ? "refused" : "lost" });
    void probe();
  }
}

export function useConnection(): Connection {
  const [c, set] = useState(connection);
  useEffect(() => {
    const f = () => set(connection);
    listeners.add(f);
    f();
    return () => void listeners.delete(f);
  }, []);
  return c;
}

/** useVisible reports whether the page is visible. */
function useVisible(): boolean {
  const [v, set] = useState(!document.hidden);
  useEffect(() => {
    const f = () => set(!document.hidden);
    document.addEventListener("visibilitychange", f);
    return () => document.removeEventListener("visibilitychange", f);
  }, []);
  return v;
}

/** Query is the state of a request. At first it has neither data nor an error. An error does not remove older data. */
export interface Query<T> {
  data: T | null;
  error: ApiError | null;
  loading: boolean;
  reload: () => void;
}

/**
 * useQuery fetches a path. It fetches it again after a number of milliseconds while the page is visible (0: never), after reload, and when
 * the connection is restored. A null path fetches nothing.
 */
export function useQuery<T>(path: string | null, every = 0): Query<T> {
  const { epoch, state } = useConnection();
  const visible = useVisible();
  const [again, setAgain] = useState(0);
  const [result, setResult] = useState<{ path: string | null; data: T | null; error: ApiError | null }>({ path: null, data: null, error: null });
  useEffect(() => {
    if (path === null || state === "lost" || state === "refused") return;
    const abort = new AbortController();
    let next: ReturnType<typeof setTimeout> | undefined;
    const run = async () => {
      try {
        const data = await request<T>(path, { signal: abort.signal });
        setResult({ path, data, error: null });
      } catch (e) {
        if (abort.signal.aborted) return;
        failed(e);
        const error = e instanceof ApiError ? e : new ApiError(0, String(e));
        setResult((old) => ({ path, data: old.path === path ? old.data : null, error }));
      }
      if (every > 0 && visible && !abort.signal.aborted) next = setTimeout(() => void run(), every);
    };
    void run();
    return () => {
      abort.abort();
      clearTimeout(next);
    };
  }, [path, every, again, epoch, visible && every > 0, state === "lost" || state === "refused"]);
  const mine = result.path === path;
  return {
    data: mine ? result.data : null,
    error: mine ? result.error : null,
    loading: path !== null && !mine,
    reload: () => setAgain((n) => n + 1),
  };
}

/**
 * useCampaign fetches a campaign. While the campaign runs and the page is visible, it follows the events; a hidden page costs the fuzzer
 * nothing.
 */
export function useCampaign(id: string): Query<CampaignPage> {
  const path = `/api/campaigns/${encodeURIComponent(id)}`;
  const query = useQuery<CampaignPage>(path);
  const visible = useVisible();
  const { state: connected, epoch } = useConnection();
  const [live, setLive] = useState<CampaignPage | null>(null);
  const [attempt, setAttempt] = useState(0);
  const reload = useRef(query.reload);
  reload.current = query.reload;
  const running = query.data?.campaign.state === "running";
  useEffect(() => setLive(running ? query.data : null), [query.data]); // a page that does not change is drawn once
  useEffect(() => {
    if (!running || !visible || connected !== "ok") return;
    const source = new EventSource(`${path}/events`);
    let retry: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const parse = <T,>(e: Event, f: (data: T) => void) => {
      try {
        f(JSON.parse((e as MessageEvent<string>).data) as T);
      } catch {
        // A line that is not JSON changes nothing; the next one comes within a second.
      }
    };
    const events = feed(setLive, requestAnimationFrame);
    source.addEventListener("state", (e) => parse<CampaignDetail>(e, events.state));
    source.addEventListener("log", (e) => parse<LogEntry>(e, events.log));
    source.addEventListener("end", () => {
      source.close();
      reload.current();
    });
    source.addEventListener("error", () => {
      source.close();
      void probe().then(() => {
        if (over) return;
        retry = setTimeout(() => {
          setAttempt((n) => n + 1);
          reload.current();
        }, 1500);
      });
    });
    return () => {
      over = true;
      source.close();
      clearTimeout(retry);
    };
  }, [path, running, visible, connected, epoch, attempt]);

  // The log of a page that was hidden has gaps, so the page fetches it again.
  const was = useRef(visible);
  useEffect(() => {
    if (visible && !was.current && running) reload.current();
    was.current = visible;
  }, [visible, running]);

  const data = live && query.data && String(live.campaign.id) === String(query.data.campaign.id) ? live : query.data;
  return { ...query, data };
}

/** useNow returns the time, and draws again with a new one after a number of milliseconds. */
export function useNow(every = 1000): number {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const t = setInterval(() => set(Date.now()), every);
    return () => clearInterval(t);
  }, [every]);
  return now;
}
