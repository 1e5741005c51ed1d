/**
 * The text of a file that a spreadsheet wrote: UTF-8, or UTF-16 with a mark. Otherwise it is the encoding in which Excel on Windows
 * saves CSV: Shift_JIS in Japan, Windows-1252 in the countries of the other languages.
 */
export function textOfSheet(bytes: ArrayBuffer, language: string): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  const encodings = ['utf-8', ...(language === 'ja' ? ['shift_jis'] : [])];
  for (const encoding of encodings) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The file has another encoding.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes);
}
