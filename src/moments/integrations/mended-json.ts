/**
 * Repairs text that would be JSON if the template had escaped its values: raw line breaks and other control characters
 * inside strings, and backslashes that escape nothing. Null if there is nothing to repair.
 */
export function mendedJson(text: string): string | null {
  const parts: string[] = [];
  let start = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') inString = !inString;
    if (!inString) continue;
    if (character === '\\' && isEscape(text, index)) index++;
    else if (character === '\\' || character < ' ') {
      parts.push(text.slice(start, index), escaped(character));
      start = index + 1;
    }
  }
  return parts.length === 0 ? null : parts.join('') + text.slice(start);
}

function isEscape(text: string, index: number): boolean {
  return /^\\(?:["\\/bfnrt]|u[0-9a-f]{4})/i.test(text.slice(index, index + 6));
}

function escaped(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}
