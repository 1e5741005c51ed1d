/** `Ada`, `Ada and Grace`, `Ada, Grace and 2 more`. */
export function namesOf(people: readonly { name: string }[]): string {
  const names = people.map(({ name }) => name);
  if (names.length <= 2) return names.join(' and ');
  if (names.length === 3) return `${names[0]}, ${names[1]} and ${names[2]}`;
  return `${names[0]}, ${names[1]} and ${names.length - 2} more`;
}
