/** An email as its reader sees it. */
export type Mail = {
  envelope: { from: string; to: string[] };
  /** Names in lower case; lines unfolded, encoded words decoded. */
  headers: Record<string, string>;
  text: string;
  html: string;
  raw: string;
};

/** Parses the subset of MIME that our messages use: headers and one level of alternative parts. */
export function readMail(raw: string, envelope: Mail['envelope']): Mail {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";]+)"?/i.exec(headers['content-type'] ?? '')?.[1];
  const parts = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => split(part.trimStart()))
    : [{ headers, body }];
  const content = (type: string) => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type));
    return part ? decode(part.body, part.headers['content-transfer-encoding'] ?? '').trim() : '';
  };
  return { envelope, headers, text: content('text/plain'), html: content('text/html'), raw };
}

function split(raw: string): { headers: Record<string, string>; body: string } {
  const lines = raw.replaceAll('\r\n', '\n');
  const end = lines.indexOf('\n\n');
  const head = lines.slice(0, end).replace(/\n[ \t]+/g, ' ');
  const entries = head.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())];
  });
  return { headers: Object.fromEntries(entries), body: lines.slice(end + 2) };
}

/** RFC 2047: `=?utf-8?Q?…?=`. White space between two encoded words is ignored. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?[^?]+\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      decode(
        kind.toUpperCase() === 'Q' ? word.replaceAll('_', ' ') : word,
        kind.toUpperCase() === 'Q' ? 'quoted-printable' : 'base64',
      ),
    );
}

function decode(body: string, encoding: string): string {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding.toLowerCase() !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
