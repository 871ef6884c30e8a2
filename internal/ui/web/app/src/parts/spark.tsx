// Small pictures in the rows of tables.

/** Spark draws numbers as bars, the newest on the right. Heights are square roots, so that many first edges do not hide the later ones. */
export function Spark({ of, slots = 60 }: { of: readonly number[] | null | undefined; slots?: number }) {
  const list = (of ?? []).slice(-slots);
  const most = Math.max(0, ...list);
  const height = 18;
  let d = "";
  list.forEach((n, i) => {
    const h = n <= 0 || most === 0 ? 0 : Math.max(1.5, Math.sqrt(n / most) * height);
    if (h > 0) d += `M${(slots - list.length + i) * 2} ${height}v-${h.toFixed(1)}h1.5v${h.toFixed(1)}z`;
  });
  const last = list[list.length - 1] ?? 0;
  return (
    <svg class="spark" viewBox={`0 0 ${slots * 2} ${height + 1}`} width={slots * 2} height={height + 1} role="img" aria-label={`new edges: last ${last}, most ${most}`}>
      <path class="base" d={`M0 ${height + 0.5}h${slots * 2}`} />
      <path class="bars" d={d} />
    </svg>
  );
}

/** Meter draws a share of a whole. The text beside it has the numbers. */
export function Meter({ part, whole, tone = "accent" }: { part: number; whole: number; tone?: "accent" | "good" }) {
  const share = whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
  return (
    <svg class={`meter ${tone}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="base" width="100" height="6" />
      <rect class="bars" width={(share * 100).toFixed(2)} height="6" />
    </svg>
  );
}
