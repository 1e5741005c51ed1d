import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog, type Log, redactText } from './log.ts';
import { randomToken } from './sealing.ts';

type Line = Record<string, unknown> & { err: Record<string, unknown> };

/** The output of a log, as text and as JSON. */
function written(write: (log: Log) => void, level = 'info'): { text: string; lines: Line[] } {
  const lines: string[] = [];
  write(createLog(level, { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream));
  return { text: lines.join(''), lines: lines.map((line) => JSON.parse(line) as Line) };
}

describe('the log', () => {
  it('is one JSON object a line, with level, time and service', () => {
    const { text, lines } = written((log) => {
      log.info({ pageId: 'page_1' }, 'a page\nwas raised');
      log.debug('not at this level');
    });
    assert.equal(text.split('\n').length, 2);
    const [{ time, ...line }] = lines as [Line];
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(line, { level: 'info', service: 'tocsin', pageId: 'page_1', msg: 'a page\nwas raised' });
  });

  it('hides fields that hold secrets, three levels deep', () => {
    const secret = 'a-secret-value';
    const { text } = written((log) => {
      for (const name of ['authorization', 'cookie', 'password', 'token', 'secret', 'key'])
        log.info({ [name]: secret, request: { [name]: secret, headers: { [name]: secret } } }, 'request');
    });
    assert.doesNotMatch(text, /a-secret/);
    assert.equal(text.match(/\[hidden\]/g)?.length, 18);
  });

  it('writes the useful fields of an error, and nothing else', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
    const error = Object.assign(new Error('the database is away', { cause }), {
      client: { password: 'hunter2', processID: 7, secretKey: 12345 },
      parameters: ['+15005550006'],
    });
    const { text, lines } = written((log) => log.error({ err: error }, 'failed'));
    const { stack, cause: inner, ...rest } = lines[0]?.err ?? {};
    assert.deepEqual(rest, { type: 'Error', message: 'the database is away' });
    assert.match(String(stack), /log\.test\.ts/);
    const { code, message } = inner as Record<string, unknown>;
    assert.deepEqual([code, message], ['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:5432']);
    assert.doesNotMatch(text, /hunter2|12345|parameters/);
  });

  it('survives errors that cause themselves, and thrown values that are not errors', () => {
    const circle = new Error('round');
    circle.cause = circle;
    const { lines } = written((log) => {
      log.error({ err: circle }, 'failed');
      log.error({ err: 'just a text' }, 'failed');
    });
    assert.equal(lines[0]?.err.message, 'round');
    assert.equal(lines[1]?.err as unknown, 'just a text');
  });

  it('finds secrets anywhere in a line', () => {
    const key = `tocsin_${randomToken().slice(0, 32)}`;
    const token = randomToken();
    const { text } = written((log) => {
      log.info({ url: `/moment/${token}/alertmanager`, to: '+15005550006' }, `with ${key}`);
      log.error(
        { err: new Error(`cannot send to smtp://mailer:hunter2@mail.example.com`) },
        token.slice(0, 3),
      );
    });
    for (const secret of [key, token, 'hunter2', '5005550'])
      assert.ok(!text.includes(secret), `${secret} is in ${text}`);
  });
});

describe('a line without its secrets', () => {
  const token = 'Zk3v0aX9_-Qm1c7Yp2Ls8Rt4Wd6Ef5GhJb0NqUiOxKM';
  const cases: [string, string, string][] = [
    ['an API key', 'key tocsin_AbCdEfGhIjKlMnOpQrStUvWxYz012345 sent', 'key tocsin_[hidden] sent'],
    ['a webhook token', `POST /moment/${token}`, 'POST /moment/[hidden]'],
    ['and what follows it', `/moment/${token}/grafana?x=1`, '/moment/[hidden]/grafana?x=1'],
    [
      'an acknowledge link',
      `https://t.example.com/a/01h455vb4pex5vsknk084sn02q-abc12-${token.slice(0, 22)}`,
      'https://t.example.com/a/[hidden]',
    ],
    [
      'a sign-in link',
      `"http://127.0.0.1:8080/sign-in/${token}"`,
      '"http://127.0.0.1:8080/sign-in/[hidden]"',
    ],
    ['the URL of a page source', `/page/${token}/custom`, '/page/[hidden]/custom'],
    ['the URL of a heartbeat', `POST /heartbeat/${token}`, 'POST /heartbeat/[hidden]'],
    [
      'a key in a path',
      `/integrations/v1/webhook/${token}/heartbeat`,
      '/integrations/v1/webhook/[hidden]/heartbeat',
    ],
    [
      'a key in another path',
      `/integrations/generic/20131114/alert/${token}/db`,
      '/integrations/generic/20131114/alert/[hidden]/db',
    ],
    [
      'a key in a query',
      `/api/v2/generic/incoming?token=${token}&x=1`,
      '/api/v2/generic/incoming?token=[hidden]&x=1',
    ],
    ['a key in a header', `GenieKey ${token}`, 'GenieKey [hidden]'],
    ['a ticket for the second factor', `/sign-in#${token}`, '/sign-in#[hidden]'],
    ['a calendar link', `/calendar/${token}.ics`, '/calendar/[hidden]'],
    ['a signing secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw=', 'whsec_[hidden]'],
    [
      'credentials in a URL',
      'postgres://tocsin:pa%20ss@db:5432/tocsin',
      'postgres://[hidden]@db:5432/tocsin',
    ],
    ['a password with an @', 'smtps://a@b.com:p@ss@mail.example.com', 'smtps://[hidden]@mail.example.com'],
    ['a Slack token', 'invalid xoxb-1234567890-abcdefGHIJ', 'invalid xox[hidden]'],
    ['a phone number', '"to":"+15005550006"', '"to":"+[hidden]06"'],
    ['a phone number in a form', 'To=%2B15005550006&From=x', 'To=+[hidden]06&From=x'],
  ];
  for (const [what, line, expected] of cases)
    it(`hides ${what}`, () => assert.equal(redactText(line), expected));

  it('keeps texts that only look like one', () => {
    for (const line of [
      '/moment/short /a/b /pages/page_01h455vb4pex5vsknk084sn02q',
      'https://example.com/search?q=a@b.com ada@example.com',
      '2026-11-20T09:00:00+01:00 +0100 1+12345 tocsin_queue_age_seconds',
      'request_01h455vb4pex5vsknk084sn02q took 1234567890 ns',
    ])
      assert.equal(redactText(line), line);
  });
});
