import { readFileSync } from 'node:fs';

/** An invalid setting that prevents the start; the message names the variable and the fix. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Returns the value of a setting; null if it is not set. */
export type Read<Name extends string> = (name: Name) => string | null;

/** Reads settings from environment variables; each may also be given as `NAME_FILE`. */
export function readingFrom(env: NodeJS.ProcessEnv): Read<string> {
  return (name) => readValue(env, name);
}

function readValue(env: NodeJS.ProcessEnv, name: string): string | null {
  const value = env[name];
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return value === undefined || value === '' ? null : value;
  if (value) throw new ConfigError(`${name} and ${name}_FILE are both set; keep one of them`);
  const content = readContent(name, file).trim();
  // Naming an empty file is a mistake; continuing without the value would hide it.
  if (content === '')
    throw new ConfigError(`${name}_FILE names ${file}, which is empty; write the value into it`);
  return content;
}

function readContent(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${name}_FILE names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}); correct the path or its permissions`,
    );
  }
}

export function readInteger<N extends string>(
  name: N,
  read: Read<N>,
  fallback: number,
  min: number,
  max: number,
): number {
  const text = read(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new ConfigError(`${name} is ${JSON.stringify(text)}; give a whole number from ${min} to ${max}`);
}

export function readFlag<N extends string>(name: N, read: Read<N>, fallback = false): boolean {
  const text = readChoice(name, read, ['true', 'false', '1', '0', 'yes', 'no'], String(fallback));
  return text.match(/true|1|yes/) !== null;
}

export function readChoice<N extends string>(
  name: N,
  read: Read<N>,
  choices: readonly string[],
  fallback: string,
): string {
  const text = read(name)?.toLowerCase() ?? fallback;
  if (choices.includes(text)) return text;
  throw new ConfigError(`${name} is ${JSON.stringify(text)}; give one of ${choices.join(', ')}`);
}

export function readUrl<N extends string>(
  name: N,
  read: Read<N>,
  protocols: readonly string[],
): string | null {
  const text = read(name);
  if (text === null) return null;
  const forms = protocols.map((protocol) => `${protocol}//`).join(' or ');
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new ConfigError(`${name} is not a URL that starts with ${forms}; correct it`);
  }
  return text.replace(/\/+$/, '');
}

/** Reads a base URL, to which paths are appended. */
export function readAddress<N extends string>(name: N, read: Read<N>): string | null {
  const text = readUrl(name, read, ['http:', 'https:']);
  if (text !== null && /[?#]/.test(text))
    throw new ConfigError(`${name} is ${text}, which has a query or a fragment; end it before the ? or #`);
  return text;
}

/**
 * Reads settings that must be set together: null when none is set.
 * @throws ConfigError that names the missing one
 */
export function readTogether<const N extends string>(
  read: Read<N>,
  names: readonly N[],
): Record<N, string> | null {
  const values = names.map((name) => [name, read(name)] as const);
  const missing = values.filter(([, value]) => value === null).map(([name]) => name);
  if (missing.length === names.length) return null;
  if (missing.length > 0) {
    const present = names.filter((name) => !missing.includes(name));
    throw new ConfigError(
      `${missing.join(' and ')} must be set as well when ${present.join(' and ')} is set`,
    );
  }
  return Object.fromEntries(values) as Record<N, string>;
}
