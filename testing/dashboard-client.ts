import type { ApiAnswer } from './signed-in.ts';

/**
 * A browser from the perspective of the dashboard's API: it keeps cookies and sends the headers of a same-origin
 * request.
 */
export type Client = {
  call(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  headers: () => Headers;
  cookie(): string;
};

export function dashboardClient(url: string, cookie = ''): Client {
  let kept = cookie;
  /**
   * The device cookie, which shows that this person has signed in here before. It is sent with every request and is not
   * a session.
   */
  let device = '';
  let last = new Headers();
  return {
    headers: () => last,
    cookie: () => kept,
    async call(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...((kept || device) && { cookie: [kept, device].filter(Boolean).join('; ') }),
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
      });
      last = response.headers;
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        if (/^[^=]*-device=/.test(pair)) device = pair;
        else kept = pair;
      }
      return { status: response.status, body: await response.json() };
    },
  };
}
