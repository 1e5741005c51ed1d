/** The documented scripts for Nagios and Icinga and the commands of the custom form, given the URL of a page source. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { documentedBlock } from '../testing/documented-blocks.ts';
import { passedOn } from '../testing/passed-on.ts';
import type { Story } from '../testing/story.ts';
import { twoStageStory } from '../testing/two-stage-story.ts';

const run = promisify(execFile);

type Told = Record<'kind' | 'state' | 'author' | 'at', string>;

/** What each daemon puts into the script's environment. */
const ENVIRONMENTS: Record<string, (told: Told) => Record<string, string>> = {
  nagios: ({ kind, state, author, at }) => ({
    ...{ NAGIOS_NOTIFICATIONTYPE: kind, NAGIOS_NOTIFICATIONAUTHOR: author, NAGIOS_TIMET: at },
    ...{ NAGIOS_HOSTNAME: 'db-01', NAGIOS_SERVICEDESC: 'Disk', NAGIOS_SERVICESTATE: state },
  }),
  icinga2: ({ kind, state, author, at }) => ({
    ...{ notification_type: kind, notification_author: author, timet: at },
    ...{ host_name: 'db-01', service_name: 'Disk', service_state: state },
  }),
};

describe('a page source', { timeout: 600_000 }, () => {
  let t: Story;
  let folder: string;
  before(async () => {
    t = await twoStageStory();
    folder = await mkdtemp(join(tmpdir(), 'tocsin-senders-'));
  });
  after(async () => {
    await t.end();
    await rm(folder, { recursive: true, force: true });
  });

  const pagesOf = async (name: string) => {
    await t.settle();
    const rows = await t.db
      .selectFrom('pages as p')
      .innerJoin('webhooks as w', 'w.id', 'p.source_id')
      .select(['p.title', 'p.state', 'p.acknowledged_as'])
      .where('w.name', '=', name)
      .orderBy('p.id')
      .execute();
    return rows.map(({ title, state, acknowledged_as: by }) => [title, state, by]);
  };

  for (const [type, environment] of Object.entries(ENVIRONMENTS))
    it(`pages once for a problem that the script of ${type} reports, until the recovery`, async () => {
      const { path } = await t.source({ team: 'sre', name: type, type });
      const config = join(folder, `${type}.conf`);
      await writeFile(config, `url = "${t.url}${path}"\n`);
      const script = documentedBlock(`integrations/${type}`, '', '#!/bin/sh');
      const now = Math.floor((await t.clock.now(t.db)).epochMilliseconds / 1_000);
      const notify = async (second: number, kind: string, state: string, author = '') => {
        const told = environment({ kind, state, author, at: String(now - 10 + second) });
        await run('sh', ['-c', script], { env: { ...passedOn(), ...told, TOCSIN_CONFIG: config } });
      };
      const title = 'Disk on db-01 is CRITICAL';
      await notify(0, 'PROBLEM', 'CRITICAL');
      await notify(1, 'PROBLEM', 'CRITICAL');
      assert.deepEqual(await pagesOf(type), [[title, 'notifying', null]]);
      await t.notified('ada');
      await notify(2, 'ACKNOWLEDGEMENT', 'CRITICAL', 'grace');
      assert.deepEqual(await pagesOf(type), [[title, 'acknowledged', 'grace']]);
      await notify(3, 'RECOVERY', 'OK');
      assert.deepEqual(await pagesOf(type), [[title, 'resolved', 'grace']]);
    });

  it('of the custom form pages and resolves as documented', async () => {
    const { path } = await t.source({ team: 'sre', name: 'custom', type: 'custom' });
    const commands = documentedBlock('integrations/custom', '', 'PAGE_URL').split(/^(?=curl)/m);
    const states = [];
    for (const command of commands) {
      await run('sh', ['-euc', command], { env: { ...passedOn(), PAGE_URL: `${t.url}${path}` } });
      states.push(...(await pagesOf('custom')));
      if (states.length === 1) await t.notified('ada');
    }
    assert.deepEqual(states, [
      ['Nightly backup failed', 'notifying', null],
      ['Nightly backup failed', 'resolved', null],
    ]);
  });
});
