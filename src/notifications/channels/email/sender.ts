/** Whether the text is exactly one address: not a list, without a display name or a second header. */
export function isMailbox(text: string): boolean {
  return /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()"\\\p{Cc}]+$/u.test(text);
}

/** Parses `Tocsin <tocsin@example.com>` or an address alone; null if it is neither. */
export function parseSender(
  text: string,
): { sender: { name: string; address: string }; address: string; domain: string } | null {
  const match = /^\s*(?:"?([^"<>\r\n]*?)"?\s*<([^<>]+)>|([^<>\s]+))\s*$/.exec(text);
  const address = match?.[2] ?? match?.[3] ?? '';
  if (!isMailbox(address)) return null;
  return { sender: { name: match?.[1] || 'Tocsin', address }, address, domain: address.split('@')[1] ?? '' };
}
