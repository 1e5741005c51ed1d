import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: dark light; --bg: #0b0d11; --surface: #12151b; --line: #242a35; --text: #e8eaee; --muted: #9aa3b2; --accent: #f2a33c; --ink: #1d1303; --alarm: #ff5d52; --calm: #4cc38a }
@media (prefers-color-scheme: light) { :root { --bg: #f7f7f5; --surface: #fff; --line: #e4e4df; --text: #171a20; --muted: #5b6472; --accent: #a85f04; --ink: #fff; --alarm: #c8281d; --calm: #14774a } }
* { box-sizing: border-box; margin: 0 }
body { background: var(--bg); color: var(--text); font: 16px/1.5 Inter, system-ui, sans-serif; min-height: 100dvh; display: grid; place-items: center; padding: 24px }
main { width: 100%; max-width: 480px; display: grid; gap: 16px }
h1 { font-size: 26px; line-height: 1.25; letter-spacing: -.01em; overflow-wrap: anywhere }
code { font: 13px/1.5 "JetBrains Mono", ui-monospace, monospace; overflow-wrap: anywhere }
.state { color: var(--alarm); font-weight: 600 } .state.calm { color: var(--calm) }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 16px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 40dvh; overflow: auto }
.muted { color: var(--muted); font-size: 14px }
button { width: 100%; min-height: 72px; border: 0; border-radius: 12px; background: var(--accent); color: var(--ink); font: 650 20px Inter, system-ui, sans-serif; cursor: pointer }
button:focus-visible { outline: 3px solid var(--text); outline-offset: 3px }`;

/** Headers of a plain page: it loads nothing, is not cached, and sends no referrer. */
export const PLAIN_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; style-src ${inlineHash(STYLE)}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
};

/** The hash that allows one inline style or script in a Content-Security-Policy. */
export function inlineHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A page without scripts, for any device; `body` and `head` are HTML, `language` is that of both. */
export function plainPage(title: string, body: string, head = '', language = 'en'): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · Tocsin</title>${head}<style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

/** For the head of a page that reloads after some seconds. The browser does this without scripts. */
export function reloadAfter(seconds: number): { head: string; headers: typeof PLAIN_PAGE_HEADERS } {
  const script = `setTimeout(function () { location.reload() }, ${seconds * 1_000})`;
  return {
    head: `<script>${script}</script><noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`,
    headers: headersWithScript(script),
  };
}

/** Headers of a plain page that contains this one inline script. */
export function headersWithScript(script: string): typeof PLAIN_PAGE_HEADERS {
  const policy = PLAIN_PAGE_HEADERS['content-security-policy'];
  return { ...PLAIN_PAGE_HEADERS, 'content-security-policy': `${policy}; script-src ${inlineHash(script)}` };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
