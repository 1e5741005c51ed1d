/** A thread that plays histories, one after the other, against a service of its own. `lane.ts` starts it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FromLane, LaneData, OwnServer, ToLane } from './lane.ts';
import { play } from './play.ts';
import { serviceOn } from './service.ts';

const port = parentPort;
if (!port) throw new Error('lane-thread.ts runs in a thread of lane.ts');
const { url, hasServer } = workerData as LaneData;
const say = (message: FromLane) => port.postMessage(message);
let done: PromiseWithResolvers<void> | null = null;

/** Only the main thread can stop and start the server. */
async function order(to: keyof OwnServer): Promise<void> {
  done = Promise.withResolvers<void>();
  say({ what: 'server', to });
  await done.promise;
}

const server: OwnServer = {
  kill: () => order('kill'),
  standBy: () => order('standBy'),
  promote: () => order('promote'),
};
const service = await serviceOn({ url, drop: async () => undefined }, hasServer ? server : undefined);

port.on('message', async (message: ToLane) => {
  if (message.what === 'done') done?.resolve();
  else if (message.what === 'end') {
    await service.end();
    port.close();
  } else say({ what: 'played', played: await play(service, message.history) });
});
say({ what: 'ready' });
