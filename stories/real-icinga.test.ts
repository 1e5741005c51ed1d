/** Debian's Icinga 2, configured as our page about it says and in no other way. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SenderStory, senderStory } from '../testing/sender-story.ts';
import { type Icinga, startIcinga } from '../testing/senders/icinga2.ts';

const WEB = 'https://icinga.example.com/icingaweb2/icingadb';

/** A host and a service whose states the test sets, instead of checks. */
const OBJECTS = `
object CheckCommand "told" { command = [ "/bin/true" ] }
template Host "told" { check_command = "told"; enable_active_checks = false; max_check_attempts = 1 }
template Service "told" { check_command = "told"; enable_active_checks = false; max_check_attempts = 1 }
object Host "db-01" { import "told"; address = "192.0.2.1"; notes_url = "https://wiki.example.com/db-01" }
object Service "disk" { import "told"; host_name = "db-01" }
`;

describe('a real Icinga 2', { timeout: 600_000 }, () => {
  let s: SenderStory;
  let icinga: Icinga | undefined;

  before(async () => {
    s = await senderStory('icinga2');
    icinga = await startIcinga(s.url, OBJECTS);
  });
  after(async () => {
    await icinga?.stop();
    await s.story.end();
  });

  const tell = (command: string) => icinga?.tell(command);

  it('reports a service from its problem to its recovery', async () => {
    await tell('PROCESS_SERVICE_CHECK_RESULT;db-01;disk;2;DISK CRITICAL - /var is "full" (3%) & $(busy)');
    await s.states('open');
    const moment = await s.moment();
    assert.equal(moment.name, 'disk on db-01 is CRITICAL');
    assert.deepEqual([moment.type, moment.priority, moment.source], ['alert', 'high', 'Icinga']);
    assert.match(moment.description ?? '', /^```\nDISK CRITICAL - \/var is "full" \(3%\) & \$\(busy\)\n```/);
    assert.match(moment.description ?? '', /192\.0\.2\.1/);
    assert.equal(decodeURIComponent(moment.source_url ?? ''), `${WEB}/service?name=disk&host.name=db-01`);

    await tell('ACKNOWLEDGE_SVC_PROBLEM;db-01;disk;1;1;0;ada;I am on it');
    await s.states('acknowledged');
    const { acknowledged_as, acknowledged_comment } = await s.moment();
    assert.deepEqual([acknowledged_as, acknowledged_comment], ['ada', 'I am on it']);
    await tell('PROCESS_SERVICE_CHECK_RESULT;db-01;disk;0;DISK OK');
    await s.states('resolved');
  });

  it('reports a host, and the service again', async () => {
    await tell('PROCESS_HOST_CHECK_RESULT;db-01;1;PING CRITICAL - 100% lost');
    await s.states('open', 'resolved');
    const [host] = await s.moments();
    assert.equal(host?.name, 'db-01 is DOWN');
    assert.equal(decodeURIComponent(host?.source_url ?? ''), `${WEB}/host?name=db-01`);
    await tell('PROCESS_HOST_CHECK_RESULT;db-01;0;PING OK');
    await s.states('resolved', 'resolved');
    await tell('PROCESS_SERVICE_CHECK_RESULT;db-01;disk;1;DISK WARNING');
    await s.states('open', 'resolved', 'resolved');
    const states = new Set((await s.notifications()).map(({ state }) => state));
    assert.deepEqual([...states], ['success']);
  });

  it('pages through the URL of a source, with only the URL changed', async () => {
    await icinga?.notify(await s.source('icinga2'));
    await tell('PROCESS_SERVICE_CHECK_RESULT;db-01;disk;2;DISK CRITICAL - /var is full');
    const [raised] = await s.pages('notifying');
    assert.equal(raised?.title, 'disk on db-01 is CRITICAL');
    await tell('ACKNOWLEDGE_SVC_PROBLEM;db-01;disk;1;1;0;ada;I am on it');
    await s.pages('acknowledged');
    await tell('PROCESS_SERVICE_CHECK_RESULT;db-01;disk;0;DISK OK');
    const [resolved] = await s.pages('resolved');
    assert.equal(resolved?.id, raised?.id);
  });
});
