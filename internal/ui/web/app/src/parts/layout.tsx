// The frame of a page: headings, figures, tabs, panels.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { cut, visible } from "../lib/text";

/** Crumb is one of the links above a heading that lead to the page. */
export interface Crumb {
  text: string;
  href: string;
}

/** Heading names the page, also in the title of the window, and takes the focus when the page appears. */
export function Heading({ crumbs = [], title, code, children, sub }: { crumbs?: Crumb[]; title: string; code?: boolean; children?: ComponentChildren; sub?: ComponentChildren }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${visible(title).slice(0, 80)} – gnaw`;
  }, [title]);
  useEffect(() => {
    // On the first page, the browser decides where the focus is.
    if (history.state?.pushed) ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header class="heading">
      {crumbs.length > 0 && (
        <nav aria-label="Breadcrumb" class="crumbs">
          <ol>
            {crumbs.map((c) => (
              <li>
                <a href={c.href}>{visible(cut(c.text, 60))}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div class="title">
        <h1 ref={ref} tabIndex={-1} class={code ? "code" : ""}>
          <bdi dir="ltr">{visible(title)}</bdi>
        </h1>
        {children}
      </div>
      {sub && <p class="sub">{sub}</p>}
    </header>
  );
}

export interface Figure {
  id: string;
  label: string;
  value: ComponentChildren;
  note?: ComponentChildren;
  tone?: "bad";
}

/** Figures is a strip of key numbers. */
export function Figures({ list }: { list: (Figure | null)[] }) {
  return (
    <dl class="figures">
      {list.map(
        (f) =>
          f && (
            <div key={f.id} class={f.tone ?? ""}>
              <dt>{f.label}</dt>
              <dd>
                <span class="value" data-testid={`figure-${f.id}`}>
                  {f.value}
                </span>
                {f.note && <span class="note">{f.note}</span>}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

export interface Tab {
  id: string;
  title: string;
  href: string;
  count?: number;
}

/** Tabs are links to the parts of a page. */
export function Tabs({ list, current, label }: { list: Tab[]; current: string; label: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {list.map((t) => (
          <li>
            <a href={t.href} aria-current={t.id === current ? "page" : undefined} data-testid={`tab-${t.id}`}>
              {t.title}
              {t.count !== undefined && <span class="number-of"> {t.count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Panel is a part of a page with a heading. */
export function Panel({ title, tools, children, id, note }: { title: string; tools?: ComponentChildren; children: ComponentChildren; id?: string; note?: ComponentChildren }) {
  return (
    <section class="panel" data-testid={id ? `panel-${id}` : undefined}>
      <div class="panel-head">
        <h2>{title}</h2>
        {note && <span class="muted">{note}</span>}
        {tools}
      </div>
      {children}
    </section>
  );
}
