import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { parse } from 'yaml';
import { type TestDatabase, testDatabase } from '../database.ts';
import { type Daemon, debianProgram, startDaemon } from '../debian-program.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import type { RealSender, Thing } from './sender.ts';

const SCHEMA = '/usr/share/zabbix-server-pgsql/schema.sql.gz';
const ITEMS = ['disk', 'ping'] as const;

/** The part of our file that the story writes into Zabbix's tables, as the web interface would import it. */
type MediaType = {
  name: string;
  script: string;
  attempts: string;
  timeout: string;
  parameters: { name: string; value: string }[];
  message_templates: { operation_mode: string; subject: string; message: string }[];
};

/** Debian's own Zabbix server with our media type, which sends to this URL and repeats a problem every two seconds. */
export async function zabbix(url: string): Promise<RealSender> {
  const program = debianProgram('zabbix_server', 'zabbix-server-pgsql');
  const database = await testDatabase('template0');
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  await fill(db, url);
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-zabbix-'));
  await mkdir(join(folder, 'sockets'));
  const port = await freePort();
  await writeFile(join(folder, 'zabbix_server.conf'), configuration(folder, port, database));
  const start = (): Promise<Daemon> =>
    startDaemon(program, ['-f', '-c', join(folder, 'zabbix_server.conf')], {}, () =>
      accepts(port, 'healthy', 0),
    );
  const report = (thing: Thing, value: number) => eventually(() => accepts(port, ITEMS[thing], value), true);
  const cleanUp = async () => {
    await db.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };
  let daemon = await start().catch(async (error: unknown) => {
    // Otherwise the connection would keep the process of the test alive.
    await cleanUp();
    throw error;
  });
  return {
    titles: ['Disk is full on db-01', 'Nothing answers on db-01'],
    begin: (thing) => report(thing, 1),
    end: (thing) => report(thing, 0),
    acknowledge: (thing) => acknowledge(db, thing),
    async die() {
      await daemon.kill();
      daemon = await start();
    },
    async stop() {
      await daemon.stop();
      await cleanUp();
    },
  };
}

function configuration(folder: string, port: number, { url }: TestDatabase): string {
  const { hostname, port: databasePort, pathname, username, password } = new URL(url);
  const settings = {
    ...{ ListenIP: '127.0.0.1', ListenPort: port, LogType: 'console', AllowRoot: 1 },
    ...{ PidFile: `${folder}/pid`, SocketDir: `${folder}/sockets` },
    ...{ DBHost: hostname, DBPort: databasePort, DBName: pathname.slice(1), DBUser: username },
    ...{ DBPassword: password, AllowUnsupportedDBVersions: 1, CacheUpdateFrequency: 1 },
    ...{ StartPollers: 1, StartPollersUnreachable: 1, StartPingers: 0, StartDiscoverers: 0 },
    ...{ StartHTTPPollers: 0, StartDBSyncers: 1, StartTrappers: 2, StartPreprocessors: 1 },
    ...{ StartLLDProcessors: 1, StartEscalators: 1, StartAlerters: 2, StartODBCPollers: 0 },
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** What the web interface would write: a host with trapper items, our media type, a user with it, and an action. */
async function fill(db: pg.Client, url: string): Promise<void> {
  await db.query(gunzipSync(await readFile(SCHEMA)).toString());
  await db.query(`
    insert into role (roleid, name, type) values (3, 'Super admin role', 3);
    insert into usrgrp (usrgrpid, name) values (7, 'Administrators');
    insert into users (userid, username, name, roleid) values (1, 'tocsin', '', 3), (2, 'ada', 'Ada', 3);
    insert into users_groups values (1, 7, 1), (2, 7, 2);
    insert into hstgrp (groupid, name) values (1, 'Databases');
    insert into config (configid, alert_usrgrpid, discovery_groupid) values (1, 7, 1);
    insert into config_autoreg_tls (autoreg_tlsid) values (1);
    insert into hosts (hostid, host, name) values (1, 'db-01', 'db-01');
    insert into hosts_groups values (1, 1, 1);
    insert into items (itemid, type, hostid, name, key_, value_type)
      values (1, 2, 1, 'Disk', 'disk', 3), (2, 2, 1, 'Ping', 'ping', 3), (3, 2, 1, 'Healthy', 'healthy', 3);
    insert into item_rtdata (itemid) values (1), (2), (3);
    insert into triggers (triggerid, expression, description, priority)
      values (1, '{1}=1', 'Disk is full', 4), (2, '{2}=1', 'Nothing answers', 4);
    insert into functions values (1, 1, 1, 'last', '$'), (2, 2, 2, 'last', '$');
    insert into actions (actionid, name, esc_period) values (1, 'Tocsin', '2s');
    insert into operations (operationid, actionid, esc_step_to, recovery) values (1, 1, 0, 0), (2, 1, 1, 1), (3, 1, 1, 2)`);
  await importMediaType(db);
  await db.query(`
    insert into opmessage (operationid, mediatypeid) values (1, 1), (2, 1), (3, 1);
    insert into opmessage_usr values (1, 1, 1), (2, 2, 1), (3, 3, 1)`);
  await db.query('insert into media (mediaid, userid, mediatypeid, sendto) values (1, 1, 1, $1)', [url]);
}

/** Imports our file. Attempts are a second apart, so that the test need not wait. */
async function importMediaType(db: pg.Client): Promise<void> {
  const text = await readFile(
    new URL('../../docs/integrations/zabbix-media-type.yaml', import.meta.url),
    'utf8',
  );
  const { zabbix_export } = parse(text) as { zabbix_export: { media_types: [MediaType] } };
  const [{ name, script, attempts, timeout, parameters, message_templates }] = zabbix_export.media_types;
  await db.query(
    `insert into media_type (mediatypeid, type, name, script, maxattempts, attempt_interval, timeout)
       values (1, 4, $1, $2, $3, '1s', $4)`,
    [name, script, attempts, timeout],
  );
  for (const [index, parameter] of parameters.entries())
    await db.query('insert into media_type_param values ($1, 1, $2, $3)', [
      index + 1,
      parameter.name,
      parameter.value,
    ]);
  const modes = ['PROBLEM', 'RECOVERY', 'UPDATE'];
  for (const [index, { operation_mode: mode, subject, message }] of message_templates.entries())
    await db.query('insert into media_type_message values ($1, 1, 0, $2, $3, $4)', [
      // Zabbix takes 0 for none.
      index + 1,
      modes.indexOf(mode),
      subject,
      message,
    ]);
}

/** What the web interface does with “Update problem”: acknowledge it and add a comment. */
async function acknowledge(db: pg.Client, thing: Thing): Promise<void> {
  await db.query(`
    with problem as (
      update problem set acknowledged = 1 where objectid = ${thing + 1} and r_eventid is null and source = 0 returning eventid
    ), event as (
      update events set acknowledged = 1 where eventid in (select eventid from problem)
    ), acknowledgement as (
      insert into acknowledges (acknowledgeid, userid, eventid, clock, message, action)
        select eventid, 2, eventid, extract(epoch from now())::integer, 'On it', 6 from problem returning acknowledgeid
    ), task as (
      insert into task (taskid, type, status, clock) select acknowledgeid, 4, 1, extract(epoch from now())::integer from acknowledgement
    )
    insert into task_acknowledge select acknowledgeid, acknowledgeid from acknowledgement`);
}

/** Reports a value as zabbix_sender does. False while the server does not accept it. */
function accepts(port: number, key: string, value: number): Promise<boolean> {
  const data = JSON.stringify({
    request: 'sender data',
    data: [{ host: 'db-01', key, value: String(value) }],
  });
  const header = Buffer.alloc(13);
  header.write('ZBXD\u0001', 'latin1');
  header.writeUInt32LE(Buffer.byteLength(data), 5);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([header, Buffer.from(data)])));
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text;
    });
    socket
      .on('error', () => resolve(false))
      .on('close', () => {
        resolve(answer.includes('processed: 1;'));
      });
  });
}
