// Pages by their path. A link is a plain <a>. A click on a link of this site does not load the page again.

import { useEffect, useState } from "preact/hooks";

export interface Place {
  path: string[]; // the parts of the path, decoded
  query: URLSearchParams;
  href: string;
}

function here(): Place {
  const decode = (s: string) => {
    try {
      return decodeURIComponent(s);
    } catch {
      return s;
    }
  };
  return {
    path: location.pathname.split("/").filter(Boolean).map(decode),
    query: new URLSearchParams(location.search),
    href: location.pathname + location.search,
  };
}

const moved = new EventTarget();

/** go shows another page. With replace, the page replaces the current one in the history of the browser. */
export function go(href: string, replace = false): void {
  if (replace) history.replaceState(history.state, "", href);
  else history.pushState({ pushed: true }, "", href);
  moved.dispatchEvent(new Event("move"));
}

/** setQuery changes parameters of the address of this page; an empty value removes one. */
export function setQuery(changes: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(location.pathname + (text ? `?${text}` : "") + location.hash, true);
}

export function usePlace(): Place {
  const [place, set] = useState(here);
  useEffect(() => {
    const f = () => set(here());
    moved.addEventListener("move", f);
    addEventListener("popstate", f);
    return () => {
      moved.removeEventListener("move", f);
      removeEventListener("popstate", f);
    };
  }, []);
  return place;
}

/** followLinks makes clicks on links of this site show their page without loading it. */
export function followLinks(): void {
  document.addEventListener("click", (e) => {
    if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    const link = (e.target as Element | null)?.closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || link.pathname.startsWith("/api/") || link.pathname === "/metrics") return;
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    e.preventDefault();
    go(link.pathname + link.search + link.hash);
    if (!link.hash) scrollTo(0, 0);
  });
}

/** link returns a path of parts, which it encodes, and parameters. */
export function link(parts: (string | number)[], query: Record<string, string | number | null | undefined> = {}): string {
  const q = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== null && value !== undefined && value !== "") q.set(name, String(value));
  const text = q.toString();
  return "/" + parts.map((p) => encodeURIComponent(String(p))).join("/") + (text ? `?${text}` : "");
}
