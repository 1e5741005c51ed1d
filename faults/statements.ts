import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A moment between two statements of one connection. */
export type Moment = {
  /** Before the database gets the statement, or after it has run it and before its answer arrives. */
  when: 'before' | 'after';
  /**
   * Identifies a statement by the statements before it in its transaction. For earlier statements, and with `after`
   * also for this one, it includes whether they found or changed rows, so a look that finds work differs from one that
   * does not.
   */
  place: string;
  /** The begin of the statement, and its number within its transaction, from 1. */
  text: string;
  number: number;
  /**
   * Its transaction has changed rows, or the statement itself has. Before a statement outside of a transaction: the
   * statement may change rows.
   */
  wrote: boolean;
  /**
   * With `after`: the effect lasts although the answer is lost, because the statement was a commit or ran outside of a
   * transaction.
   */
  lasts: boolean;
};

/** The network between one process and PostgreSQL, which passes one statement after the other and can be cut between two of them. */
export type StatementProxy = {
  port: number;
  /**
   * Called at every moment once it is set. When it returns true, nothing passes in either direction on any
   * connection, until `mend`.
   */
  cutAt: ((moment: Moment) => boolean) | null;
  /** Closes all connections, as the kernel does for a dead process, and passes data again. Call it when the process is gone. */
  mend(): void;
  /** Closes all connections and refuses new ones, as if the database were away, until `mend`. */
  refuse(): void;
  stop(): Promise<void>;
};

export async function statementProxy(target: { host: string; port: number }): Promise<StatementProxy> {
  const pairs = new Set<Pair>();
  let isCut = false;
  let isRefusing = false;
  const proxy: StatementProxy = {
    port: 0,
    cutAt: null,
    mend() {
      for (const pair of pairs) pair.close();
      isCut = false;
      isRefusing = false;
    },
    refuse() {
      isRefusing = true;
      for (const pair of pairs) pair.close();
    },
    async stop() {
      for (const pair of pairs) pair.close();
      server.close();
      await once(server, 'close');
    },
  };
  const line = {
    isCut: () => isCut,
    isWatched: () => proxy.cutAt !== null,
    reached(moment: Moment) {
      isCut ||= proxy.cutAt?.(moment) ?? false;
      return isCut;
    },
  };
  const server = createServer((near) => {
    if (isRefusing) return void near.resetAndDestroy();
    const pair = new Pair(near, connect(target), line);
    pairs.add(pair);
    near.on('close', () => pairs.delete(pair));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}

type Line = { isCut(): boolean; isWatched(): boolean; reached(moment: Moment): boolean };

/** One statement as the driver sends it: all its messages up to and with `Sync`, or a simple `Query`. */
type Statement = { bytes: Buffer; text: string };

/** Both directions of one connection. Statements that the driver sends together also pass one by one. */
class Pair {
  private readonly near: Socket;
  private readonly far: Socket;
  private readonly line: Line;
  private readonly queue: Statement[] = [];
  private current: Moment | null = null;
  /** The statements of the open transaction, with the kind of each answer. */
  private path: string[] = [];
  private tag = '';
  /** The open transaction has changed rows; the current statement may change some. */
  private wrote = false;
  private writes = false;
  private parts: Buffer[] = [];
  private text = '';
  private readonly prepared = new Map<string, string>();
  private isReady = false;

  constructor(near: Socket, far: Socket, line: Line) {
    this.near = near;
    this.far = far;
    this.line = line;
    const fromDriver = messages((type, bytes) => this.sent(type, bytes), { startsWithoutType: true });
    const fromServer = messages((type, bytes) => this.answered(type, bytes), { startsWithoutType: false });
    near.on('data', fromDriver);
    far.on('data', (chunk: Buffer) => {
      // Passes the messages of an answer together.
      near.cork();
      fromServer(chunk);
      near.uncork();
    });
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
    }
    // Runs also after a cut: the process is gone then, and the server has to learn it.
    near.on('close', () => far.destroy());
    far.on('close', () => {
      if (!line.isCut()) near.destroy();
    });
  }

  close(): void {
    this.near.destroy();
    this.far.destroy();
  }

  private sent(type: string, bytes: Buffer): void {
    if (this.line.isCut()) return;
    // Before the server is ready, only the login passes. Terminate has no answer.
    if (!this.isReady || type === 'X') return void this.far.write(bytes);
    this.parts.push(bytes);
    if (type === 'P') {
      const [name = '', text = ''] = strings(bytes, 2);
      this.prepared.set(name, text);
      this.text = text;
    } else if (type === 'B') this.text = this.prepared.get(strings(bytes, 2)[1] ?? '') ?? '';
    else if (type === 'Q') this.text = strings(bytes, 1)[0] ?? '';
    if (type !== 'S' && type !== 'Q') return;
    this.queue.push({ bytes: Buffer.concat(this.parts), text: this.text });
    this.parts = [];
    this.next();
  }

  private next(): void {
    if (this.current) return;
    const statement = this.queue.shift();
    if (!statement) return;
    const { bytes, text } = statement;
    const place = this.line.isWatched() ? digest([...this.path, text].join('\n')) : '';
    this.writes = WRITING.test(text);
    const number = this.path.length / 2 + 1;
    this.current = {
      when: 'before',
      place,
      text: this.line.isWatched() ? shortened(text) : '',
      number,
      wrote: this.wrote || (number === 1 && this.writes),
      lasts: false,
    };
    this.tag = '';
    if (this.line.reached(this.current)) return;
    this.path.push(text);
    this.far.write(bytes);
  }

  private answered(type: string, bytes: Buffer): void {
    if (this.line.isCut()) return;
    if (type === 'C') this.tag = kindOfTag(strings(bytes, 1)[0] ?? '');
    if (type === 'E') this.tag = 'error';
    if (type === 'Z') {
      this.isReady = true;
      const isOutside = bytes.toString('latin1', 5, 6) === 'I';
      const ended = this.current;
      this.current = null;
      if (ended) {
        this.path.push(this.tag);
        const place = this.line.isWatched() ? digest(this.path.join('\n')) : '';
        this.wrote ||= this.writes && this.tag.endsWith(' some');
        const { wrote } = this;
        if (isOutside) {
          this.path = [];
          this.wrote = false;
        }
        if (this.line.reached({ ...ended, when: 'after', place, wrote, lasts: isOutside })) return;
      }
    }
    this.near.write(bytes);
    if (type === 'Z') this.next();
  }
}

/** Also in a common table of a `select`. */
const WRITING = /\b(insert into|update|delete from)\b/i;

/** Splits a stream into the messages of PostgreSQL's protocol: a type, and a length that counts itself. */
function messages(
  take: (type: string, bytes: Buffer) => void,
  { startsWithoutType }: { startsWithoutType: boolean },
): (chunk: Buffer) => void {
  let left = Buffer.alloc(0);
  let typed = !startsWithoutType;
  return (chunk) => {
    left = Buffer.concat([left, chunk]);
    for (;;) {
      const head = typed ? 1 : 0;
      if (left.length < head + 4) return;
      const length = head + left.readInt32BE(head);
      if (left.length < length) return;
      const bytes = left.subarray(0, length);
      left = left.subarray(length);
      take(typed ? String.fromCharCode(bytes[0] ?? 0) : '', bytes);
      typed = true;
    }
  };
}

/** The first `count` strings of a message, each of which ends with a zero byte. */
function strings(bytes: Buffer, count: number): string[] {
  const found: string[] = [];
  for (let from = 5; found.length < count; ) {
    const end = bytes.indexOf(0, from);
    if (end < 0) break;
    found.push(bytes.toString('utf8', from, end));
    from = end + 1;
  }
  return found;
}

/** `INSERT 0 3` becomes `INSERT some`, because the number of rows depends on the other contents of the database. */
function kindOfTag(tag: string): string {
  const [word = '', ...numbers] = tag.split(' ');
  if (numbers.length === 0) return word;
  return `${word} ${numbers.at(-1) === '0' ? 'none' : 'some'}`;
}

function digest(path: string): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, 16);
}

function shortened(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 80);
}
