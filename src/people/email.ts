/** Text without blanks, an `@` and a host name. Only sending shows whether mail arrives. */
const FORM =
  /^[^\s@<>"(),:;\\[\]]+@[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u;

/** The longest address that the protocol can carry (RFC 5321). */
const MAX_LENGTH = 254;

export const EMAIL_HINT = 'an email address such as ada@example.com';

export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && FORM.test(text);
}

/** Addresses that differ only in case belong to the same person. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}
