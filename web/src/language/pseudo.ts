const PLAIN = 'abcdeghiklnorstuwyzACDEILNORSTUWY';
const ACCENTED = 'áƀçðéĝĥíķłñöŕšţüŵýžÅÇÐÉÎŁÑÖŔŠŢÛŴÝ';

/**
 * A message in the made-up language: letters are accented, and `~` makes it a third longer, as German would. Texts that
 * stay plain in it did not go through `t`.
 */
export function pseudo(message: string): string {
  const plain = message.replace(/ \[\[[^\]]*\]\]$/, '');
  return `⟦${accented(plain).text}${'~'.repeat(Math.ceil(plain.length / 3))}⟧`;
}

/** Accents a message from `at` to its end, or to the brace that ends it, and leaves its arguments and tags alone. */
function accented(message: string, at = 0): { text: string; end: number } {
  let text = '';
  let end = at;
  while (end < message.length && message[end] !== '}') {
    const character = message[end] ?? '';
    if (character === '{') {
      const argument = argumentAt(message, end);
      text += argument.text;
      end = argument.end;
    } else if (character === '<') {
      const close = message.indexOf('>', end) + 1 || message.length;
      text += message.slice(end, close);
      end = close;
    } else {
      text += ACCENTED[PLAIN.indexOf(character)] ?? character;
      end += 1;
    }
  }
  return { text, end };
}

/** `{name}`, or `{count, plural, one {…} other {…}}` with accented variants. */
function argumentAt(message: string, start: number): { text: string; end: number } {
  let text = '';
  let end = start;
  for (let inside = true; inside && end < message.length; ) {
    const character = message[end] ?? '';
    text += character;
    end += 1;
    if (character === '}') inside = false;
    else if (character === '{' && end > start + 1) {
      const variant = accented(message, end);
      text += `${variant.text}}`;
      end = variant.end + 1;
    }
  }
  return { text, end };
}
