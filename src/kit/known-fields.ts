/** The fields of a body that its schema declares. Other fields are ignored and must not be logged. */
export function knownFields(
  { properties }: { properties: Record<string, unknown> },
  body: object,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(properties, name)));
}
