/** A thread that plays histories, one after the other, against a service of its own. `lane.ts` starts it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FromLane, LaneData, ToLane } from './lane.ts';
import { play } from './play.ts';
import { serviceOn } from './service.ts';

const port = parentPort;
if (!port) throw new Error('lane-thread.ts runs in a thread of lane.ts');
const { url, kills } = workerData as LaneData;
const say = (message: FromLane) => port.postMessage(message);
let revived: PromiseWithResolvers<void> | null = null;

/** Only the main thread can kill the database. */
async function killDatabase(): Promise<void> {
  revived = Promise.withResolvers<void>();
  say({ what: 'kill' });
  await revived.promise;
}

const service = await serviceOn({ url, drop: async () => undefined }, kills ? killDatabase : undefined);

port.on('message', async (message: ToLane) => {
  if (message.what === 'revived') revived?.resolve();
  else if (message.what === 'end') {
    await service.end();
    port.close();
  } else say({ what: 'played', played: await play(service, message.history) });
});
say({ what: 'ready' });
