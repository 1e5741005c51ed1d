import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import type { RunningServer } from '../server.ts';
import type { Client } from './client.ts';
import { type Day, HOURS } from './hours.ts';

const KEY_LIVES_MS = 20_000;

/** Requests of programs; `refused` lists those with an unexpected answer. */
export type Programs = { asked: number; keys: number; refused: string[]; run(): Promise<void> };

/** Programs that ask all day who is on call, and one that gets a new key each hour and uses it until it expires. */
export function createPrograms(
  client: Client,
  day: Day,
  random: Random,
  command: RunningServer['command'],
): Programs {
  const programs: Programs = { asked: 0, keys: 0, refused: [], run };

  async function expect(what: string, status: number, answer: Promise<{ status: number }>): Promise<void> {
    const got = (await answer).status;
    programs.asked++;
    if (got !== status) programs.refused.push(`${what} was answered ${got}, not ${status}`);
  }

  async function askOnCalls(): Promise<void> {
    const { body } = await client.get('/schedules?per_page=100');
    const ids = (body.results as { id: string }[]).map(({ id }) => id);
    while (day.hour() < HOURS) {
      const path = `/schedules/${random.pick(ids)}/oncalls`;
      const from = new Date();
      const to = new Date(from.getTime() + 7 * 86_400_000);
      const range = `?time_range[start]=${from.toISOString()}&time_range[end]=${to.toISOString()}`;
      await expect(path, 200, client.get(path, 'on-calls'));
      await expect(path, 200, client.get(path + range, 'on-calls'));
      await expect('/schedules', 200, client.get('/schedules?name_eq=Schedule%201'));
      await delay(Math.max(100, day.minutesMs(1)));
    }
  }

  /** Each key is valid for a few seconds and must be refused afterwards. */
  async function turnKeysOver(): Promise<void> {
    while (day.hour() < HOURS - 1) {
      const name = `hour ${++programs.keys}`;
      const expiresAt = Date.now() + KEY_LIVES_MS;
      const expires = new Date(expiresAt).toISOString();
      const owner = ['--user', 'ada@example.com', '--scopes', 'schedules'];
      const key = await command('key', 'create', ...owner, '--name', name, '--expires', expires);
      await expect('/schedules with a new key', 200, client.get('/schedules', undefined, key));
      await expect('/page/team without the scope', 403, client.post('/page/team', {}, undefined, key));
      await delay(Math.min(KEY_LIVES_MS, Math.max(0, day.minutesMs((HOURS - day.hour()) * 60))));
      if (Date.now() <= expiresAt) return;
      await expect('/schedules with an expired key', 401, client.get('/schedules', undefined, key));
      await delay(Math.max(KEY_LIVES_MS, day.minutesMs(60)));
    }
  }

  async function run(): Promise<void> {
    await Promise.all([askOnCalls(), turnKeysOver()]);
  }
  return programs;
}
