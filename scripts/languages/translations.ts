import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** What is wrong with a translation of a message, as a sentence; null if nothing is. */
export function flawOf(message: string, translation: string): string | null {
  const english = message.replace(/ \[\[[^\]]*\]\]$/, '');
  const wanted = namesOf(english);
  if (wanted === null) return 'The English message is not valid ICU syntax.';
  const given = namesOf(translation);
  if (given === null) return 'The translation is not valid ICU syntax.';
  const missing = [...wanted].filter((name) => !given.has(name));
  if (missing.length > 0) return `The translation lacks ${missing.join(', ')}.`;
  const more = [...given].filter((name) => !wanted.has(name));
  return more.length > 0 ? `The translation has ${more.join(', ')}, which the message has not.` : null;
}

/** The arguments and tags of a message; null if it cannot be parsed. A message without braces and tags is plain text. */
function namesOf(message: string): Set<string> | null {
  if (!/[{}<>]/.test(message)) return new Set();
  try {
    const names = new Set<string>();
    collect(parse(message), names);
    return names;
  } catch {
    return null;
  }
}

function collect(elements: readonly MessageFormatElement[], names: Set<string>): void {
  for (const element of elements) {
    if (element.type === TYPE.tag) {
      names.add(`<${element.value}>`);
      collect(element.children, names);
    } else if (element.type === TYPE.plural || element.type === TYPE.select) {
      names.add(`{${element.value}}`);
      for (const { value } of Object.values(element.options)) collect(value, names);
    } else if (element.type !== TYPE.literal && element.type !== TYPE.pound) names.add(`{${element.value}}`);
  }
}
