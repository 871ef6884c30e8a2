// The frame of all pages, and which page a path shows.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./app.css";
import { Heading } from "./parts/layout";
import { Empty } from "./parts/text";
import { CampaignsPage } from "./pages/campaigns";
import { CampaignPage } from "./pages/campaign";
import { ComparePage } from "./pages/compare";
import { CorpusPage, EntryPage } from "./pages/corpus";
import { FindingPage, FindingsPage } from "./pages/findings";
import { FrontierPage } from "./pages/frontier";
import { SourcePage, SourcesPage } from "./pages/sources";
import { TargetPage } from "./pages/target";
import { followLinks, go, link, usePlace } from "./router";
import { probe, useConnection } from "./store";

function Page({ path }: { path: string[] }) {
  const { info } = useConnection();
  const [section, id = "", part, a = "", b, c = ""] = path;
  const home = section === undefined;
  const live = info?.mode === "fuzz" && info.live ? info.live : null;
  useEffect(() => {
    if (home && info) go(live === null ? "/campaigns" : link(["campaigns", live]), true);
  }, [home, info, live]);
  if (home) return <Empty>Loading…</Empty>;
  if (section === "campaigns") {
    if (id === "") return <CampaignsPage />;
    if (part === undefined) return <CampaignPage id={id} part="targets" />;
    if (part === "findings" || part === "activity" || part === "log") return <CampaignPage id={id} part={part} />;
    if (part === "sources") return <SourcesPage id={id} />;
    if (part === "frontier") return <FrontierPage id={id} />;
    if (part === "source") return <SourcePage id={id} />;
    if (part === "targets" && a) {
      if (b === undefined) return <TargetPage id={id} target={a} />;
      if (b === "corpus") return <CorpusPage id={id} target={a} />;
      if (b === "entries" && c) return <EntryPage id={id} target={a} name={c} />;
    }
  }
  if (section === "findings") return id === "" ? <FindingsPage /> : <FindingPage id={id} />;
  if (section === "compare") return <ComparePage />;
  return (
    <>
      <Heading title="No such page" />
      <Empty>
        The address names no page. <a href="/campaigns">All campaigns</a>
      </Empty>
    </>
  );
}

const themes = ["system", "light", "dark"] as const;

function ThemeSwitch() {
  const [theme, set] = useState(document.documentElement.dataset["theme"] ?? "system");
  const choose = (next: string) => {
    set(next);
    if (next === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = next;
    try {
      if (next === "system") localStorage.removeItem("gnaw-theme");
      else localStorage.setItem("gnaw-theme", next);
    } catch {
      // Without storage the choice holds until the page is loaded again.
    }
  };
  return (
    <label class="theme">
      <span class="sr-only">Colors</span>
      <select value={theme} onChange={(e) => choose(e.currentTarget.value)} data-testid="theme">
        {themes.map((t) => (
          <option value={t}>{t === "system" ? "auto" : t}</option>
        ))}
      </select>
    </label>
  );
}

/** Banner says that the server does not answer, or does not accept this browser. */
function Banner() {
  const { state, info } = useConnection();
  const text =
    state === "lost"
      ? "The server does not answer. The page may be out of date; it tries again every two seconds."
      : state === "refused"
        ? `${info ? "gnaw was restarted, and" : "gnaw"} does not accept this browser. Open the address that gnaw has printed, in this or another tab; then this page continues.`
        : "";
  return (
    <div role="status" aria-live="polite" class={text ? "banner" : "sr-only"} data-testid="connection" data-state={state}>
      {text}
    </div>
  );
}

function App() {
  const place = usePlace();
  const { info } = useConnection();
  const section = place.path[0] ?? "campaigns";
  const here = (s: string) => (section === s ? { "aria-current": "page" as const } : {});
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a href="/" class="brand" aria-label="gnaw, first page">
          gnaw
        </a>
        <nav aria-label="Main">
          <a href="/campaigns" {...here("campaigns")} data-testid="nav-campaigns">
            Campaigns
          </a>
          <a href="/findings" {...here("findings")} data-testid="nav-findings">
            Findings
          </a>
          <a href="/compare" {...here("compare")} data-testid="nav-compare">
            Compare
          </a>
        </nav>
        <span class="version muted" title={info?.go}>
          {info?.version}
        </span>
        <ThemeSwitch />
      </header>
      <Banner />
      <main id="main" tabIndex={-1} data-ready={info ? "true" : "false"}>
        <Page key={[place.path[0], place.path[1], ...place.path.slice(3)].join("/")} path={place.path} />
      </main>
    </>
  );
}

followLinks();
void probe();
const root = document.getElementById("app");
if (root) render(<App />, root);
