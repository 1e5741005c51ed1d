/** Escapes strangers' text so that Markdown shows it unchanged; line breaks stay. */
export function plainMarkdown(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\\`*_[\]<>~|&]/g, '\\$&')
    .replace(/^([ \t]*)(#|[-+=](?=[-+=\s]|$))/gm, '$1\\$2')
    .replace(/^([ \t]*\d{1,9})([.)])(?=\s|$)/gm, '$1\\$2')
    .replace(/^[ \t]+/gm, ' ')
    .replace(/\n(?=.)/g, '  \n');
}

/** A code span around one line; its fence is longer than any run of backticks inside. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  let longest = 0;
  for (const run of line.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A link whose address cannot end early. Null if there is none. */
export function markdownLink(label: string, url: string | null): string | null {
  return url && `[${label}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)`;
}
