/** One thing that is wrong with a request: the field, what is wrong with its value, and what would be right. */
export type Detail = { field: string; message: string };

/**
 * The message of a detail as a sentence that stands alone. A message that begins in lower case continues its field
 * (“is missing; give a name”), which becomes its subject. Any other is a whole sentence already.
 */
export function sentence({ field, message }: Detail): string {
  const subject = /^[a-z]/.test(message) && !message.startsWith(`${field} `) ? `${field} ` : '';
  return `${subject}${message}${/[.?]$/.test(message) ? '' : '.'}`;
}

/** Several details as one text. */
export function sentences(details: readonly Detail[]): string {
  return details.map(sentence).join(' ');
}
