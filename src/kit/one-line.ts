/** Line breaks and all other controls. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
/** Turn the direction of what follows: a name with one shows as another one. */
const BIDIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A name or title as one line that reads as it is written: it stands in headers of mails, in SMS, in logs and in lists, where a line
 * break begins something else. Each run of controls becomes one blank; marks of direction go.
 */
export function oneLine(text: string): string {
  // U+0000 is refused everywhere, and must not get past that by becoming a blank.
  const blank = (controls: string) => (controls.includes('\0') ? controls : ' ');
  const cleaned = text.replace(BIDIRECTIONAL, '').replace(CONTROLS, blank);
  return cleaned === text ? text : cleaned.trim();
}
