import { heardTime } from '../kit/clock.ts';

export type Detail = { field: string; message: string };

/** What the service answered instead of doing it. `message` is a sentence for people. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly details: Detail[];

  constructor(status: number, error: string, details: Detail[]) {
    super(details.map(({ field, message }) => `${capital(field)} ${message}.`).join(' ') || error);
    this.status = status;
    this.details = details;
  }
}

export async function call<Answer>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  }).catch(() => {
    throw new Refusal(0, 'The service cannot be reached just now; check your connection and try again.', []);
  });
  heardTime(response.headers.get('date'));
  const answer = (await response.json().catch(() => ({}))) as { error?: string; details?: Detail[] };
  if (!response.ok) {
    // Something dangerous: whoever sits here shows that it is they, and it is tried once more.
    if (
      confirmer &&
      answer.details?.[0]?.field === 'confirmation' &&
      !path.startsWith('/api/account/confirm')
    ) {
      await confirmer();
      return call(method, path, body, headers);
    }
    throw new Refusal(
      response.status,
      answer.error ?? `The service answered ${response.status}.`,
      answer.details ?? [],
    );
  }
  return answer as Answer;
}

let confirmer: (() => Promise<void>) | null = null;

/** Who asks people to confirm that it is they; its promise is kept when they have, and broken when they will not. */
export function setConfirmer(ask: () => Promise<void>): void {
  confirmer = ask;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
