export const SLUG_HINT = 'a short name of the letters a–z, digits and -, such as site-reliability';
const MOST_LETTERS = 100;

/** People page a team by its slug, so it must be easy to type and to say. */
export function isSlug(text: string): boolean {
  return text.length <= MOST_LETTERS && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text);
}

/** The slug made from a name; empty if the name has no letter that a slug can contain. */
export function suggestedSlug(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
}
