/** The subject of a call of Opsgenie's Alert API, by its method and path. */
export type OpsgenieTarget =
  | { kind: 'create' }
  | { kind: 'list' }
  | { kind: 'count' }
  | { kind: 'request'; id: string }
  | { kind: 'alert'; identifier: string }
  | { kind: 'read'; identifier: string; what: string }
  | { kind: 'action'; identifier: string; action: string }
  /** Not a path of this API. */
  | { kind: 'none' };

/** The successor of the API has the same paths with another prefix. */
const BASE = /^(?:\/jsm\/ops\/integration)?\/v2\/alerts(?:\/|$)/;

/**
 * Last parts of a path that are not part of the identifier. Identifiers may contain slashes, because some libraries put
 * an alias into the path unencoded.
 */
const ACTIONS = [
  ...[
    'close',
    'acknowledge',
    'unacknowledge',
    'snooze',
    'escalate',
    'assign',
    'responders',
    'teams',
    'notes',
  ],
  ...['tags', 'details', 'message', 'description', 'priority', 'attachments', 'recipients', 'logs'],
];

export function opsgenieTarget(method: string, path: string): OpsgenieTarget {
  const base = BASE.exec(path)?.[0];
  if (base === undefined) return { kind: 'none' };
  const rest = path.slice(base.length).replace(/\/$/, '');
  const parts = rest === '' ? [] : rest.split('/');
  if (parts.length === 0) return { kind: method === 'GET' ? 'list' : 'create' };
  if (method === 'GET' && rest === 'count') return { kind: 'count' };
  if (parts[0] === 'requests' && parts[1]) return { kind: 'request', id: decoded(parts[1]) };
  return ofAlert(method, parts);
}

function ofAlert(method: string, parts: readonly string[]): OpsgenieTarget {
  const last = parts.at(-1) ?? '';
  // `actions/<name>` and `attachments/<id>`.
  const before = parts.at(-2) ?? '';
  const nested = parts.length > 2 && (before === 'actions' || before === 'attachments');
  const hasAction = nested || (parts.length > 1 && ACTIONS.includes(last));
  const identifier = decoded(parts.slice(0, hasAction ? (nested ? -2 : -1) : undefined).join('/'));
  const action = nested ? before : last;
  if (!hasAction)
    return method === 'DELETE'
      ? { kind: 'action', identifier, action: 'delete' }
      : { kind: 'alert', identifier };
  if (method === 'GET') return { kind: 'read', identifier, what: action };
  return { kind: 'action', identifier, action: method === 'DELETE' ? `remove ${action}` : action };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
