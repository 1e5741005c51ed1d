import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { missingMigrations } from '../../src/db/migrate.ts';
import { type CommandLine, commandLine } from '../../testing/command-line.ts';
import { installMissing, type OtherTree } from '../../testing/other-tree.ts';
import type { Settling } from '../../testing/processes.ts';
import { storedReleases, unpackSource } from '../../testing/stored-release.ts';
import { callContinuously } from '../calls.ts';
import { plainDoor, type Step, sendUntilAccepted } from '../course.ts';
import { broken as brokenOf, judge, titleOf } from '../ledger.ts';
import type { SentPage } from '../load.ts';
import { type Place, percentile, type Server, seconds } from '../place.ts';
import { type StoredPostgres, storedPostgres } from '../postgres.ts';
import type { Scenario, Stage, Verdict } from '../scenario.ts';
import { climbOf, LADDER_SECONDS, LATE_MS, STAGE_SECONDS, teamPage } from './escalation.ts';

/** Indexes of large tables are built after the start; the tables of this scenario are small. */
const MIGRATED_WITHIN_MS = 120_000;

/**
 * The program of each stored release on its own data, in an external database, and its upgrade under load. `npm test` upgrades
 * stored releases without load, because this takes a minute or more for each.
 */
export function upgrades(): Scenario[] {
  return storedReleases().map(upgradeFrom);
}

function upgradeFrom(version: string): Scenario {
  return {
    name: `upgrade-${version}`,
    promise: `under load, new nodes migrate the data of ${version} beside two nodes of it and take over, ${version} comes back, and new nodes take over again: nothing is lost or repeated`,
    async run(stage) {
      const program = unpackSource(version);
      installMissing(program);
      const postgres = await storedPostgres(version);
      const { url } = await postgres.database();
      const commands = { old: commandLine(url, program.path), current: commandLine(url) };
      try {
        return await upgradeAndBack(stage, { program, postgres, commands });
      } finally {
        for (const one of Object.values(commands)) one.remove();
        await postgres.remove();
        program.remove();
      }
    },
  };
}

type Installation = {
  program: OtherTree;
  postgres: StoredPostgres;
  commands: { old: CommandLine; current: CommandLine };
};

async function upgradeAndBack(
  { seconds: length, short, random, place }: Stage,
  { program, postgres, commands }: Installation,
): Promise<Verdict> {
  const run = (release: CommandLine, ...words: string[]) => commanded(release, postgres.secretKey, words);
  const at = await place({
    postgres,
    env: { SECRET_KEY: postgres.secretKey },
    organization: (receiver) => settledBy((file) => run(commands.old, 'apply', file), receiver.url, postgres),
  });
  const startOld = () => at.start('all', {}, undefined, { tree: program.path });
  const pause = (share: number) => delay(short ? 1_500 : length * 1_000 * share);

  const old: [Server, Server] = [await startOld(), await startOld()];
  let serving: readonly Server[] = old;
  const targets = () => serving.map(({ url }) => url);
  const load = at.load({ targets, perSecond: short ? 5 : 40 });
  const teams = at.load({ targets, perSecond: short ? 1 : 2, page: teamPage, name: 'team' });
  const calls = callContinuously(at.cluster, () => random.pick(targets()), postgres.made.hook, short ? 1 : 4);
  const end = async (node: Server) => {
    serving = serving.filter((one) => one !== node);
    await node.process.end('SIGTERM');
  };
  await pause(0.15);

  const { ok } = JSON.parse(await run(commands.current, '--json', 'upgrade', '--check'));
  const migrations = await missing(postgres);
  const acceptedBefore = load.accepted.length + teams.accepted.length;
  // This node only accepts, so the old nodes escalate and send everything, even on the new schema.
  const accepting = await at.start('api');
  const acceptedMeanwhile = load.accepted.length + teams.accepted.length - acceptedBefore;
  serving = [...old, accepting];
  const left = await untilMigrated(postgres);
  const [raised, wrong] = await course(at, [old[0], accepting]);
  wrong.push(...(await oldCommands(at, (...words) => run(commands.old, ...words), old[1])));
  await pause(0.15);

  const working = await at.start('all');
  serving = [...serving, working];
  for (const node of old) await end(node);
  await pause(0.25);
  if (!short) {
    const back = await startOld();
    serving = [...serving, back];
    for (const node of [accepting, working]) await end(node);
    await pause(0.25);
    const last = await at.start('all');
    serving = [...serving, last];
    await end(back);
    await pause(0.2);
  }

  const pages = await teams.end();
  // Until the last page has been through the first round.
  await delay(LADDER_SECONDS * 1_000);
  const called = await calls.settle();
  const notOfLoad = (title: string) => !title.startsWith(`upgrade-`);
  const verdict = await at.settle(load, { repeats: 0, except: notOfLoad });
  const ofTeam = judge(
    pages,
    at.receiver.received.filter(({ body }) => titleOf(body).startsWith('team ')),
  );
  const climbs = climbsOf(at, pages);
  verdict.broken.push(
    ...wrong,
    ...called.broken,
    ...brokenOf(ofTeam, 0),
    ...climbs.wrong.slice(0, 5),
    ...(await withoutRecord(at, [...load.accepted, ...pages])),
    ...(await storedPages(at)),
    ...(ok ? [] : ['upgrade --check of the new release said that it cannot take over']),
    ...(migrations === 0 ? ['there was nothing to migrate, so that nothing was tested'] : []),
    ...(acceptedMeanwhile === 0 ? ['no page was accepted while the first new node started'] : []),
    ...(left > 0
      ? [`${left} migrations were still missing ${seconds(MIGRATED_WITHIN_MS)} after the start`]
      : []),
    ...oddAnswers([load.answers, teams.answers]),
  );
  // The short form runs on machines of any speed.
  if (!short && !(percentile(climbs.lateMs, 0.99) <= LATE_MS))
    verdict.broken.push(`stages came ${seconds(percentile(climbs.lateMs, 0.99))} late (99th percentile)`);
  await at.end();
  return {
    ...verdict,
    figures: {
      'migrations newer': migrations,
      'accepted while it migrated': acceptedMeanwhile,
      'acknowledged across': raised,
      'pages of a team': pages.length,
      'stage late, 99th': seconds(percentile(climbs.lateMs, 0.99)),
      'calls of a webhook': called.accepted,
      refused: load.answers.get(503) ?? 0,
      ...verdict.figures,
    },
  };
}

/** The standard output of a command. @throws when it fails */
async function commanded(program: CommandLine, secretKey: string, words: readonly string[]): Promise<string> {
  const env = { SECRET_KEY: secretKey, ALLOW_PRIVATE_WEBHOOKS: 'true' };
  const { code, stdout, stderr } = await program.run(words, { env });
  if (code !== 0) throw new Error(`tocsin ${words.join(' ')} ended with ${code}: ${stderr}`);
  return stdout.trim();
}

/** Gives the stored organization receivers that exist, and a schedule whose stages take seconds. */
function settledBy(
  apply: (file: string) => Promise<string>,
  receiver: string,
  { made }: StoredPostgres,
): Settling {
  return async ({ db }) => {
    const file = join(tmpdir(), `tocsin-faults-${randomUUID()}.yaml`);
    writeFileSync(file, organization(receiver));
    const applied = await apply(file).finally(() => rmSync(file));
    const secret = /ada@example\.com .* (whsec_\S+)/.exec(applied)?.[1];
    if (secret === undefined) throw new Error(`apply named no secret of Ada's webhook: ${applied}`);
    // The receiver checks the signatures of everybody by one secret.
    await sql`update contact_methods set signing_secret =
      (select signing_secret from contact_methods where value = ${`${receiver}ada`}) where type = 'webhook'`.execute(
      db,
    );
    await db.updateTable('schedule_stages').set({ escalate_after_seconds: STAGE_SECONDS }).execute();
    const { id } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow();
    return { id, users: {}, teams: {}, key: made.key, webhookSecret: secret };
  };
}

function organization(receiver: string): string {
  const person = (name: string) => `
  - email: ${name}@example.com
    name: ${name}
    contact_methods: [ { type: webhook, value: "${receiver}${name}" } ]
    notification_rules:
      low: [ { after_minutes: 0, types: [webhook] } ]
      high: [ { after_minutes: 0, types: [webhook] } ]`;
  return `
organization: { name: Acme }
users: ${['ada', 'grace', 'linus'].map(person).join('')}
teams:
  - { name: Site Reliability, slug: sre, members: [ada@example.com, grace@example.com, linus@example.com] }
schedules:
  - name: SRE
    team: sre
    backstop: linus@example.com
    shifts: { every: week, handoff: "Monday 09:00" }
    stages:
      - { stage: 1, members: [ada@example.com], escalate_after_minutes: 1 }
      - { stage: 2, members: [grace@example.com], escalate_after_minutes: 1 }
`;
}

/** The number of migrations that the database lacks. */
async function missing(postgres: StoredPostgres): Promise<number> {
  const { url } = await postgres.database();
  const { atStart, whileServing } = await missingMigrations({ connectionString: url });
  return atStart.length + whileServing.length;
}

/** Returns the number of migrations that are not applied in time. */
async function untilMigrated(postgres: StoredPostgres): Promise<number> {
  for (const deadline = performance.now() + MIGRATED_WITHIN_MS; ; await delay(200)) {
    const left = await missing(postgres);
    if (left === 0 || performance.now() > deadline) return left;
  }
}

/**
 * Raises pages at each node, and acknowledges each by the link at each node. Returns their number, and a description of
 * each failure.
 */
async function course(at: Place, nodes: readonly Server[]): Promise<[number, string[]]> {
  const door = plainDoor(at);
  const wrong: string[] = [];
  let raised = 0;
  for (const from of nodes)
    for (const to of nodes) {
      const title = `across ${++raised}`;
      const send = (node: Server, step: Step) => {
        const place = { first: node.url, targets: () => [node.url] };
        return sendUntilAccepted(door, place, step, { title, idempotencyKey: `${step} ${title}` });
      };
      const requestId = await send(from, 'raise');
      await at.receiver.expect(({ body }) => body.title === title);
      await send(to, 'acknowledge');
      for (const node of nodes) {
        const status = await statusOf(at, node, requestId ?? '');
        if (status !== 'succeeded')
          wrong.push(`${title}: its request is ${status} at ${node === nodes[0] ? 'an old' : 'a new'} node`);
      }
      const { rows } = await sql<{ state: string }>`
        select state from pages where title = ${title}`.execute(at.cluster.db);
      const states = rows.map(({ state }) => state).join(', ');
      if (states !== 'acknowledged')
        wrong.push(`${title}: its page is “${states}” after the acknowledgement`);
    }
  return [raised, wrong];
}

/** The state of a request once it has finished, as a node answers. */
async function statusOf({ cluster }: Place, { url }: Server, requestId: string): Promise<string> {
  const answer = await fetch(`${url}/request/${requestId}/status?wait=20`, {
    headers: { authorization: `Bearer ${cluster.acme.key}` },
  });
  const body = (await answer.json()) as { response?: { status: string } };
  return answer.ok ? String(body.response?.status) : `answered ${answer.status}`;
}

/** Commands of the old release write to the migrated database, and the rows that they wrote work at an old node. */
async function oldCommands(
  at: Place,
  run: (...words: string[]) => Promise<string>,
  node: Server,
): Promise<string[]> {
  const key = await run('key', 'create', '--user', 'ada@example.com', '--name', 'after the migration');
  const webhook = await run(
    ...['webhook', 'create', '--team', 'sre', '--name', 'after the migration', '--type', 'custom'],
  );
  const { pathname } = new URL(/https?:\S+/.exec(webhook)?.[0] ?? '');
  const file = join(tmpdir(), `tocsin-faults-${randomUUID()}.yaml`);
  const team = '{ name: Operations, slug: ops, members: [grace@example.com, linus@example.com] }';
  writeFileSync(file, `organization: { name: Acme }\nteams: [ ${team} ]\n`);
  await run('apply', file).finally(() => rmSync(file));
  const post = (path: string, body: unknown) =>
    fetch(node.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const answers = [
    await post('/page/person', {
      recipient: 'grace@example.com',
      title: 'by a new key',
      text: 'x',
      urgency: 'low',
    }),
    await post(pathname, { name: 'by a new webhook', type: 'Alert', source: 'commands', description: 'x' }),
  ];
  await at.receiver.expect(({ body }) => body.title === 'by a new key');
  return answers
    .filter(({ ok }) => !ok)
    .map(({ url, status }) => `${new URL(url).pathname} was answered ${status} at an old node`);
}

/** Whether each page went through its stages in order, and how late each stage was. */
function climbsOf({ receiver }: Place, pages: readonly SentPage[]): { wrong: string[]; lateMs: number[] } {
  // A page whose first answer was lost began earlier than its sender knows.
  const climbs = pages.filter(({ tries }) => tries === 1).map((page) => climbOf(page, receiver.received));
  return {
    wrong: climbs.flatMap(({ wrong }) => wrong),
    lateMs: climbs.flatMap(({ lateMs }) => lateMs),
  };
}

/** Accepted pages that the database lacks. */
async function withoutRecord({ cluster: { db } }: Place, accepted: readonly SentPage[]): Promise<string[]> {
  const rows = await db.selectFrom('pages').select('request_id').execute();
  const known = new Set(rows.map(({ request_id }) => request_id));
  const lacking = accepted.filter(({ requestId }) => !known.has(requestId));
  return lacking.length > 0
    ? [`${lacking.length} accepted pages are not in the database, such as ${lacking[0]?.title}`]
    : [];
}

/** The pages that the release had accepted before its data was stored. */
async function storedPages({ cluster: { db } }: Place): Promise<string[]> {
  const titles = ['Acknowledged', 'Still open'];
  const rows = await db.selectFrom('pages').select('title').where('title', 'in', titles).execute();
  return titles
    .filter((title) => !rows.some((row) => row.title === title))
    .map((title) => `the stored page “${title}” is gone`);
}

/** A client whose request reaches a node at its very end gets no answer, and tries another node. */
function oddAnswers(answers: readonly ReadonlyMap<number, number>[]): string[] {
  const odd = answers
    .flatMap((counts) => [...counts.keys()])
    .filter((status) => ![0, 200, 503].includes(status));
  return odd.length > 0 ? [`answers other than 200 and 503: ${[...new Set(odd)].join(', ')}`] : [];
}
