/** Japanese joins a subject and its predicate with a particle, without a blank. */
const PARTICLE = /^[はがをにのと]/;

/**
 * What is said about a field as a complete sentence. A message that begins with a lower-case letter, or in Japanese with a
 * particle, continues the name of its field (“is missing; give a name”). Any other message is already a sentence.
 */
export function sentenceOf(field: string, message: string): string {
  const subject = isContinuation(message) && saidOfField(field, message) === null ? field : '';
  const blank = subject === '' || PARTICLE.test(message) ? '' : ' ';
  return `${subject}${blank}${message}${/[.?。？]$/.test(message) ? '' : PARTICLE.test(message) ? '。' : '.'}`;
}

/**
 * The part of a sentence after its field, which a form shows below the label of the field; null if it does not begin
 * with the field.
 */
export function saidOfField(field: string, sentence: string): string | null {
  if (!sentence.startsWith(field)) return null;
  const rest = sentence.slice(field.length);
  if (rest.startsWith(' ')) return rest.slice(1);
  return PARTICLE.test(rest) ? rest : null;
}

function isContinuation(message: string): boolean {
  return /^\p{Ll}/u.test(message) || PARTICLE.test(message);
}
