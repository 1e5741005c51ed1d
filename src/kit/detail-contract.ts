/** One problem with a request: the field, what is wrong with its value, and what would be accepted. */
export type Detail = { field: string; message: string };

/**
 * The message of a detail as a complete sentence. A message that begins with a lower-case letter continues the name of
 * its field (“is missing; give a name”); any other message is a sentence already.
 */
export function sentence({ field, message }: Detail): string {
  const subject = /^[a-z]/.test(message) && !message.startsWith(`${field} `) ? `${field} ` : '';
  return `${subject}${message}${/[.?]$/.test(message) ? '' : '.'}`;
}

/** Several details as one string. */
export function sentences(details: readonly Detail[]): string {
  return details.map(sentence).join(' ');
}
