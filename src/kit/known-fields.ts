/** What a body says in fields that its schema knows: what else was sent is ignored, and belongs into no log. */
export function knownFields(
  { properties }: { properties: Record<string, unknown> },
  body: object,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(properties, name)));
}
