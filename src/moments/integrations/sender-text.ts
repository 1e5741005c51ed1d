import { plainMarkdown } from '../markdown.ts';

/** No single text needs more room than this. Longer texts cost time and are cut anyway. */
const TEXT_LIMIT = 10_000;

/** Text of a sender that writes no Markdown. */
export function plainText(text: string | null): string | null {
  return text && plainMarkdown(text.slice(0, TEXT_LIMIT).trim());
}

/** Text of a sender that writes Markdown. */
export function markdownText(text: string | null): string | null {
  return text === null ? null : text.slice(0, TEXT_LIMIT).trim();
}

/** A program's output, unchanged; the fence is longer than any in it. */
export function codeBlock(text: string | null): string | null {
  if (!text) return null;
  const lines = text.slice(0, TEXT_LIMIT).replace(/\r\n?/g, '\n').trimEnd();
  let longest = 2;
  for (const run of lines.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${lines}\n${fence}`;
}

/** The existing links in one line. */
export function linkLine(...links: (string | null)[]): string | null {
  return links.filter(Boolean).join(' · ') || null;
}
