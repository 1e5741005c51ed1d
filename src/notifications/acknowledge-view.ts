import type { PageSummary } from './page-summary.ts';

const STYLE = `
:root { color-scheme: dark light; --bg: #0b0d11; --surface: #12151b; --line: #242a35; --text: #e8eaee; --muted: #9aa3b2; --accent: #f2a33c; --ink: #1d1303; --alarm: #ff5d52; --calm: #4cc38a }
@media (prefers-color-scheme: light) { :root { --bg: #f7f7f5; --surface: #fff; --line: #e4e4df; --text: #171a20; --muted: #5b6472; --accent: #b96a06; --ink: #fff; --alarm: #c8281d; --calm: #14774a } }
* { box-sizing: border-box; margin: 0 }
body { background: var(--bg); color: var(--text); font: 16px/1.5 Inter, system-ui, sans-serif; min-height: 100dvh; display: grid; place-items: center; padding: 24px }
main { width: 100%; max-width: 480px; display: grid; gap: 16px }
h1 { font-size: 26px; line-height: 1.25; letter-spacing: -.01em; overflow-wrap: anywhere }
.state { color: var(--alarm); font-weight: 600 } .state.calm { color: var(--calm) }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 16px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 40dvh; overflow: auto }
.muted { color: var(--muted); font-size: 14px }
button { width: 100%; min-height: 72px; border: 0; border-radius: 12px; background: var(--accent); color: var(--ink); font: 650 20px Inter, system-ui, sans-serif; cursor: pointer }
button:focus-visible { outline: 3px solid var(--text); outline-offset: 3px }`;

/** What the link shows before anybody pressed anything. */
export function acknowledgeView(page: PageSummary): string {
  const open = page.state === 'notifying';
  const button = open
    ? '<form method="post"><button type="submit" autofocus>Acknowledge</button></form>'
    : '';
  const state = open
    ? `<p class="state">${escapeHtml(page.urgency)} urgency, waiting for an answer</p>`
    : stateLine(page);
  return layout(
    page.title,
    `${state}<h1>${escapeHtml(page.title)}</h1>${button}<p class="muted">${facts(page)}</p><div class="card">${escapeHtml(page.text)}</div>`,
  );
}

/** What it shows afterwards, and the same as one sentence. */
export function acknowledgeOutcomeView(page: PageSummary, done: boolean): { message: string; body: string } {
  const message = done ? 'Acknowledged: nobody else will be notified.' : outcomeSentence(page);
  const body = layout(
    page.title,
    `${stateLine(page)}<h1>${escapeHtml(page.title)}</h1><p>${escapeHtml(message)}</p><p class="muted">${facts(page)}</p>`,
  );
  return { message, body };
}

function outcomeSentence(page: PageSummary): string {
  if (page.state === 'acknowledged')
    return `${page.acknowledgedBy ?? 'Somebody'} acknowledged it before you.`;
  if (page.state === 'resolved') return 'The page was resolved already.';
  if (page.state === 'expired')
    return 'The page expired before you answered. Your answer was noted; resolve the page in the dashboard.';
  return 'The page is still open.';
}

function stateLine(page: PageSummary): string {
  const calm = page.state === 'acknowledged' || page.state === 'resolved' ? ' calm' : '';
  return `<p class="state${calm}">${escapeHtml(page.state[0]?.toUpperCase() + page.state.slice(1))}</p>`;
}

function facts(page: PageSummary): string {
  const parts = [
    page.team && `Team ${page.team}`,
    `raised ${page.createdAt.toString({ smallestUnit: 'second' })}`,
  ];
  const link = page.sourceUrl
    ? ` · <a href="${escapeHtml(page.sourceUrl)}" rel="noopener noreferrer">source</a>`
    : '';
  return escapeHtml(parts.filter(Boolean).join(' · ')) + link;
}

function layout(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · Tocsin</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
