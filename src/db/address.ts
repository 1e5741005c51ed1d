/** Values of libpq's `target_session_attrs`: which kind of server to connect to. */
export const SESSION_ATTRS = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
] as const;
export type SessionAttrs = (typeof SESSION_ATTRS)[number];

export type Host = { host: string; port: number };

/** Where a connection URL leads: to one server, or to the first of several that satisfies `target_session_attrs`. */
export type DatabaseAddress = {
  hosts: readonly Host[];
  sessionAttrs: SessionAttrs;
  /**
   * The same URL with only the first host and without the parameters for several hosts; the driver reads the rest of
   * it.
   */
  base: string;
};

/** The message completes a sentence that begins with the name of the variable. */
export class AddressFault extends Error {
  override name = 'AddressFault';
}

const DEFAULT_PORT = 5432;
const FORM = /^(postgres(?:ql)?:)\/\/([^/?#]*@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/;

/**
 * Reads a connection URL as libpq does:
 * `postgresql://user:password@h1:5432,h2:5433/db?target_session_attrs=read-write`, or with hosts and ports as
 * parameters (`?host=h1,h2&port=5432`), which is also how to give the directory of a Unix socket.
 * @throws AddressFault
 */
export function readAddress(url: string): DatabaseAddress {
  const [, protocol, login = '', authority = '', path = '', query = ''] = FORM.exec(url) ?? [];
  if (protocol === undefined)
    throw new AddressFault('is not a URL that starts with postgres:// or postgresql://; correct it');
  const parameters = new URLSearchParams(query);
  const hosts = hostsOf(authority, parameters.get('host'), parameters.get('port'));
  const sessionAttrs = attrsOf(parameters.get('target_session_attrs'), hosts.length);
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  const base = `${protocol}//${login}${authorityOf(hosts[0])}${path}${rest}`;
  if (!URL.canParse(base)) throw new AddressFault('is not a URL that can be read; correct it');
  return { hosts, sessionAttrs, base };
}

function hostsOf(authority: string, named: string | null, ports: string | null): Host[] {
  const written = authority.split(',').map(splitHost);
  const names = named === null ? written.map(({ host }) => host) : named.split(',');
  const own = named === null ? written.map(({ port }) => port) : names.map(() => null);
  const given = ports === null ? [] : ports.split(',');
  if (given.length > 1 && given.length !== names.length)
    throw new AddressFault(
      `names ${names.length} ${names.length === 1 ? 'host' : 'hosts'} but ${given.length} ports; give one port for all, or one for each host`,
    );
  if (names.length > 1 && names.some((name) => name === ''))
    throw new AddressFault('has an empty name in its list of hosts; remove the extra comma');
  return names.map((host, index) => ({
    host: host || 'localhost',
    port: portOf(own[index] || given[index] || given[0] || null),
  }));
}

function splitHost(text: string): { host: string; port: string | null } {
  const [, v6, name, port = null] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? [];
  const host = v6 ?? name;
  if (host === undefined)
    throw new AddressFault(
      `has the host ${JSON.stringify(text)}, which cannot be read; give name:port, or [address]:port for IPv6`,
    );
  return { host: decoded(host), port };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressFault(
      `has the host ${JSON.stringify(text)}, whose percent-encoding cannot be read; write % as %25`,
    );
  }
}

function portOf(text: string | null): number {
  if (text === null) return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new AddressFault(
    `has the port ${JSON.stringify(text)}; give a whole number from 1 to 65535 after each host`,
  );
}

function attrsOf(text: string | null, hosts: number): SessionAttrs {
  // With several servers, libpq accepts any by default, but Tocsin needs one that accepts writes.
  if (text === null) return hosts > 1 ? 'read-write' : 'any';
  const known = SESSION_ATTRS.find((one) => one === text);
  if (known) return known;
  throw new AddressFault(
    `has target_session_attrs=${JSON.stringify(text)}; give one of ${SESSION_ATTRS.join(', ')}`,
  );
}

/** The directory of a Unix socket cannot be written before the path of a URL; the client sets the host itself. */
function authorityOf(first: Host | undefined): string {
  if (!first || first.host.startsWith('/')) return `localhost:${first?.port ?? DEFAULT_PORT}`;
  return nameOf(first);
}

/** For people: `db-1:5432`. */
export function nameOf({ host, port }: Host): string {
  return `${host.includes(':') ? `[${host}]` : encodeURI(host)}:${port}`;
}
