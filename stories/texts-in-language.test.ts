import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bringSession, launchBrowser, openTab, type StoryBrowser } from '../testing/browser.ts';
import { type SignedIn, signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A Friday. */
const NOW = '2026-11-20T12:00:00Z';
const BAD_FILE =
  'email,start_time,end_time\nnobody@example.com,2026-12-24,\n,2026-12-24T00:00:00Z,2026-12-23T00:00:00Z\n';

/** Texts that the service generates or stores are shown in the reader's language; programs get English. */
describe('explanations, uploads, problems and calendars in the language of a person', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;
  let grace: SignedIn;
  let schedule: string;
  const id = (name: string) => t.acme.users[name] ?? '';

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people: { ada: {}, alan: {}, grace: {} },
          teams: { sre: { members: ['ada', 'alan', 'grace'] } },
        },
      }),
    ]);
    await t.clock.travelTo(t.db, Temporal.Instant.from(NOW));
    await t.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id('ada')).execute();
    [ada, grace] = await Promise.all([signIn(t, 'ada'), signIn(t, 'grace')]);
    await ada.call('PATCH', '/api/profile', { language: 'de' });
    await grace.call('PATCH', '/api/profile', { language: 'ja' });
    for (const person of ['ada', 'alan']) await away(person, '2026-12-24T00:00:00Z', '2026-12-27T00:00:00Z');
    await away('alan', '2026-11-30T00:00:00Z', '2026-12-07T00:00:00Z');
    const made = await ada.call('POST', '/api/schedules', {
      ...{ name: 'SRE', team: 'sre', time_zone: 'Europe/Berlin', backstop: id('grace'), strategy: 'fair' },
      ...{ plan_ahead_weeks: 8, shifts: { every: 'day', handoff: '09:00' } },
      stages: [{ stage: 1, members: ['ada', 'alan'].map(id) }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    schedule = made.body.id;
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  async function away(person: string, starts_at: string, ends_at: string): Promise<void> {
    const record = { type: 'hard_unavailable', name: 'Away', starts_at, ends_at, person: id(person) };
    const answer = await ada.call('POST', '/api/availabilities', record);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  }

  const read = async (person: SignedIn, language: string | null, path: string) => {
    const headers = { 'sec-fetch-site': 'same-origin', ...(language ? { 'accept-language': language } : {}) };
    const { status, body } = await person.call('GET', path, undefined, headers);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('why somebody has a shift, or cannot have it', async () => {
    const shift = await t.db
      .selectFrom('shifts')
      .select('id')
      .where('planned_user_id', '=', id('ada'))
      .where('starts_at', '>', Temporal.Instant.from('2026-12-01T00:00:00Z'))
      .where('ends_at', '<', Temporal.Instant.from('2026-12-06T00:00:00Z'))
      .limit(1)
      .executeTakeFirstOrThrow();
    const path = `/api/shifts/${shift.id}/reason`;
    const [german, japanese, english, program] = await Promise.all([
      read(ada, 'de', path),
      read(grace, 'ja', path),
      read(ada, 'en', path),
      read(ada, null, path),
    ]);
    assert.match(german.reason.sentence, /^\S+ hat diese Schicht, weil niemand sonst sie haben kann\. /);
    assert.match(german.reason.refused[0].sentence, /^\S+ ist abwesend\.$/);
    assert.match(japanese.reason.sentence, /^ほかに入れる人がいないため、.+がこのシフトの担当です。/);
    assert.match(japanese.reason.refused[0].sentence, /は不在です。$/);
    assert.match(english.reason.sentence, /^\S+ has this shift because nobody else can have it\. /);
    assert.deepEqual(program, english);
    const facts = (answer: typeof english) =>
      answer.reason.refused.map((one: { because: string }) => one.because);
    assert.deepEqual(facts(german), facts(english));
  });

  it('why nobody can have a shift', async () => {
    const path = `/api/schedules/${schedule}/plan`;
    const [german, japanese, program] = await Promise.all([
      read(ada, 'de-CH', path),
      read(grace, 'ja', path),
      read(ada, null, path),
    ]);
    assert.match(
      german.gaps[0].sentence,
      /^niemand kann Stufe 1 von 2\d\. Dezember 0\d:00 bis 2\d\. Dezember 0\d:00 übernehmen: \S+ ist bis 27\. Dezember 01:00 abwesend; /,
    );
    assert.match(
      japanese.gaps[0].sentence,
      /の第1段階に入れる人がいません：.+は12[/月]27日? 01:00まで不在です。/,
    );
    assert.match(program.gaps[0].sentence, /^nobody can take stage 1 from 2\d December/);
  });

  const upload = async (person: SignedIn, language: string | null, csv: string) => {
    const headers = { 'sec-fetch-site': 'same-origin', ...(language ? { 'accept-language': language } : {}) };
    const { status, body } = await person.call('POST', '/api/availabilities/upload', { csv }, headers);
    assert.equal(status, 400);
    return {
      message: body.message,
      details: body.details?.map(({ message }: { message: string }) => message),
    };
  };

  it('what is wrong with the rows of an upload', async () => {
    const german = await upload(ada, 'de', BAD_FILE);
    assert.match(
      german.message,
      /^Der Upload enthält unbekannte Personen und hat 4 Probleme in seinen Zeilen, /,
    );
    assert.deepEqual(german.details, [
      'row 2, start_time ist "2026-12-24", ein Datum ohne Uhrzeit; gib Datum und Uhrzeit nach ISO 8601 an, zum Beispiel 2026-11-20T09:00:00Z.',
      'row 3, email ist leer; gib die E-Mail-Adresse einer Person an.',
      'row 3, end_time ist "2026-12-23T00:00:00Z" und liegt nicht nach start_time; gib eine spätere Zeit an.',
      'row 2, email ist "nobody@example.com" und gehört zu keiner Person; füge die Person zuerst hinzu oder korrigiere die Adresse.',
    ]);
    const japanese = await upload(grace, 'ja', BAD_FILE);
    assert.equal(japanese.details[1], 'row 3, emailが空です。ユーザーのメールアドレスを指定してください。');
    const program = await upload(ada, null, BAD_FILE);
    assert.equal(program.details[1], 'row 3, email is empty; give the email address of a user.');
    const headless = await upload(ada, 'de', 'email;start_time\n');
    assert.match(
      headless.message,
      /in der Kopfzeile fehlt email und start_time; trenne die Spalten durch Kommas\.$/,
    );
  });

  it('also of a file that a thread of its own reads', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => `,2026-12-24T00:00:00Z,,Row ${index}`);
    const { message, details } = await upload(
      ada,
      'de',
      `email,start_time,end_time,name\n${rows.join('\n')}\n`,
    );
    assert.match(message, /^Der Upload hat 5\.000 Probleme in seinen Zeilen, /);
    assert.equal(details.at(-1), 'file hat 4.900 weitere Probleme.');
  });

  it('problems, also those that an older release wrote', async () => {
    const made = (await ada.call('POST', '/api/webhooks', { team: 'sre', type: 'custom', name: 'Deploys' }))
      .body;
    await ada.call('DELETE', `/api/webhooks/${made.id}`);
    const call = await fetch(made.url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    await call.body?.cancel();
    const at = await t.clock.now(t.db);
    const older = { code: 'unknown', count: 1, first_at: at, last_at: at, organization_id: null };
    await t.db
      .insertInto('problems')
      .values([
        {
          ...{ ...older, subject: 'service:heartbeat' },
          message: 'The heartbeat could not be sent: no answer within 10 s.',
          fix: 'free space on that disk, or enlarge it',
        },
        { ...older, subject: 'service:older', message: 'A text of an older release.', fix: 'Do this.' },
      ])
      .execute();
    await t.app.duties.runAll();
    const listed = async (person: SignedIn, language: string | null) => {
      const { problems } = await read(person, language, '/api/problems');
      return new Map<string, { message: string; fix: string }>(
        problems.map((one: { subject: string; message: string; fix: string }) => [one.subject, one]),
      );
    };
    const [german, japanese, program] = await Promise.all([
      listed(ada, 'de'),
      listed(grace, 'ja'),
      listed(ada, null),
    ]);
    const webhook = `webhook:${made.id}`;
    assert.equal(german.get(webhook)?.message, 'Aufrufe kommen noch, obwohl der Webhook widerrufen wurde.');
    assert.match(
      german.get(webhook)?.fix ?? '',
      /^Stoppe den Absender oder gib ihm die URL eines anderen Webhooks: /,
    );
    assert.equal(japanese.get(webhook)?.message, 'Webhookは無効化されていますが、まだ受信があります。');
    assert.equal(program.get(webhook)?.message, 'Calls still arrive, although the webhook was revoked.');
    assert.equal(
      german.get('service:heartbeat')?.message,
      'Der Heartbeat konnte nicht gesendet werden: keine Antwort innerhalb von 10 s.',
    );
    assert.equal(german.get('service:older')?.message, 'A text of an older release.');
  });

  it('what a try of a page source would do, and why its call was ignored', async () => {
    const settings = { rules: [{ match: ['severity=info'], then: { ignore: true } }] };
    const made = await ada.call('POST', '/api/sources', {
      team: 'sre',
      type: 'custom',
      name: 'Grafana',
      settings,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const tried = async (language: string | null, severity: string) => {
      const headers = {
        'sec-fetch-site': 'same-origin',
        ...(language ? { 'accept-language': language } : {}),
      };
      const body = { body: JSON.stringify({ title: 'Disk full', severity }) };
      return (await ada.call('POST', `/api/sources/${made.body.id}/try`, body, headers)).body.message;
    };
    assert.equal(await tried('de', 'critical'), '1 Alarmierung würde ausgelöst.');
    assert.equal(await tried('ja', 'critical'), '呼び出し1件が作成されます。');
    assert.equal(await tried('de', 'info'), 'Regel 1 der Alarmquelle (severity=info) ignoriert es.');
    assert.equal(await tried(null, 'info'), 'Rule 1 of the source (severity=info) ignores it.');
    assert.equal(await tried(null, 'critical'), '1 page would be raised.');
  });

  it('why an integration could not read a call', async () => {
    const made = (
      await ada.call('POST', '/api/webhooks', { team: 'sre', type: 'alertmanager', name: 'Prometheus' })
    ).body;
    const own = (await ada.call('POST', '/api/webhooks', { team: 'sre', type: 'custom', name: 'Builds' }))
      .body;
    const send = (url: string, body: string) =>
      fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    assert.equal((await send(made.url, '{"status":"firing"}')).status, 200);
    assert.equal((await send(own.url, '{"name":"Build","type":"broken"}')).status, 400);
    await t.settle();
    const reason = async (person: SignedIn, language: string | null, webhook: string) => {
      const { notifications } = await read(person, language, `/api/notifications?webhook=${webhook}`);
      return notifications[0].reason;
    };
    assert.equal(
      await reason(ada, 'de', made.id),
      'im Inhalt fehlt die Liste „alerts“; erwartet wird eine Benachrichtigung von Alertmanager (Version 4).',
    );
    assert.equal(
      await reason(grace, 'ja', made.id),
      '本文に「alerts」のリストがありません。Alertmanagerの通知（バージョン4）が必要です。',
    );
    assert.equal(
      await reason(ada, null, made.id),
      'the body has no list "alerts"; an Alertmanager notification (version 4) is expected.',
    );
    assert.match(
      await reason(ada, 'de', own.id),
      /^type ist "broken", was nicht zu den erlaubten Werten gehört; gib einen der Werte alert, /,
    );
    assert.match(
      await reason(ada, null, own.id),
      /^type is "broken", which is not among the allowed values; /,
    );
  });

  it('what a change of a schedule changed, which the audit log keeps in English', async () => {
    const change = async (person: SignedIn, language: string, body: object) => {
      const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': language };
      const answer = await person.call('PATCH', `/api/schedules/${schedule}`, body, headers);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.changes;
    };
    assert.deepEqual(await change(ada, 'de', { rest_hours: 11, limits: { nights_in_a_row: 1 } }), [
      'Ruhezeit: bisher 0 Stunden, jetzt 11 Stunden',
      'Planung: bisher wie üblich, jetzt höchstens 1 Nacht in Folge',
    ]);
    assert.deepEqual(await change(ada, 'ja', { rest_hours: 0 }), ['休息時間：11時間から0時間に変更']);
    const { entries } = await read(ada, 'de', '/api/audit?limit=2');
    assert.deepEqual(
      entries.map(({ data }: { data: { changes: string[] } }) => data.changes),
      [
        ['rest: was 11 hours, is 0 hours'],
        ['rest: was 0 hours, is 11 hours', 'planning: was usual, is at most 1 night in a row'],
      ],
    );
  });

  it('what became of a request, and why a source paged', async () => {
    const made = await ada.call('POST', '/api/sources', {
      ...{ team: 'sre', type: 'custom', name: 'Prometheus' },
      settings: { rules: [{ match: ['service=db'], then: { urgency: 'high' } }] },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const sent = await fetch(made.body.url, {
      method: 'POST',
      body: JSON.stringify({ title: 'Disk full', severity: 'warning', labels: { service: 'db' } }),
      headers: { 'content-type': 'application/json' },
    });
    const { service_request_id: request } = (await sent.json()) as { service_request_id: string };
    await t.settle();
    const outcome = async (language: string | null) =>
      (await read(ada, language, `/api/requests/${request}`)).response;
    assert.equal((await outcome('de')).message, '1 Alarmierung wurde ausgelöst.');
    assert.equal((await outcome('ja')).message, '呼び出し1件を作成しました。');
    const program = await outcome(null);
    assert.equal(program.message, '1 page was raised.');
    const reasons = async (language: string | null) => {
      const { timeline } = await read(ada, language, `/api/pages/${program.pages[0].id}`);
      return timeline.find(({ kind }: { kind: string }) => kind === 'raised').reasons;
    };
    assert.deepEqual(await reasons('de'), ['Regel 1: service=db → high']);
    assert.deepEqual(await reasons(null), ['rule 1: service=db → high']);
    const { status, body } = await ada.call('POST', `/api/pages/${program.pages[0].id}/resolve`, {});
    assert.equal(status, 200, JSON.stringify(body));
  });

  it('the page of a sign-in link, whose reader is not signed in yet', async () => {
    const link = await signInLink(t, 'grace');
    const shown = async (url: string, language: string) =>
      (await fetch(url, { headers: { accept: 'text/html', 'accept-language': language } })).text();
    assert.match(await shown(link, 'de'), /<html lang="ja">.*ようこそ、/s);
    assert.match(
      await shown(link.slice(0, -4), 'de'),
      /<h1>Dieser Link ist ungültig oder wurde abgeschnitten\.<\/h1>/,
    );
  });

  it('the events of a calendar feed, whoever fetches it', async () => {
    const feedOf = async (person: SignedIn, kind: string) => {
      const made = await person.call('POST', '/api/calendars', {
        kind,
        ...(kind === 'team' ? { team: 'sre' } : {}),
      });
      const answer = await fetch(made.body.url, { headers: { 'accept-language': 'fr' } });
      return (await answer.text()).replaceAll(/\r\n /g, '');
    };
    const german = await feedOf(ada, 'person');
    assert.match(german, /\r\nX-WR-CALNAME:In Bereitschaft: \S+\r\n/);
    assert.match(german, /\r\nSUMMARY:In Bereitschaft: SRE\\, Stufe 1\r\n/);
    const japanese = await feedOf(grace, 'team');
    assert.match(japanese, /\r\nSUMMARY:\S+がオンコール：SRE・第1段階\r\n/);
    assert.match(japanese, /\r\nSUMMARY:オンコールの人なし：SRE・第1段階（最終担当者の\S+が応答）\r\n/);
    await ada.call('PATCH', '/api/profile', { language: 'en' });
    assert.match(await feedOf(ada, 'person'), /\r\nSUMMARY:On call: SRE\\, stage 1\r\n/);
    await ada.call('PATCH', '/api/profile', { language: 'de' });
  });

  it('the dashboard shows the rows of an upload, gaps and problems in German', async () => {
    const tab = await openTab(browser);
    const { page } = tab;
    await bringSession(page, ada, t.url);
    await page.goto(`${t.url}/availability/upload`);
    await page
      .getByLabel('CSV-Datei')
      .setInputFiles({ name: 'absences.csv', mimeType: 'text/csv', buffer: Buffer.from(`${BAD_FILE}"x`) });
    await page.getByText('email ist leer; gib die E-Mail-Adresse einer Person an.').waitFor();
    await page.getByText(/^Zeile 4 hat eine Zelle in Anführungszeichen, die nie endet/).waitFor();
    await page.goto(`${t.url}/schedules/${schedule}`);
    await page
      .getByText(/^Niemand kann Stufe 1 von 2\d\. Dezember .* abwesend\. /)
      .first()
      .waitFor();
    await page.goto(`${t.url}/problems`);
    await page.getByText('Aufrufe kommen noch, obwohl der Webhook widerrufen wurde.').waitFor();
    // The browser logs the refusal of the file.
    assert.deepEqual(
      tab.errors.filter((error) => !error.endsWith('/api/availabilities/upload')),
      [],
    );
    await tab.close();
  });
});
