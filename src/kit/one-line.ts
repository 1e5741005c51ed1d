/** Line breaks and all other control characters. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
/** Characters that change the text direction, with which a name can look like a different one. */
const BIDIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Normalizes a name or title to one line without hidden characters, because a line break would start something else in
 * mail headers, SMS, logs and lists. Each run of control characters becomes one space; direction marks are removed.
 */
export function oneLine(text: string): string {
  // Keeps U+0000, which validation refuses everywhere, instead of hiding it as a space.
  const blank = (controls: string) => (controls.includes('\0') ? controls : ' ');
  const cleaned = text.replace(BIDIRECTIONAL, '').replace(CONTROLS, blank);
  return cleaned === text ? text : cleaned.trim();
}
